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

// -----

graph.algorithm @chunk attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{has chunks of 65 vertices, not 8 to 64}}
  exec.asynchronous "work" %all attributes {chunk = 65 : i64, delta = 0 : i64} {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

graph.algorithm @width attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{has levels of a width, but no priority}}
  exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 4 : i64} {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

graph.algorithm @negative attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  // expected-error @+1 {{has levels of a negative width}}
  exec.asynchronous "work" %all by %x : !graph.state<i32, per_vertex> attributes {chunk = 64 : i64, delta = -4 : i64} {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

graph.algorithm @priority attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  %x = graph.state "x" : !graph.state<i32, per_edge>
  // expected-error @+1 {{is ordered by what is no number of each vertex}}
  exec.asynchronous "work" %all by %x : !graph.state<i32, per_edge> attributes {chunk = 64 : i64, delta = 4 : i64} {
  ^bb0(%u: !graph.vertex):
  }
}
