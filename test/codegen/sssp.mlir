// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// Delta-stepping in one parallel region; the width of the buckets is chosen when the graph is known.
// CHECK: propagate(gc::VertexSet<V>::of(graph_.num_vertices(), {source_}));
// CHECK: buckets_.order_by(graph_, dist_.data(),
// CHECK-NEXT: gc::choose_delta<std::int32_t>(graph_, graph_.template edge_column<std::int32_t>(0)));
// CHECK: while (buckets_.advance()) {
// CHECK-NEXT: gc::parallel(buckets_.wide(), [&](const auto &mine) {
// CHECK: for (V u; bins.next(u);) {
// CHECK: if (mine.atomic_min(dist[v], gc::add_inf(gc::load(dist[u]), weight[e]))) {
// CHECK-NEXT: bins.push(v);
graph.algorithm @sssp attributes {source = "sssp.gdsl", directedness = "any",
    arguments = [{name = "weight", column, nonnegative}, {name = "source"}]} {
^bb0(%weight: !graph.state<i32, per_edge>, %source: !graph.vertex):
  %all = graph.all_vertices
  %inf = graph.inf : i32
  %zero = graph.constant 0 : i32 -> i32
  %dist = graph.state "dist" output : !graph.state<i32, per_vertex> init {}
  exec.parallel "initialise" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%dist, %v, %inf) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  } loc("sssp.gdsl":3:3)
  %c1 = "exec.update"(%dist, %source, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1 loc("sssp.gdsl":5:3)
  %from = graph.set_of[%source]
  exec.ordered "propagate" %from by %dist : !graph.state<i32, per_vertex> dynamic attributes {delta = 0 : i64, grows_by = 0 : i64, names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %d = graph.read %dist[%u] relaxed : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %w = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      %n = graph.binary add %d, %w absorbing : i32 -> i32
      %c = "exec.update"(%dist, %v, %n) <{kind = 3 : i32, sync = 1 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      graph.if %c {
        exec.activate atomic %v
      }
    }
  } loc("sssp.gdsl":6:3)
}
