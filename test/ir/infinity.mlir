// RUN: %gdsl-opt %s --graph-mark-infinity | %FileCheck %s
// Only additions and conversions that may meet inf are absorbing, in algorithms and in functions.

graph.algorithm @infinity attributes {arguments = [{name = "root"}], directedness = "any", source = "infinity.gdsl"} {
^bb0(%root: !graph.vertex):
  %dist = graph.state "dist" : !graph.state<i32, per_vertex> init {
  ^bb0(%v: !graph.vertex):
    %inf = graph.inf : i32
    graph.yield %inf : i32
  }
  %count = graph.state "count" : !graph.state<i32, scalar> init {
    %zero = graph.constant 0 : i32 -> i32
    graph.yield %zero : i32
  }
  %one = graph.constant 1 : i32 -> i32
  %d = graph.read %dist[%root] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
  // CHECK: graph.binary add %{{.*}}, %{{.*}} absorbing
  %a = graph.binary add %d, %one : i32 -> i32
  %c = graph.read %count[] : (!graph.state<i32, scalar>) -> i32
  // CHECK: graph.binary add %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : i32
  %b = graph.binary add %c, %one : i32 -> i32
  // CHECK: graph.cast %{{.*}} absorbing : i32 -> i64
  %e = graph.cast %d : i32 -> i64
  // CHECK: graph.cast %{{.*}} absorbing : i64 -> f64
  %f = graph.cast %e : i64 -> f64
  // A narrower type takes its own inf without being told.
  // CHECK: graph.cast %{{[a-z0-9]*}} : i64 -> i32
  %h = graph.cast %e : i64 -> i32
  // CHECK: graph.cast %{{[a-z0-9]*}} : i32 -> i64
  %i = graph.cast %c : i32 -> i64
  %w = graph.constant 2.0 : f64 -> f64
  // The addition of floating-point numbers absorbs by itself.
  // CHECK: graph.binary add
  // CHECK-NOT: absorbing
  // CHECK: graph.func
  %j = graph.binary add %f, %w : f64 -> f64
}

// A caller may pass inf.
// CHECK: graph.binary sub %{{.*}}, %{{.*}} absorbing
graph.func @less -> i32 attributes {names = ["x"]} {
^bb0(%x: i32):
  %one = graph.constant 1 : i32 -> i32
  %r = graph.binary sub %x, %one : i32 -> i32
  graph.return %r : i32
}
