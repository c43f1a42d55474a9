// RUN: %gdsl-opt --graph-apply-schedule %s | %FileCheck %s --check-prefixes=BOTH,CPU
// RUN: %gdsl-opt --graph-apply-schedule=section=cuda %s | %FileCheck %s --check-prefixes=BOTH,CUDA
// RUN: %gdsl-opt --graph-apply-schedule %s | %gdsl-opt | %FileCheck %s --check-prefixes=BOTH,CPU
// RUN: %fails %gdsl-opt --graph-apply-schedule=section=gpu %s 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// RUN: %gdsl-opt --graph-apply-schedule=section= %s | %FileCheck %s --check-prefix=LAYOUT
// UNKNOWN: the table of directives has no section 'gpu'
// LAYOUT: schedule = #graph.schedule<[<layout "" neighbors degree
// LAYOUT-NOT: schedule =
// The statements get what the target's section says of them; a label counts more than what is said of all.

// BOTH-DAG: #[[ALL:loc[0-9]*]] = loc("two.gdsl":1:1)
// BOTH-DAG: #[[A:loc[0-9]*]] = loc("two.gdsl":2:1)
// BOTH-DAG: #[[FORM:loc[0-9]*]] = loc("two.gdsl":3:1)
// BOTH-DAG: #[[CULL:loc[0-9]*]] = loc("two.gdsl":4:1)
// BOTH-DAG: #[[ORDER:loc[0-9]*]] = loc("two.gdsl":5:1)
// BOTH: graph.algorithm @two {{.*}} schedule = #graph.schedule<[<layout "" neighbors degree at #[[ORDER]]>]>
// CPU: label = "a"{{.*}} schedule = #graph.schedule<[<cpu "a" direction push at #[[A]]>, <cpu "" frontier queue {T1 = 3.000000e+00 : f64} at #[[FORM]]>]>
// CPU: schedule = #graph.schedule<[<cpu "" direction pull at #[[ALL]]>, <cpu "" frontier queue {T1 = 3.000000e+00 : f64} at #[[FORM]]>]>
// CUDA: schedule = #graph.schedule<[<cuda "" cull warp + history {size = 64 : i64} at #[[CULL]]>]>
// CUDA: schedule = #graph.schedule<[<cuda "" cull warp + history {size = 64 : i64} at #[[CULL]]>]>
graph.algorithm @two attributes {source = "two.gdsl", directedness = "any", arguments = [], directives = [
    #graph.directive<cpu "" direction pull at loc("two.gdsl":1:1)>,
    #graph.directive<cpu "a" direction push at loc("two.gdsl":2:1)>,
    #graph.directive<cpu "" frontier queue {T1 = 3.0} at loc("two.gdsl":3:1)>,
    #graph.directive<cuda "" cull warp + history {size = 64} at loc("two.gdsl":4:1)>,
    #graph.directive<layout "" neighbors degree at loc("two.gdsl":5:1)>]} {
  %near = graph.state "near" : !graph.state<i1, per_vertex>
  %all = graph.all_vertices
  graph.propagate edges %all attributes {label = "a", names = ["u", "v", "e", "round"]} do {
  ^bb0(%u: !graph.vertex, %v: !graph.vertex, %e: !graph.edge, %round: i32):
    %value = graph.read %near[%u] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
    graph.update or %near[%v] = %value : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> ()
  }
  graph.propagate edges %all attributes {names = ["u", "v", "e", "round"]} do {
  ^bb0(%u: !graph.vertex, %v: !graph.vertex, %e: !graph.edge, %round: i32):
    %value = graph.read %near[%u] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
    graph.update or %near[%v] = %value : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> ()
  }
}
