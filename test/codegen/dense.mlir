// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// A dense property: slices of it as snapshots, rows as pointers.
// CHECK: for (V k = 0; k < graph_.num_vertices(); ++k) {
// CHECK: gc::copy_column(to_k_, dist_, k);
// CHECK: gc::copy_row(from_k_, dist_, k);
// CHECK: relax();
// CHECK: std::int32_t *const dist_i = dist.row(i);
// CHECK: dist_i[j] = std::min<std::int32_t>(dist_i[j], gc::add_inf(to_k[i], from_k[j]));
graph.algorithm @apsp attributes {source = "apsp.gdsl", directedness = "any", arguments = [{name = "weight", column}],
    needs = {bytes_per_pair = 4.0 : f64}} {
^bb0(%weight: !graph.state<i32, per_edge>):
  %all = graph.all_vertices
  %inf = graph.inf : i32
  %zero = graph.constant 0 : i32 -> i32
  %dist = graph.state "dist" output : !graph.state<i32, dense> init {}
  exec.parallel "initialise" pairs static {
  ^bb0(%i: !graph.vertex, %j: !graph.vertex):
    %c0 = "exec.update"(%dist, %i, %j, %inf) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
  } loc("apsp.gdsl":3:3)
  exec.parallel "diagonal" vertices %all static {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%dist, %v, %v, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
  } loc("apsp.gdsl":4:3)
  exec.parallel "arcs" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %w = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      %c0 = "exec.update"(%dist, %u, %v, %w) <{kind = 3 : i32, sync = 0 : i32}> : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
    }
  } loc("apsp.gdsl":5:3)
  "graph.for"(%all) <{domain = 0 : i32, sequential, names = ["k"]}> ({}, {
  ^bb0(%k: !graph.vertex):
    %tok = exec.snapshot "to_k" %dist column %k static : !graph.state<i32, dense>
    %fromk = exec.snapshot "from_k" %dist row %k static : !graph.state<i32, dense>
    exec.parallel "relax" pairs static attributes {names = ["i", "j"]} {
    ^bb0(%i: !graph.vertex, %j: !graph.vertex):
      %a = graph.read %tok[%i, %k] : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex) -> i32
      %b = graph.read %fromk[%k, %j] : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex) -> i32
      %s = graph.binary add %a, %b absorbing : i32 -> i32
      %c0 = "exec.update"(%dist, %i, %j, %s) <{kind = 3 : i32, sync = 0 : i32}> : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
    } loc("apsp.gdsl":7:5)
  }) : (!graph.set) -> () loc("apsp.gdsl":6:3)
}
