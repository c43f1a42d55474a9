// RUN: %gdsl-opt %s --exec-select-changes | %FileCheck %s
// A condition is asked of several arcs before the loop changes anything: only where it does not depend on the changes.

// CHECK-LABEL: @both
// CHECK: exec.for out_of
// CHECK-NOT: exec.select
// CHECK: graph.if
// CHECK: exec.for out_of
// CHECK: exec.select
// CHECK-NOT: graph.if
graph.algorithm @both attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %y = graph.state "y" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  graph.for vertices sequential %all : !graph.set attributes {names = ["u"]} do {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %there = graph.read %x[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %three = graph.constant 3 : i32 -> i32
      %more = graph.binary gt %there, %three : i32 -> i1
      graph.if %more {
        %c = exec.update min plain %x[%v] = %three : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      }
    }
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %there = graph.read %y[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %three = graph.constant 3 : i32 -> i32
      %more = graph.binary gt %there, %three : i32 -> i1
      graph.if %more {
        %c = exec.update min plain %x[%v] = %three : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      }
    }
  }
}
