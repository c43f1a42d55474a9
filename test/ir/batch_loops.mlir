// RUN: %gdsl-opt %s --exec-batch-loops | %FileCheck %s
// Updates of neighbours by lanes: none may change what another iteration looks at.

graph.algorithm @updates attributes {arguments = [{name = "levels"}], directedness = "any", source = "updates.gdsl"} {
^bb0(%levels: !graph.levels):
  %a = graph.state "a" output : <i32, per_vertex>
  %b = graph.state "b" output : <i32, per_vertex>
  // CHECK: exec.sweep
  exec.sweep %levels {
  ^bb0(%level: !graph.set):
    exec.parallel "kernel" vertices %level dynamic attributes {by_lanes, names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      // What is asked is what is updated.
      // CHECK: exec.for into
      // CHECK-NOT: exec.batch_for
      // CHECK-SAME: shared
      // CHECK: exec.update add atomic
      exec.for into %v : !graph.vertex attributes {names = ["u", "e"], shared} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %0 = graph.read %a[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %1 = graph.read %b[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %2 = graph.binary lt %0, %1 : i32 -> i1
        graph.if %2 {
          exec.update add atomic %a[%u] = %1 : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        }
      }
      // The vertex may be its own neighbour.
      // CHECK: exec.for into
      // CHECK-NOT: exec.batch_for
      // CHECK-SAME: shared
      // CHECK: exec.update add atomic
      exec.for into %v : !graph.vertex attributes {names = ["u", "e"], shared} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %0 = graph.read %b[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %1 = graph.read %b[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %2 = graph.binary lt %0, %1 : i32 -> i1
        graph.if %2 {
          %3 = graph.read %a[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
          exec.update add atomic %a[%u] = %3 : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        }
      }
      // Not if they are in different levels. What may fail, and what the condition guards, stays.
      // CHECK: %[[B:.*]] = graph.read %{{.*}}[%[[V:.*]]] : (
      // CHECK-NEXT: %[[A:.*]] = graph.read %{{.*}}[%[[V]]] : (
      // CHECK-NEXT: exec.batch_for into %[[V]] attributes {{.*}} where {
      // CHECK-NEXT: ^bb0(%[[U:[^:]*]]:
      // CHECK-NEXT: graph.read %{{.*}}[%[[U]]]
      // CHECK-NEXT: %[[NEXT:.*]] = graph.binary eq %{{.*}}, %[[B]] {next_level}
      // CHECK-NEXT: graph.yield %[[NEXT]]
      // CHECK-NEXT: } take {
      // CHECK-NEXT: ^bb0
      // CHECK-NEXT: graph.read %{{.*}}[%[[V]]] checked
      // CHECK-NEXT: graph.binary div
      // CHECK-NEXT: graph.binary add
      // CHECK-NEXT: exec.update add atomic
      exec.for into %v : !graph.vertex attributes {names = ["u", "e"], shared} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %0 = graph.read %b[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %1 = graph.read %b[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %2 = graph.binary eq %0, %1 {next_level} : i32 -> i1
        graph.if %2 {
          %3 = graph.read %a[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
          %4 = graph.read %b[%v] checked : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
          %5 = graph.binary div %1, %3 : i32 -> i32
          %6 = graph.binary add %5, %4 : i32 -> i32
          exec.update add atomic %a[%u] = %6 : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        }
      }
    }
  }
}
