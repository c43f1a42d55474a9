// RUN: %gdsl-opt %s --split-input-file --exec-part-arrays | %FileCheck %s
// Threads have parts of an array of their own where the kernel does nothing with it but one kind of reduction.

// CHECK-LABEL: @reduced
// CHECK: exec.update add private
// CHECK: exec.update add private
graph.algorithm @reduced attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %count = graph.state "count" : !graph.state<i64, array>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %one = graph.constant 1 : i64 -> i64
    %a = exec.update add atomic %count[%one] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
    %b = exec.update add atomic %count[%one] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
  }
}

// -----

// CHECK-LABEL: @read
// CHECK: exec.update add atomic
graph.algorithm @read attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %count = graph.state "count" : !graph.state<i64, array>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %one = graph.constant 1 : i64 -> i64
    %old = graph.read %count[%one] checked : (!graph.state<i64, array>, i64) -> i64
    %a = exec.update add atomic %count[%old] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
  }
}

// -----

// CHECK-LABEL: @two_kinds
// CHECK: exec.update add atomic
// CHECK: exec.update max atomic
graph.algorithm @two_kinds attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %count = graph.state "count" : !graph.state<i64, array>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %one = graph.constant 1 : i64 -> i64
    %a = exec.update add atomic %count[%one] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
    %b = exec.update max atomic %count[%one] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
  }
}

// -----

// What asks whether the value has changed needs the value itself.
// CHECK-LABEL: @asked
// CHECK: exec.update min atomic
graph.algorithm @asked attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %count = graph.state "count" : !graph.state<i64, array>
  %any = graph.state "any" : !graph.state<i1, scalar>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %one = graph.constant 1 : i64 -> i64
    %a = exec.update min atomic %count[%one] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
    %b = exec.update or private %any[] = %a : (!graph.state<i1, scalar>, i1) -> i1
  }
}

// -----

// One thread needs no parts.
// CHECK-LABEL: @serial
// CHECK: exec.update add atomic
graph.algorithm @serial attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %count = graph.state "count" : !graph.state<i64, array>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all serial attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %one = graph.constant 1 : i64 -> i64
    %a = exec.update add atomic %count[%one] = %one checked : (!graph.state<i64, array>, i64, i64) -> i1
  }
}
