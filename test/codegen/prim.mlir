// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// A parallel argmin, a break, a tuple update, a loop over the edges of one vertex on the host.
// CHECK: while (true) {
// CHECK: const V u = pick();
// CHECK: if (u == gc::none<V>()) {
// CHECK-NEXT: break;
// CHECK: in_tree_[u] = true;
// CHECK: relax(gc::VertexSet<V>::of(graph_.num_vertices(), {u}));
// CHECK: gc::PerThread<gc::ArgMin<std::int32_t, V>> parts;
// CHECK: if (!in_tree[v] && key[v] < gc::inf<std::int32_t>()) {
// CHECK-NEXT: best.add(key[v], v);
// CHECK: return parts.merged().witness();
// CHECK: gc::atomic_min_together(std::tie(key[v], parent[v]), std::tuple<std::int32_t, V>(weight[e], u));
graph.algorithm @prim attributes {source = "prim.gdsl", directedness = "undirected",
    arguments = [{name = "weight", column}, {name = "root"}]} {
^bb0(%weight: !graph.state<i32, per_edge>, %root: !graph.vertex):
  %all = graph.all_vertices
  %inf = graph.inf : i32
  %none = graph.none : !graph.vertex
  %zero = graph.constant 0 : i32 -> i32
  %true = graph.constant true -> i1
  %false = graph.constant false -> i1
  %parent = graph.state "parent" output : !graph.state<!graph.vertex, per_vertex> init {}
  %key = graph.state "key" output : !graph.state<i32, per_vertex> init {}
  %tree = graph.state "in_tree" : !graph.state<i1, per_vertex> init {}
  exec.parallel "initialise" vertices %all static {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%parent, %v, %none) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
    %c1 = "exec.update"(%key, %v, %inf) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    %c2 = "exec.update"(%tree, %v, %false) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> i1
  }
  %c3 = "exec.update"(%key, %root, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1 loc("prim.gdsl":7:3)
  graph.repeat {
    %best = exec.reduce argmin "pick" over vertices %all static {
    ^bb0(%v: !graph.vertex):
      %in = graph.read %tree[%v] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
      %out = graph.unary not %in : i1
      %free = graph.logic and %out {
        %kv = graph.read %key[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %lt = graph.binary lt %kv, %inf : i32 -> i1
        graph.yield %lt : i1
      }
      graph.if %free {
        %kv = graph.read %key[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        exec.contribute %kv : i32 for %v : !graph.vertex
      }
    } -> !graph.vertex loc("prim.gdsl":9:13)
    %u = graph.let "u" %best : !graph.vertex loc("prim.gdsl":9:5)
    %end = graph.binary eq %u, %none : !graph.vertex -> i1 loc("prim.gdsl":10:5)
    graph.if %end {
      graph.break
    } loc("prim.gdsl":10:5)
    %c4 = "exec.update"(%tree, %u, %true) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> i1 loc("prim.gdsl":11:5)
    %set = graph.set_of[%u]
    exec.parallel "relax" vertices %set static attributes {names = ["u"]} {
    ^bb0(%x: !graph.vertex):
      exec.for out_of %x : !graph.vertex attributes {names = ["v", "e"]} {
      ^bb0(%v: !graph.vertex, %e: !graph.edge):
        %in = graph.read %tree[%v] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
        %out = graph.unary not %in : i1
        graph.if %out {
          %w = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
          %c5 = "exec.update_tuple"(%key, %parent, %v, %w, %x) <{kind = 3 : i32, sync = 1 : i32, operandSegmentSizes = array<i32: 2, 1, 2>}> : (!graph.state<i32, per_vertex>, !graph.state<!graph.vertex, per_vertex>, !graph.vertex, i32, !graph.vertex) -> i1
        }
      }
    } loc("prim.gdsl":12:5)
  } until {}
}
