// RUN: %gdsl-opt %s --exec-outline-host-writes | %FileCheck %s
// The host asks whether what a thread of the device has written was a change, or has won.

// CHECK: %[[WON:.*]] = graph.state "changed" : <i1, scalar>
// CHECK: %[[CHANGED:.*]] = graph.state "changed" : <i1, scalar>
// CHECK: exec.update assign plain %[[CHANGED]][] = %{{.*}}
// CHECK: exec.update assign plain %[[WON]][] = %{{.*}}
// CHECK: exec.once "write_x" {
// CHECK-NEXT: %[[C:.*]] = exec.update min plain %[[X:.*]][%[[ROOT:.*]]]
// CHECK-NEXT: exec.update assign plain %[[CHANGED]][] = %[[C]]
// CHECK-NEXT: %[[W:.*]] = exec.claim plain
// CHECK-NEXT: exec.update assign plain %[[WON]][] = %[[W]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[WINS:.*]] = graph.read %[[WON]]
// CHECK-NEXT: %[[CHANGES:.*]] = graph.read %[[CHANGED]]
// CHECK: graph.if %[[CHANGES]]
// CHECK: graph.if %[[WINS]]
graph.algorithm @asked attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" output : !graph.state<i64, per_vertex>
  %n = graph.state "n" : !graph.state<i64, scalar>
  %three = graph.constant 3 : i64 -> i64
  %five = graph.constant 5 : i64 -> i64
  %changed = exec.update min plain %x[%root] = %three : (!graph.state<i64, per_vertex>, !graph.vertex, i64) -> i1
  %won = exec.claim plain %x[%root] %three to %five : (!graph.state<i64, per_vertex>, !graph.vertex, i64, i64) -> i1
  graph.if %changed {
    %a = exec.update assign plain %n[] = %three : (!graph.state<i64, scalar>, i64) -> i1
  }
  graph.if %won {
    %b = exec.update assign plain %n[] = %five : (!graph.state<i64, scalar>, i64) -> i1
  }
}
