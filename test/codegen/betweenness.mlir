// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// Kept levels, visited in reverse; a sequential loop over a set parameter; deduplicated activation.
// CHECK: for (const V root : sources_) {
// CHECK: frontier_.push_each_once();
// CHECK: levels_.clear();
// CHECK: for (std::int32_t r = 1; !frontier_.empty(); ++r) {
// CHECK-NEXT: levels_.keep(frontier_);
// CHECK: propagate();
// CHECK: propagate_commit(r);
// CHECK: for (const auto &level : levels_.reversed()) {
// CHECK: accumulate(level);
// CHECK: score(level, root);
graph.algorithm @betweenness attributes {source = "betweenness.gdsl", directedness = "any",
    arguments = [{name = "sources", default = "all"}]} {
^bb0(%sources: !graph.set):
  %all = graph.all_vertices
  %inf = graph.inf : i32
  %zero = graph.constant 0 : i32 -> i32
  %onei = graph.constant 1 : i32 -> i32
  %zerod = graph.constant 0.0 : f64 -> f64
  %one = graph.constant 1.0 : f64 -> f64
  %score = graph.state "score" output : !graph.state<f64, per_vertex> init {}
  exec.parallel "initialise" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%score, %v, %zerod) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
  } loc("betweenness.gdsl":3:3)
  "graph.for"(%sources) <{domain = 0 : i32, sequential, names = ["root"]}> ({}, {
  ^bb0(%root: !graph.vertex):
    %depth = graph.state "depth" : !graph.state<i32, per_vertex> init {}
    %paths = graph.state "paths" : !graph.state<f64, per_vertex> init {}
    %delta = graph.state "delta" : !graph.state<f64, per_vertex> init {}
    exec.parallel "restart" vertices %all static attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %c0 = "exec.update"(%depth, %v, %inf) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      %c1 = "exec.update"(%paths, %v, %zerod) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
      %c2 = "exec.update"(%delta, %v, %zerod) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    } loc("betweenness.gdsl":6:5)
    %c3 = "exec.update"(%depth, %root, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1 loc("betweenness.gdsl":9:5)
    %c4 = "exec.update"(%paths, %root, %one) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1 loc("betweenness.gdsl":10:5)
    %from = graph.set_of[%root]
    %levels = exec.propagate "propagate" push %from dynamic dedup attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v", "e", "r"]} push {
    ^bb0(%u: !graph.vertex, %r: i32):
      exec.for out_of %u : !graph.vertex attributes {names = ["v"]} {
      ^bb0(%v: !graph.vertex, %e: !graph.edge):
        %d = graph.read %depth[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %new = graph.binary eq %d, %inf : i32 -> i1
        graph.if %new {
          %p = graph.read %paths[%u] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
          %c5 = "exec.update"(%paths, %v, %p) <{kind = 1 : i32, sync = 1 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
          exec.activate atomic %v
        }
      }
    } pull {} commit {
    ^bb0(%v: !graph.vertex, %r: i32):
      %c6 = "exec.update"(%depth, %v, %r) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    } until {} levels !graph.levels loc("betweenness.gdsl":11:5)
    "graph.for"(%levels) <{domain = 7 : i32, sequential, reversed, names = ["level"]}> ({}, {
    ^bb0(%level: !graph.set):
      exec.parallel "accumulate" vertices %level dynamic attributes {names = ["u"]} {
      ^bb0(%u: !graph.vertex):
        exec.for out_of %u : !graph.vertex attributes {names = ["v"]} {
        ^bb0(%v: !graph.vertex, %e: !graph.edge):
          %dv = graph.read %depth[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
          %du = graph.read %depth[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
          %du1 = graph.binary add %du, %onei absorbing : i32 -> i32
          %is = graph.binary eq %dv, %du1 : i32 -> i1
          graph.if %is {
            %pu = graph.read %paths[%u] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
            %pv = graph.read %paths[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
            %q = graph.binary div %pu, %pv : f64 -> f64
            %de = graph.read %delta[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
            %de1 = graph.binary add %one, %de : f64 -> f64
            %m = graph.binary mul %q, %de1 : f64 -> f64
            %c7 = "exec.update"(%delta, %u, %m) <{kind = 1 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
          }
        }
      } loc("betweenness.gdsl":16:7)
      exec.parallel "score" vertices %level static attributes {names = ["v"]} {
      ^bb0(%v: !graph.vertex):
        %other = graph.binary ne %v, %root : !graph.vertex -> i1
        graph.if %other {
          %de = graph.read %delta[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
          %c8 = "exec.update"(%score, %v, %de) <{kind = 1 : i32, sync = 0 : i32}> : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
        }
      } loc("betweenness.gdsl":19:7)
    }) : (!graph.levels) -> ()
  }) : (!graph.set) -> () loc("betweenness.gdsl":5:3)
}
