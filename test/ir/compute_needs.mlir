// RUN: %gdsl-opt %s --split-input-file --exec-compute-needs | %FileCheck %s
// What a program needs: in-edges, their ids, weights that are not negative, and memory for its state.

// Out-edges alone: no need but memory. A bit is a byte, a set a bitmap and a list of 32-bit ids.
// CHECK-LABEL: @out_only
// CHECK-SAME: needs = {bytes_per_edge = 8.000000e+00 : f64, bytes_per_pair = 4.000000e+00 : f64, bytes_per_vertex = 1.312500e+01 : f64}
graph.algorithm @out_only attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %a = graph.state "a" : !graph.state<i1, per_vertex>
  %b = graph.state "b" : !graph.state<f64, per_edge>
  %c = graph.state "c" : !graph.state<tuple<i32, !graph.vertex>, per_vertex>
  %d = graph.state "d" : !graph.state<f32, dense>
  %s = graph.state "s" : !graph.state<!graph.set, scalar>
  %t = graph.state "t" : !graph.state<i64, scalar>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %degree = graph.degree out %u
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %one = graph.constant 1.0 : f64 -> f64
      %w = exec.update assign plain %b[%e] = %one : (!graph.state<f64, per_edge>, !graph.edge, f64) -> i1
    }
  }
}

// -----

// In-edges without their ids: a loop, a degree, a neighbourhood.
// CHECK-LABEL: @into
// CHECK-SAME: needs = {bytes_per_edge = 0.000000e+00 : f64, bytes_per_pair = 0.000000e+00 : f64, bytes_per_vertex = 0.000000e+00 : f64, in_edges}
graph.algorithm @into attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  %n = exec.reduce count "count" over vertices %all dynamic attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    exec.for into %v : !graph.vertex attributes {names = ["u", "e"]} {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      exec.contribute
    }
  } -> i64
}

// -----

// CHECK-LABEL: @degree
// CHECK-SAME: in_edges}
graph.algorithm @degree attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %d = graph.degree both %root
}

// -----

// CHECK-LABEL: @neighbors
// CHECK-SAME: in_edges}
graph.algorithm @neighbors attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %d = graph.neighbors in %root
}

// -----

// The value of an in-edge is found by its id. One graph is loaded for both forms: it must have what either needs.
// CHECK-LABEL: @values attributes
// CHECK-SAME: needs = {{{.*}}in_edge_ids, in_edges}
// CHECK-LABEL: @values_serial attributes
// CHECK-SAME: in_edge_ids, in_edges}
graph.algorithm @values attributes {arguments = [{column, name = "weight"}], directedness = "any", source = "x.gdsl"} {
^bb0(%weight: !graph.state<i32, per_edge>):
}
graph.algorithm @values_serial attributes {arguments = [{column, name = "weight"}], directedness = "any", serial_of = @values, source = "x.gdsl"} {
^bb0(%weight: !graph.state<i32, per_edge>):
  %all = graph.all_vertices
  %n = exec.reduce sum "sum" over vertices %all serial attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    exec.for into %v : !graph.vertex attributes {names = ["u", "e"]} {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %w = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      exec.contribute %w : i32
    }
  } -> i32
}

// -----

// A copy of all values needs as much as the state; a frontier has two queues and two bitmaps.
// CHECK-LABEL: @copies
// CHECK-SAME: bytes_per_pair = 0.000000e+00 : f64, bytes_per_vertex = 2.425000e+01 : f64}
graph.algorithm @copies attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i64, per_vertex>
  %before = exec.snapshot "x_before" %x static : !graph.state<i64, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.activate atomic %u
  }
}
