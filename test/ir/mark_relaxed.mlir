// RUN: %gdsl-opt %s --split-input-file --exec-mark-relaxed | %FileCheck %s
// Loads and stores that may meet another thread's in one kernel are relaxed atomics; no others are.

// Some updates of `x` are atomic: every load of it in the kernel is one, too. `y` is read only.
// CHECK-LABEL: @shared
// CHECK: exec.parallel "kernel"
// CHECK: graph.read %{{.*}}[%{{.*}}] relaxed
// CHECK: graph.read %[[Y:.*]][%{{[a-z0-9]*}}] :
// CHECK: exec.update min atomic
// CHECK: exec.parallel "later"
// CHECK: graph.read %{{.*}}[%{{[a-z0-9]*}}] :
graph.algorithm @shared attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %y = graph.state "y" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %a = graph.read %x[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
    %b = graph.read %y[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
    %s = graph.binary add %a, %b : i32 -> i32
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %c = exec.update min atomic %x[%v] = %s : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    }
  }
  exec.parallel "later" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %a = graph.read %x[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
    %c = exec.update assign plain %y[%u] = %a : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  }
}

// -----

// Each thread writes its own element while others read it: the store is atomic as well.
// CHECK-LABEL: @own
// CHECK: graph.read %{{.*}}[%{{.*}}] relaxed
// CHECK: exec.update assign relaxed
graph.algorithm @own attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %a = graph.read %x[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %c = exec.update assign plain %x[%u] = %a : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    }
  }
}

// -----

// Nobody reads another's element, or only one thread runs.
// CHECK-LABEL: @alone
// CHECK-NOT: relaxed
graph.algorithm @alone attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %a = graph.read %x[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
    %c = exec.update add plain %x[%u] = %a : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  }
  exec.parallel "serial" vertices %all serial attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %a = graph.read %x[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %c = exec.update assign plain %x[%u] = %a : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    }
  }
}

// -----

// A claim by compare-and-swap, in the push form; the pull form's own claim meets the reads of others.
// CHECK-LABEL: @claimed
// CHECK: push {
// CHECK: graph.read %{{.*}}[%{{.*}}] relaxed
// CHECK: exec.claim atomic
// CHECK: pull {
// CHECK: graph.read %{{.*}}[%{{[a-z0-9]*}}] :
// CHECK: exec.claim plain
graph.algorithm @claimed attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" hybrid %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    %a = graph.read %x[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %zero = graph.constant 0 : i32 -> i32
      %won = exec.claim atomic %x[%v] %zero to %a : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
    }
  } pull {
  ^bb0(%v: !graph.vertex, %round: i32):
    %a = graph.read %x[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
    %one = graph.constant 1 : i32 -> i32
    %won = exec.claim plain %x[%v] %a to %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
  }
}
