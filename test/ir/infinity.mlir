// RUN: %gdsl-opt %s --graph-mark-infinity | %FileCheck %s
// Only additions that may meet inf are absorbing.

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
  // CHECK: graph.binary add
  // CHECK-NOT: absorbing
  %b = graph.binary add %c, %one : i32 -> i32
}
