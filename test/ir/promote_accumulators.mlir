// RUN: %gdsl-opt %s --split-input-file --exec-promote-accumulators | %FileCheck %s
// What a loop adds to one element is kept in a variable, where nothing in the loop can tell the difference.

// CHECK-LABEL: @promoted
// CHECK: exec.parallel
// CHECK-NEXT: ^bb0(%[[U:.*]]: !graph.vertex):
// CHECK-NEXT: %[[SUM:.*]] = graph.state "delta_sum" : <f64, scalar>
// CHECK-NEXT: %[[ZERO:.*]] = graph.constant 0.0
// CHECK-NEXT: exec.update assign plain %[[SUM]][] = %[[ZERO]]
// CHECK-NEXT: exec.for out_of %[[U]]
// CHECK: exec.update add plain %[[SUM]][] = %{{.*}}
// CHECK: }
// CHECK-NEXT: %[[TOTAL:.*]] = graph.read %[[SUM]][]
// CHECK-NEXT: exec.update add plain %{{.*}}[%[[U]]] = %[[TOTAL]]
graph.algorithm @promoted attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %delta = graph.state "delta" : !graph.state<f64, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      // Other elements may be read.
      %x = graph.read %delta[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
      %c = exec.update add plain %delta[%u] = %x : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    }
  }
}

// -----

// The loop reads what it adds to.
// CHECK-LABEL: @read_in_loop
// CHECK-NOT: _sum
graph.algorithm @read_in_loop attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %delta = graph.state "delta" : !graph.state<f64, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %x = graph.read %delta[%u] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
      %c = exec.update add plain %delta[%u] = %x : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    }
  }
}

// -----

// Every turn adds to another element.
// CHECK-LABEL: @other_elements
// CHECK-NOT: _sum
graph.algorithm @other_elements attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %delta = graph.state "delta" : !graph.state<f64, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %one = graph.constant 1.0 : f64 -> f64
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %c = exec.update add plain %delta[%v] = %one : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    }
  }
}

// -----

// Others add to the element as well, or somebody asks whether it changed, or the index may be none.
// CHECK-LABEL: @atomic
// CHECK-NOT: _sum
graph.algorithm @atomic attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %delta = graph.state "delta" : !graph.state<f64, per_vertex>
  %flags = graph.state "flags" : !graph.state<i1, per_vertex>
  %other = graph.state "other" : !graph.state<f64, per_vertex>
  %third = graph.state "third" : !graph.state<f64, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %one = graph.constant 1.0 : f64 -> f64
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %c = exec.update add atomic %delta[%root] = %one : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
      %d = exec.update add plain %other[%u] = %one : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
      %s = exec.update assign plain %flags[%u] = %d : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> i1
      %t = exec.update add plain %third[%u] = %one checked : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    }
  }
}

// -----

// Two updates of one state in one loop, and an update that does not add.
// CHECK-LABEL: @several
// CHECK-NOT: _sum
graph.algorithm @several attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %delta = graph.state "delta" : !graph.state<f64, per_vertex>
  %least = graph.state "least" : !graph.state<f64, per_vertex>
  %all = graph.all_vertices
  exec.parallel "kernel" vertices %all dynamic attributes {names = ["u"]} {
  ^bb0(%u: !graph.vertex):
    %one = graph.constant 1.0 : f64 -> f64
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %c = exec.update add plain %delta[%u] = %one : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
      %d = exec.update mul plain %delta[%u] = %one : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
      %m = exec.update min plain %least[%u] = %one : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    }
  }
}
