// RUN: %gdsl-opt %s --split-input-file --exec-split-pull | %FileCheck %s
// Whether any arc from an active vertex will do, for a pull that is taken apart.

// Each activates the vertex: no other has to be looked at, in this round or a later one.
// CHECK-LABEL: @activates
// CHECK: exec.pull_by_arcs {{.*}}first_only, first_takes
graph.algorithm @activates attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} pull {
  ^bb0(%v: !graph.vertex, %round: i32):
    %none = graph.none : !graph.vertex
    %p = graph.read %parent[%v] : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex) -> !graph.vertex
    %open = graph.binary eq %p, %none : !graph.vertex -> i1
    graph.if %open {
      exec.for into %v : !graph.vertex attributes {names = ["u", "e"]} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %active = exec.in_frontier %u
        graph.if %active {
          %a = exec.update assign plain %parent[%v] = %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
          exec.activate plain %v
          exec.break
        }
      }
    }
  }
}

// -----

// Each ends the look, but none activates the vertex, which has to look again in the next round.
// CHECK-LABEL: @notes
// CHECK: exec.pull_by_arcs
// CHECK-NOT: first_takes
graph.algorithm @notes attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %last = graph.state "last" : !graph.state<!graph.vertex, per_vertex>
  %open = graph.state "open" : !graph.state<i1, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} pull {
  ^bb0(%v: !graph.vertex, %round: i32):
    %o = graph.read %open[%v] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
    graph.if %o {
      exec.for into %v : !graph.vertex attributes {names = ["u", "e"]} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %active = exec.in_frontier %u
        graph.if %active {
          %a = exec.update assign plain %last[%v] = %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
          exec.break
        }
      }
    }
  }
}
