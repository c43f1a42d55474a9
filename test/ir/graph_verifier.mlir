// RUN: %gdsl-opt %s --split-input-file --verify-diagnostics
// One case for each message of ir/graph/GraphDialect.cpp; for a message that operations share, of each of them.

graph.algorithm @index attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  // expected-error @+1 {{'graph.read' op has indices that do not fit a state of shape per_vertex}}
  %y = graph.read %x[] : (!graph.state<i32, per_vertex>) -> i32
}

// -----

graph.algorithm @read attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  // expected-error @+1 {{'graph.read' op reads 'i64' from a state of 'i32'}}
  %y = graph.read %x[%root] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i64
}

// -----

graph.algorithm @element attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %wide = graph.constant 1 : i64 -> i64
  // expected-error @+1 {{'graph.update' op writes 'i64' to a state of 'i32'}}
  graph.update assign %x[%root] = %wide : (!graph.state<i32, per_vertex>, !graph.vertex, i64) -> ()
}

// -----

graph.algorithm @part attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<tuple<i32, i32>, per_vertex>
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.update' op assigns a part of a tuple, which is assigned as a whole}}
  graph.update assign %x[%root] = %one {part = 0 : si64} : (!graph.state<tuple<i32, i32>, per_vertex>, !graph.vertex, i32) -> ()
}

// -----

graph.algorithm @combiner attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.update' op names a reduction if, and only if, it combines by one}}
  graph.update combine %x[%root] = %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> ()
}

// -----

graph.algorithm @length attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %one = graph.constant 1 : i64 -> i64
  // expected-error @+1 {{'graph.state' op has a length, but is per_vertex}}
  %x = graph.state "x" of %one : !graph.state<i32, per_vertex>
}

// -----

graph.algorithm @domain attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{'graph.for' op has a region whose arguments do not fit domain edges}}
  graph.for edges %all : !graph.set attributes {names = ["u", "v", "e"]} do {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

graph.algorithm @raises attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %a = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.binary' op raises, but is no absorbing sum of integers}}
  %b = graph.binary add %a, %a raises : i32 -> i32
}

// -----

graph.algorithm @compare attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %a = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.binary' op has a result of the wrong type}}
  %b = graph.binary lt %a, %a : i32 -> i32
}

// -----

graph.algorithm @update_index attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_edge>
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.update' op has indices that do not fit a state of shape per_edge}}
  graph.update assign %x[%root] = %one : (!graph.state<i32, per_edge>, !graph.vertex, i32) -> ()
}

// -----

graph.algorithm @tuple_kind attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.update_tuple' op must be min or max}}
  graph.update_tuple add(%x, %x)[%root] = (%one, %one)
    : (!graph.state<i32, per_vertex>, !graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> ()
}

// -----

graph.algorithm @tuple_size attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.update_tuple' op needs one value for each of at least two states}}
  graph.update_tuple min(%x)[%root] = (%one) : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> ()
}

// -----

graph.algorithm @tuple_types attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %n = graph.state "n" : !graph.state<i32, scalar>
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'graph.update_tuple' op needs states of the values' types, of vertices with one index or of pairs with two}}
  graph.update_tuple min(%x, %n)[%root] = (%one, %one)
    : (!graph.state<i32, per_vertex>, !graph.state<i32, scalar>, !graph.vertex, i32, i32) -> ()
}

// -----

graph.algorithm @over attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  // expected-error @+1 {{'graph.for' op ranges over the wrong kind of operand for domain vertices}}
  graph.for vertices %root : !graph.vertex attributes {names = ["v"]} do {
  ^bb0(%v: !graph.vertex):
  }
}

// -----

graph.algorithm @levels attributes {arguments = [{name = "levels"}], directedness = "any", source = "x.gdsl"} {
^bb0(%levels: !graph.levels):
  // expected-error @+1 {{'graph.for' op over levels must be sequential}}
  graph.for levels %levels : !graph.levels attributes {names = ["level"]} do {
  ^bb0(%level: !graph.set):
  }
}

// -----

graph.algorithm @propagate attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{'graph.propagate' op must range over edges, edges_both or edges_into}}
  graph.propagate vertices %all attributes {names = ["u", "v", "e", "round"]} do {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

graph.algorithm @crossing attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{'graph.propagate' op says when it goes over, but not what crosses, or what crosses, but not when}}
  graph.propagate edges %all attributes {crossing = ["x"], names = ["u", "v", "e", "round"]} do {
  ^bb0(%u: !graph.vertex, %v: !graph.vertex, %e: !graph.edge, %round: i32):
  }
}

// -----

graph.algorithm @count attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %all = graph.all_vertices
  // expected-error @+1 {{'graph.reduce' op needs a value region exactly if it is not count}}
  %sum = graph.reduce sum vertices %all : !graph.set attributes {names = ["v"]} -> i32
}
