// RUN: %gdsl-opt %s --graph-add-serial-forms | %FileCheck %s
// Each algorithm is followed by a copy that --verify runs; functions are shared.

// CHECK: graph.func @f
// CHECK-NOT: @f_serial
// CHECK: graph.algorithm @a attributes
// CHECK-NOT: serial_of
// CHECK: graph.state "x" output
// CHECK: graph.algorithm @a_serial attributes
// CHECK-SAME: serial_of = @a
// CHECK: graph.state "x" output
// CHECK: graph.call @f
// CHECK: graph.algorithm @b attributes
// CHECK: graph.algorithm @b_serial attributes
// CHECK-SAME: serial_of = @b
// CHECK-NOT: graph.algorithm
graph.func @f -> i32 attributes {names = []} {
  %one = graph.constant 1 : i32 -> i32
  graph.return %one : i32
}
graph.algorithm @a attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" output : !graph.state<i32, scalar>
  %v = graph.call @f() : () -> i32
  graph.update assign %x[] = %v : (!graph.state<i32, scalar>, i32) -> ()
}
graph.algorithm @b attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
}
