// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// Private sums, sequential reductions, named values, a repeat with both ends.
// CHECK: for (std::int32_t turn = 0; turn < rounds_; ++turn) {
// CHECK: update(base);
// CHECK: if (change_ < tolerance_)
// CHECK: void update(double base) {
// CHECK-NEXT: gc::PerThread<double> change_parts(0);
// CHECK: double sum = 0;
// CHECK-NEXT: for (const V u : graph.in_neighbors(v)) {
// CHECK-NEXT: sum += share[u];
// CHECK: const double next = base + damping * sum;
// CHECK: change_ += change_parts.sum();
graph.algorithm @pagerank attributes {source = "pagerank.gdsl", directedness = "any",
    arguments = [{name = "damping", default = 0.85 : f64}, {name = "tolerance", default = "1e-4"}, {name = "rounds", default = 20 : i32}],
    needs = {in_edges, bytes_per_vertex = 16.0 : f64}} {
^bb0(%damping: f64, %tolerance: f64, %rounds: i32):
  %all = graph.all_vertices
  %one = graph.constant 1.0 : f64 -> f64
  %zero = graph.constant 0.0 : f64 -> f64
  %n = graph.num_vertices
  %nd = graph.cast %n : i64 -> f64
  %rank = graph.state "rank" output : !graph.state<f64, per_vertex> init {}
  %share = graph.state "share" : !graph.state<f64, per_vertex> init {}
  %change = graph.state "change" : !graph.state<f64, scalar> init {}
  %start = graph.binary div %one, %nd : f64 -> f64
  exec.parallel "initialise" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%rank, %v, %start) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
  } loc("pagerank.gdsl":3:3)
  graph.repeat %rounds : i32 {
    exec.parallel "spread" vertices %all static attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %r = graph.read %rank[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
      %d = graph.degree out %v
      %dd = graph.cast %d : i32 -> f64
      %q = graph.binary div %r, %dd : f64 -> f64
      %c0 = "exec.update"(%share, %v, %q) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    } loc("pagerank.gdsl":8:5)
    %c1 = "exec.update"(%change, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, scalar>, f64) -> i1 loc("pagerank.gdsl":9:5)
    %rest = graph.binary sub %one, %damping : f64 -> f64
    %basev = graph.binary div %rest, %nd : f64 -> f64
    %base = graph.let "base" %basev : f64
    exec.parallel "update" vertices %all dynamic attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %sum = exec.reduce sum serial {
        exec.for into %v : !graph.vertex attributes {names = ["u"]} {
        ^bb0(%u: !graph.vertex, %e: !graph.edge):
          %s = graph.read %share[%u] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
          exec.contribute %s : f64
        }
      } -> f64
      %weighted = graph.binary mul %damping, %sum : f64 -> f64
      %total = graph.binary add %base, %weighted : f64 -> f64
      %next = graph.let "next" %total : f64
      %old = graph.read %rank[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
      %diff = graph.binary sub %next, %old : f64 -> f64
      %abs = graph.unary abs %diff : f64
      %c2 = "exec.update"(%change, %abs) <{kind = 1 : i32, sync = 2 : i32}> : (!graph.state<f64, scalar>, f64) -> i1
      %c3 = "exec.update"(%rank, %v, %next) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    } loc("pagerank.gdsl":10:5)
  } until {
    %c = graph.read %change[] : (!graph.state<f64, scalar>) -> f64
    %small = graph.binary lt %c, %tolerance : f64 -> i1
    graph.yield %small : i1
  }
}
