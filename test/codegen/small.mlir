// RUN: %exec_print --library %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// The operations that stand for a whole algorithm; two algorithms in one file; no main in a library.
// CHECK: class Components {
// CHECK: gc::connect_components(graph_, label_.data());
// CHECK: gc::spread_minimum(graph_, least_.data());
// CHECK: info.directedness = gc::Directedness::undirected;
// CHECK: class Triangles {
// CHECK: count_ = gc::count_triangles(graph_);
// CHECK-NOT: main
graph.algorithm @components attributes {source = "components.gdsl", directedness = "any", arguments = []} {
  %all = graph.all_vertices
  %label = graph.state "label" output : !graph.state<!graph.vertex, per_vertex> init {}
  %least = graph.state "least" output : !graph.state<f64, per_vertex> init {}
  exec.parallel "initialise" vertices %all static {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%label, %v, %v) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
    %d = graph.degree out %v
    %f = graph.cast %d : i32 -> f64
    %c1 = "exec.update"(%least, %v, %f) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
  }
  exec.component_min %label own : !graph.state<!graph.vertex, per_vertex>
  exec.component_min %least : !graph.state<f64, per_vertex>
}
graph.algorithm @triangles attributes {source = "triangles.gdsl", directedness = "undirected", arguments = []} {
  %count = graph.state "count" output : !graph.state<i64, scalar> init {}
  %t = exec.count_triangles
  %c0 = "exec.update"(%count, %t) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i64, scalar>, i64) -> i1
}
