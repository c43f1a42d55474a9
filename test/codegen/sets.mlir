// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// Set algebra on adjacency lists inside kernels; edges seen from either end; local state, while, functions.
// CHECK: namespace sets_functions {
// CHECK: inline std::int32_t twice(std::int32_t x) {
// CHECK: return x * 2;
// CHECK: for ({{.*}}const V w :
// CHECK-NEXT: gc::above(gc::intersected(graph.out_neighbors(u), graph.out_neighbors(v)), v)) {
// CHECK: gc::Mode<V> mode;
// CHECK: mode.clear();
// CHECK: for (const auto arc : gc::either_arcs(graph, v)) {
// CHECK: const auto neighbors = graph.out_neighbors(u);
// CHECK-NEXT: bool condition = gc::contains(gc::subtracted(neighbors, gc::set_of<V>(u)), v);
// CHECK: std::int32_t c = 5;
// CHECK: while (c > 0) {
// CHECK: gc::divide(c, x, "sets.gdsl:40")
// CHECK: c = sets_functions::twice<V>(c);
graph.func @twice -> i32 attributes {names = ["x"]} {
^bb0(%x: i32):
  %two = graph.constant 2 : i32 -> i32
  %y = graph.binary mul %x, %two : i32 -> i32
  graph.return %y : i32
}
graph.algorithm @sets attributes {source = "sets.gdsl", directedness = "any", arguments = [{name = "weight", column}, {name = "x", default = 3 : i32}]} {
^bb0(%weight: !graph.state<f32, per_edge>, %x: i32):
  %all = graph.all_vertices
  %zero = graph.constant 0 : i32 -> i32
  %five = graph.constant 5 : i32 -> i32
  %total = graph.state "total" output : !graph.state<i64, scalar> init {}
  %label = graph.state "label" output : !graph.state<!graph.vertex, per_vertex> init {}
  %next = graph.state "next" : !graph.state<!graph.vertex, per_vertex> init {}
  %heavy = graph.state "heavy" output : !graph.state<f32, per_vertex> init {}
  %pair = graph.state "pair" output : !graph.state<tuple<i32, !graph.vertex>, per_vertex> init {}
  %sum = exec.reduce sum "count_triangles" over vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex above %u attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %count = exec.reduce count serial {
        %nu = graph.neighbors out %u
        %nv = graph.neighbors out %v
        %both = graph.set_algebra intersection %nu, %nv
        exec.for vertices %both : !graph.set above %v attributes {names = ["w"]} {
        ^bb0(%w: !graph.vertex):
          exec.contribute
        }
      } -> i64
      exec.contribute %count : i64
    }
  } -> i64 loc("sets.gdsl":7:3)
  %c0 = "exec.update"(%total, %sum) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i64, scalar>, i64) -> i1 loc("sets.gdsl":7:3)
  exec.parallel "relabel" vertices %all dynamic attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %mode = exec.reduce mode serial {
      exec.for out_of %v : !graph.vertex attributes {names = ["u"]} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %l = graph.read %label[%u] : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex) -> !graph.vertex
        exec.contribute %l : !graph.vertex
      }
    } -> !graph.vertex
    %c1 = "exec.update"(%next, %v, %mode) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
    exec.for either %v : !graph.vertex attributes {names = ["u", "e"]} {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %nu = graph.neighbors out %u
      %self = graph.set_of[%u]
      %rest = graph.set_algebra difference %nu, %self
      %in = graph.contains %rest, %v
      %ok = graph.logic or %in {
        %any = exec.reduce any serial {
          exec.for vertices %nu : !graph.set attributes {names = ["w"]} {
          ^bb0(%w: !graph.vertex):
            %eq = graph.binary eq %w, %v : !graph.vertex -> i1
            exec.contribute %eq : i1
          }
        } -> i1
        graph.yield %any : i1
      }
      graph.if %ok {
        %w = graph.read %weight[%e] : (!graph.state<f32, per_edge>, !graph.edge) -> f32
        %c2 = "exec.update"(%heavy, %v, %w) <{kind = 4 : i32, sync = 0 : i32}> : (!graph.state<f32, per_vertex>, !graph.vertex, f32) -> i1
      } else {
        %h = graph.hash %v, %x : !graph.vertex, i32
        %hi = graph.cast %h : i64 -> i32
        %t = graph.tuple %hi, %u : i32, !graph.vertex -> tuple<i32, !graph.vertex>
        %c3 = "exec.update"(%pair, %v, %t) <{kind = 3 : i32, sync = 0 : i32}> : (!graph.state<tuple<i32, !graph.vertex>, per_vertex>, !graph.vertex, tuple<i32, !graph.vertex>) -> i1
      }
    }
    %c = graph.state "c" : !graph.state<i32, scalar> init {}
    %c4 = "exec.update"(%c, %five) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1
    graph.while {
      %now = graph.read %c[] : (!graph.state<i32, scalar>) -> i32
      %gt = graph.binary gt %now, %zero : i32 -> i1
      graph.yield %gt : i1
    } do {
      %now = graph.read %c[] : (!graph.state<i32, scalar>) -> i32
      %q = graph.binary div %now, %x checked : i32 -> i32 loc("sets.gdsl":40:3)
      %c5 = "exec.update"(%c, %q) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1
      %again = graph.read %c[] : (!graph.state<i32, scalar>) -> i32
      %tw = graph.call @twice(%again) : (i32) -> i32
      %c6 = "exec.update"(%c, %tw) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1
    }
  } loc("sets.gdsl":12:3)
}
