// RUN: %gdsl-opt %s --split-input-file --verify-diagnostics
// What `graph.facts` cannot hold.

// expected-error @+1 {{'builtin.module' op cannot have the fact #graph.read<vertex, changed>}}
module attributes {graph.facts = #graph.facts<[#graph.read<vertex, changed>]>} {}

// -----

// expected-error @+1 {{'builtin.module' op has facts that are no #graph.facts}}
module attributes {graph.facts = [#graph.read<vertex, changed>]} {}

// -----

// expected-error @+1 {{'builtin.module' op has the attribute "graph.fact", which the dialect does not declare}}
module attributes {graph.fact = #graph.facts<[#graph.read<vertex, changed>]>} {}

// -----

graph.algorithm @sum attributes {arguments = [], directedness = "any", source = "sum.gdsl"} {
  %count = graph.state "count" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  graph.for vertices %all : !graph.set attributes {names = ["v"]} do {
  ^bb0(%v: !graph.vertex):
    // expected-error @+1 {{'graph.read' op cannot have the fact #graph.write<vertex, owned>}}
    %one = graph.read %count[%v] {graph.facts = #graph.facts<[#graph.write<vertex, owned>]>}
        : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
  }
}

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse}}
module attributes {graph.facts = #graph.facts<[true]>} {}

// -----

// expected-error @+2 {{expected ::gcompile::graph::Element to be one of}}
// expected-error @+1 {{failed to parse}}
module attributes {graph.facts = #graph.facts<[#graph.read<everywhere, changed>]>} {}
