// RUN: %gdsl-opt %s --split-input-file --verify-diagnostics

graph.algorithm @index attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  // expected-error @+1 {{has indices that do not fit a state of shape per_vertex}}
  %y = graph.read %x[] : (!graph.state<i32, per_vertex>) -> i32
}

// -----

graph.algorithm @element attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %wide = graph.constant 1 : i64 -> i64
  // expected-error @+1 {{writes 'i64' to a state of 'i32'}}
  graph.update assign %x[%root] = %wide : (!graph.state<i32, per_vertex>, !graph.vertex, i64) -> ()
}

// -----

graph.algorithm @domain attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{has a region whose arguments do not fit domain edges}}
  graph.for edges %all : !graph.set attributes {names = ["u", "v", "e"]} do {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

graph.algorithm @compare attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %a = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{has a result of the wrong type}}
  %b = graph.binary lt %a, %a : i32 -> i32
}
