// RUN: %gdsl-opt %s --split-input-file --verify-diagnostics
// One case for each message of ir/exec/ExecVerifiers.cpp, in the order of that file.

// Kernels over a domain.

// expected-error @+1 {{'exec.parallel' op goes over vertices, but over no set of them}}
exec.parallel "kernel" vertices static {
^bb0(%v: !graph.vertex):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.parallel' op goes over vertices, but its body takes no vertex}}
exec.parallel "kernel" vertices %all static {
^bb0(%e: !graph.edge):
}

// -----

// expected-error @+1 {{'exec.parallel' op goes over pairs, but its body takes no pair}}
exec.parallel "kernel" pairs static {
^bb0(%u: !graph.vertex):
}

// -----

// expected-error @+1 {{'exec.parallel' op goes over all arcs, but its body takes no arc}}
exec.parallel "kernel" edges static {
^bb0(%u: !graph.vertex, %v: !graph.vertex, %e: !graph.edge):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.reduce' op is a kernel over levels, not vertices, pairs or edges}}
%count = exec.reduce count "kernel" over levels %all static {
^bb0(%level: !graph.set):
} -> i64

// -----

// Updates.

%count = graph.state "count" : !graph.state<i64, scalar>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i64 -> i64
// expected-error @+1 {{'exec.update' op has indices that do not fit a state that is scalar}}
%changed = exec.update add plain %count[%v] = %one : (!graph.state<i64, scalar>, !graph.vertex, i64) -> i1

// -----

%distance = graph.state "distance" : !graph.state<i32, dense>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
%two = graph.constant 2 : i32 -> i32
// expected-error @+1 {{'exec.claim' op has indices that do not fit a state that is dense}}
%won = exec.claim atomic %distance[%v] %one to %two : (!graph.state<i32, dense>, !graph.vertex, i32, i32) -> i1

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%e = graph.none : !graph.edge
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update' op has indices that do not fit a state that is per_vertex}}
%changed = exec.update add plain %depth[%e] = %one : (!graph.state<i32, per_vertex>, !graph.edge, i32) -> i1

// -----

%count = graph.state "count" : !graph.state<i64, scalar>
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update' op writes 'i32' to a state of 'i64'}}
%changed = exec.update add plain %count[] = %one : (!graph.state<i64, scalar>, i32) -> i1

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update' op is private, but only reductions of scalars and arrays have a part for each thread}}
%changed = exec.update add private %depth[%v] = %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1

// -----

%count = graph.state "count" : !graph.state<i64, scalar>
%one = graph.constant 1 : i64 -> i64
// expected-error @+1 {{'exec.update' op is private, but only reductions of scalars and arrays have a part for each thread}}
%changed = exec.update assign private %count[] = %one : (!graph.state<i64, scalar>, i64) -> i1

// -----

%count = graph.state "count" : !graph.state<i64, array>
%one = graph.constant 1 : i32 -> i32
%wide = graph.constant 1 : i64 -> i64
// expected-error @+1 {{'exec.update' op has indices that do not fit a state that is array}}
%changed = exec.update add plain %count[] = %wide : (!graph.state<i64, array>, i64) -> i1

// -----

%x = graph.state "x" : !graph.state<i32, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update' op names a reduction if, and only if, it combines by one}}
%changed = exec.update add plain %x[%v] = %one {combiner = @better} : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1

// -----

%pair = graph.state "pair" : !graph.state<tuple<i32, i64>, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update' op writes 'i32' to a state of 'tuple<i32, i64>'}}
%changed = exec.update add plain %pair[%v] = %one {part = 1 : si64} : (!graph.state<tuple<i32, i64>, per_vertex>, !graph.vertex, i32) -> i1

// -----

%pair = graph.state "pair" : !graph.state<tuple<i32, i64>, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update' op assigns a part of a tuple, which is assigned as a whole}}
%changed = exec.update assign plain %pair[%v] = %one {part = 0 : si64} : (!graph.state<tuple<i32, i64>, per_vertex>, !graph.vertex, i32) -> i1

// -----

// exec.start_array

%x = graph.state "x" : !graph.state<i64, scalar>
%one = graph.constant 1 : i64 -> i64
// expected-error @+1 {{'exec.start_array' op starts a state that is scalar}}
exec.start_array %x of %one = %one : !graph.state<i64, scalar>, i64

// -----

%x = graph.state "x" : !graph.state<i32, array>
%one = graph.constant 1 : i64 -> i64
// expected-error @+1 {{'exec.start_array' op writes 'i64' to a state of 'i32'}}
exec.start_array %x of %one = %one : !graph.state<i32, array>, i64

// -----

// exec.parallel

%all = graph.all_vertices
// expected-error @+1 {{'exec.parallel' op has segments of a width, and of what the program chooses}}
exec.parallel "kernel" vertices %all dynamic attributes {segment_width = 1024 : i64, source_bytes = 8 : i64} {
^bb0(%v: !graph.vertex):
}

// -----

// expected-error @+1 {{'exec.parallel' op goes by segments, but not over vertices}}
exec.parallel "kernel" edges dynamic attributes {source_bytes = 8 : i64} {
^bb0(%e: !graph.edge):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.parallel' op is split by arcs and shared among lanes}}
exec.parallel "kernel" vertices %all dynamic attributes {split, by_lanes} {
^bb0(%v: !graph.vertex):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.parallel' op starts from the level visited before, but is not turned}}
exec.parallel "kernel" vertices %all dynamic attributes {over_previous} {
^bb0(%v: !graph.vertex):
}

// -----

// exec.reduce

%all = graph.all_vertices
// expected-error @+1 {{'exec.reduce' op is a kernel without a name}}
%count = exec.reduce count over vertices %all static {
^bb0(%v: !graph.vertex):
  exec.contribute
} -> i64

// -----

// expected-error @+1 {{'exec.reduce' op is a kernel without a domain}}
%count = exec.reduce count "kernel" static {
  exec.contribute
} -> i64

// -----

// expected-error @+1 {{'exec.reduce' op is inside a kernel, but its body has arguments}}
%count = exec.reduce count serial {
^bb0(%v: !graph.vertex):
  exec.contribute
} -> i64

// -----

// exec.contribute

// expected-error @+1 {{'exec.contribute' op is outside of exec.reduce}}
exec.contribute

// -----

%least = exec.reduce argmin serial {
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'exec.contribute' op needs a witness exactly if it contributes to argmin or argmax}}
  exec.contribute %one : i32
} -> !graph.vertex

// -----

%sum = exec.reduce sum serial {
  %one = graph.constant 1 : i32 -> i32
  %v = graph.none : !graph.vertex
  // expected-error @+1 {{'exec.contribute' op needs a witness exactly if it contributes to argmin or argmax}}
  exec.contribute %one : i32 for %v : !graph.vertex
} -> i32

// -----

%count = exec.reduce count serial {
  %one = graph.constant 1 : i64 -> i64
  // expected-error @+1 {{'exec.contribute' op needs a value exactly if it does not contribute to count}}
  exec.contribute %one : i64
} -> i64

// -----

%sum = exec.reduce sum serial {
  // expected-error @+1 {{'exec.contribute' op needs a value exactly if it does not contribute to count}}
  exec.contribute
} -> i64

// -----

// exec.would_change

%x = graph.state "x" : !graph.state<i64, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i64 -> i64
// expected-error @+1 {{'exec.would_change' op asks about neither min nor max}}
%changes = exec.would_change add %x[%v] = %one : (!graph.state<i64, per_vertex>, !graph.vertex, i64) -> i1

// -----

// exec.improves

%sum = exec.reduce sum serial {
  %one = graph.constant 1 : i64 -> i64
  // expected-error @+1 {{'exec.improves' op is outside of an exec.reduce that looks for an extreme}}
  %better = exec.improves %one : i64
} -> i64

// -----

// exec.filter

%all = graph.all_vertices
// expected-error @+1 {{'exec.filter' op has a condition that does not take one vertex}}
%some = exec.filter "filter" %all dynamic {
  %yes = graph.constant true -> i1
  graph.yield %yes : i1
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.filter' op has a condition that yields no truth value}}
%some = exec.filter "filter" %all dynamic {
^bb0(%v: !graph.vertex):
  graph.yield %v : !graph.vertex
}

// -----

// exec.for

%all = graph.all_vertices
// expected-error @+1 {{'exec.for' op goes over the arcs of a vertex, but has no vertex}}
exec.for out_of %all : !graph.set attributes {names = ["v", "e"]} {
^bb0(%v: !graph.vertex, %e: !graph.edge):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.for' op goes by the place of arcs, but not over arcs of a vertex}}
exec.for vertices %all : !graph.set attributes {by_place, names = ["v"]} {
^bb0(%v: !graph.vertex):
}

// -----

%u = graph.none : !graph.vertex
// expected-error @+1 {{'exec.for' op goes over arcs, but its body does not take a vertex and an edge}}
exec.for into %u : !graph.vertex attributes {names = ["v"]} {
^bb0(%v: !graph.vertex):
}

// -----

// exec.batch_for

%u = graph.none : !graph.vertex
// expected-error @+1 {{'exec.batch_for' op goes over either, not over the arcs out of a vertex or into it}}
exec.batch_for either %u attributes {names = ["v"]} value {
^bb0(%v: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  graph.yield %one : i32
}

// -----

%u = graph.none : !graph.vertex
// expected-error @+1 {{'exec.batch_for' op needs either a value or an update}}
exec.batch_for out_of %u attributes {names = ["v"]}

// -----

%u = graph.none : !graph.vertex
%sum = graph.state "sum" : !graph.state<i32, scalar>
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.batch_for' op has a sum, but no value to add}}
exec.batch_for out_of %u into %sum : !graph.state<i32, scalar> attributes {names = ["v"]} take {
^bb0(%v: !graph.vertex):
  %changed = exec.update add atomic %sum[] = %one : (!graph.state<i32, scalar>, i32) -> i1
}

// -----

%u = graph.none : !graph.vertex
%sum = graph.state "sum" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.batch_for' op asks for a level without a condition}}
exec.batch_for out_of %u into %sum : !graph.state<i32, scalar> attributes {level_bits, names = ["v"]} value {
^bb0(%v: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  graph.yield %one : i32
}

// -----

%u = graph.none : !graph.vertex
%sum = graph.state "sum" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.batch_for' op has a region that does not take one vertex}}
exec.batch_for out_of %u into %sum : !graph.state<i32, scalar> attributes {names = ["v"]} value {
^bb0(%v: !graph.vertex, %e: !graph.edge):
  %one = graph.constant 1 : i32 -> i32
  graph.yield %one : i32
}

// -----

%u = graph.none : !graph.vertex
%sum = graph.state "sum" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.batch_for' op has a condition that yields no truth value}}
exec.batch_for out_of %u into %sum : !graph.state<i32, scalar> attributes {names = ["v"]} where {
^bb0(%v: !graph.vertex):
  graph.yield %v : !graph.vertex
} value {
^bb0(%v: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  graph.yield %one : i32
}

// -----

%u = graph.none : !graph.vertex
%sum = graph.state "sum" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.batch_for' op has a value that is no number}}
exec.batch_for out_of %u into %sum : !graph.state<i32, scalar> attributes {names = ["v"]} value {
^bb0(%v: !graph.vertex):
  %yes = graph.constant true -> i1
  graph.yield %yes : i1
}

// -----

%u = graph.none : !graph.vertex
// expected-error @+1 {{'exec.batch_for' op has a value, but no sum, and is outside of exec.reduce}}
exec.batch_for out_of %u attributes {names = ["v"]} value {
^bb0(%v: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  graph.yield %one : i32
}

// -----

%u = graph.none : !graph.vertex
%sum = graph.state "sum" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.batch_for' op adds to what is no number}}
exec.batch_for out_of %u into %sum : !graph.state<i32, per_vertex> attributes {names = ["v"]} value {
^bb0(%v: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  graph.yield %one : i32
}

// -----

// exec.update_tuple

%key = graph.state "key" : !graph.state<i32, per_vertex>
%parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update_tuple' op must be min or max}}
%changed = exec.update_tuple add atomic(%key, %parent)[%v] = (%one, %v)
  : (!graph.state<i32, per_vertex>, !graph.state<!graph.vertex, per_vertex>, !graph.vertex, i32, !graph.vertex) -> i1

// -----

%key = graph.state "key" : !graph.state<i32, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update_tuple' op needs one value for each of at least two states}}
%changed = exec.update_tuple min atomic(%key)[%v] = (%one)
  : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1

// -----

%key = graph.state "key" : !graph.state<i32, per_vertex>
%parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update_tuple' op needs one value for each of at least two states}}
%changed = exec.update_tuple min atomic(%key, %parent)[%v] = (%one)
  : (!graph.state<i32, per_vertex>, !graph.state<!graph.vertex, per_vertex>, !graph.vertex, i32) -> i1

// -----

%key = graph.state "key" : !graph.state<i32, per_vertex>
%count = graph.state "count" : !graph.state<i32, scalar>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update_tuple' op needs states of the values' types, of vertices with one index or of pairs with two}}
%changed = exec.update_tuple min atomic(%key, %count)[%v] = (%one, %one)
  : (!graph.state<i32, per_vertex>, !graph.state<i32, scalar>, !graph.vertex, i32, i32) -> i1

// -----

%dist = graph.state "dist" : !graph.state<i32, dense>
%hops = graph.state "hops" : !graph.state<i32, dense>
%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.update_tuple' op needs states of the values' types, of vertices with one index or of pairs with two}}
%changed = exec.update_tuple min plain(%dist, %hops)[%v] = (%one, %one)
  : (!graph.state<i32, dense>, !graph.state<i32, dense>, !graph.vertex, i32, i32) -> i1

// -----

// exec.claim

%count = graph.state "count" : !graph.state<i64, scalar>
%one = graph.constant 1 : i64 -> i64
%two = graph.constant 2 : i64 -> i64
// expected-error @+1 {{'exec.claim' op is plain or atomic, not relaxed}}
%won = exec.claim relaxed %count[] %one to %two : (!graph.state<i64, scalar>, i64, i64) -> i1

// -----

%count = graph.state "count" : !graph.state<i64, scalar>
%one = graph.constant 1 : i64 -> i64
%two = graph.constant 2 : i64 -> i64
// expected-error @+1 {{'exec.claim' op is plain or atomic, not private}}
%won = exec.claim private %count[] %one to %two : (!graph.state<i64, scalar>, i64, i64) -> i1

// -----

// exec.snapshot

%distance = graph.state "distance" : !graph.state<i32, dense>
%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.snapshot' op copies a row or a column, not both}}
%copy = exec.snapshot "copy" %distance row %v column %v static : !graph.state<i32, dense>

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.snapshot' op copies a row or column of a state that is per_vertex}}
%copy = exec.snapshot "copy" %depth row %v static : !graph.state<i32, per_vertex>

// -----

%distance = graph.state "distance" : !graph.state<i32, dense>
// expected-error @+1 {{'exec.snapshot' op swaps the arrays of a state that is dense}}
%copy = exec.snapshot "copy" %distance static swaps : !graph.state<i32, dense>

// -----

// exec.propagate

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op says when it goes over, but not what crosses, or what crosses, but not when}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, hand_over = [64.0, 2.0]} push {
^bb0(%v: !graph.vertex, %round: i32):
  exec.activate plain %v
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op cannot go over: its rounds do not push, keep their frontiers, or have no two thresholds}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, hand_over = [64.0], crossing = ["x"]} push {
^bb0(%v: !graph.vertex, %round: i32):
  exec.activate plain %v
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op is hybrid, but has no push}}
exec.propagate "propagate" hybrid %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  exec.activate plain %v
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op is pull, but has a push}}
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op is hybrid, but has no pull}}
exec.propagate "propagate" hybrid %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op is push, but has a pull}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
} pull {
^bb0(%v: !graph.vertex, %round: i32):
  exec.activate plain %v
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op has a region that does not take a vertex and the round}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} push {
^bb0(%u: !graph.vertex):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op ends by what is no truth value}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
} until {
^bb0(%round: i32):
  graph.yield %round : i32
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op has a form of the frontier without its options, or options without a form}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, frontier = 1 : i32} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op has the size of one of the tables that cull, but not of the other}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, cull_warp = 64 : i64} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op says what few edges are where this makes no difference, or does not say it}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, phases = 3 : i32} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op lists the edges of frontiers that it does not push from, or that are needed as vertices}}
exec.propagate "propagate" push %all dynamic dedup attributes {alpha = 15.0 : f64, beta = 18.0 : f64, phases = 1 : i32} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op has a table of 96 places, which is no power of two}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, cull_warp = 64 : i64, cull_history = 96 : i64} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op only pulls, but says how pushes claim}}
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, claim_bitmap} pull {
^bb0(%v: !graph.vertex, %round: i32):
  exec.activate plain %v
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op has rounds that are independent, but needs the order of its frontiers}}
exec.propagate "propagate" push %all dynamic dedup attributes {alpha = 15.0 : f64, beta = 18.0 : f64, round_independent} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.propagate' op activates by claims, but has rounds that are not independent}}
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, claim_activates} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate atomic %u
}

// -----

// exec.ordered

%all = graph.all_vertices
%distance = graph.state "distance" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.ordered' op has a push that does not take one vertex}}
exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = 1 : i64} {
^bb0(%u: !graph.vertex, %round: i32):
}

// -----

%all = graph.all_vertices
%reached = graph.state "reached" : !graph.state<i1, per_vertex>
// expected-error @+1 {{'exec.ordered' op is ordered by what is no number of each vertex}}
exec.ordered "relax" %all by %reached : !graph.state<i1, per_vertex> dynamic attributes {delta = 1 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%distance = graph.state "distance" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.ordered' op has buckets of a negative width}}
exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = -1 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%distance = graph.state "distance" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.ordered' op ends with the first of no vertices}}
exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = 1 : i64, first_end} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%width = graph.state "width" : !graph.state<i32, per_vertex>
%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.ordered' op takes the greatest first, and has an end}}
exec.ordered "relax" %all by %width : !graph.state<i32, per_vertex> until %v : !graph.vertex dynamic attributes {delta = 1 : i64, greatest_first} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%width = graph.state "width" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.ordered' op takes the greatest first, but does not update its priority by max}}
exec.ordered "relax" %all by %width : !graph.state<i32, per_vertex> dynamic attributes {delta = 1 : i64, greatest_first} {
^bb0(%u: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  %n = exec.update min atomic %width[%u] = %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
}

// -----

// exec.relax

%v = graph.none : !graph.vertex
%one = graph.constant 1 : i32 -> i32
// expected-error @+1 {{'exec.relax' op is outside of the push of exec.ordered}}
exec.relax %one to %v : i32

// -----

%all = graph.all_vertices
%distance = graph.state "distance" : !graph.state<i32, per_vertex>
exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = 1 : i64} {
^bb0(%u: !graph.vertex):
  exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
  ^bb0(%v: !graph.vertex, %e: !graph.edge):
    %one = graph.constant 1 : i64 -> i64
    // expected-error @+1 {{'exec.relax' op proposes 'i64' for a priority of another type}}
    exec.relax %one to %v : i64
  }
}

// -----

%all = graph.all_vertices
%distance = graph.state "distance" : !graph.state<i32, per_vertex>
exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = 1 : i64} {
^bb0(%u: !graph.vertex):
  exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
  ^bb0(%v: !graph.vertex, %e: !graph.edge):
    %one = graph.constant 1 : i32 -> i32
    // expected-error @+1 {{'exec.relax' op is not the last in its loop}}
    exec.relax %one to %v : i32
    exec.activate atomic %v
  }
}

// -----

%all = graph.all_vertices
%distance = graph.state "distance" : !graph.state<i32, per_vertex>
exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = 1 : i64} {
^bb0(%u: !graph.vertex):
  exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
  ^bb0(%v: !graph.vertex, %e: !graph.edge):
    %one = graph.constant 1 : i32 -> i32
    %other = graph.binary ne %u, %v : !graph.vertex -> i1
    graph.if %other {
      // expected-error @+1 {{'exec.relax' op is not the last in its loop}}
      exec.relax %one to %v : i32
    }
  }
}

// -----

// exec.asked_lists

// expected-error @+1 {{'exec.asked_lists' op is not all of a kernel by lanes}}
exec.asked_lists asks {
  %yes = graph.constant true -> i1
  graph.yield %yes : i1
} lists {
}

// -----

%all = graph.all_vertices
exec.parallel "kernel" vertices %all dynamic {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.asked_lists' op is not all of a kernel by lanes}}
  exec.asked_lists asks {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } lists {
  }
}

// -----

%all = graph.all_vertices
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  // expected-error @+1 {{'exec.asked_lists' op is not all of a kernel by lanes}}
  exec.asked_lists asks {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } lists {
  }
}

// -----

%all = graph.all_vertices
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.asked_lists' op has vertices that ask for no truth value}}
  exec.asked_lists asks {
    graph.yield %v : !graph.vertex
  } lists {
  }
}

// -----

// exec.best_for

%all = graph.all_vertices
%weight = graph.state "weight" : !graph.state<i32, per_edge>
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %best = exec.reduce min serial attributes {combined} {
    // expected-error @+1 {{'exec.best_for' op goes over either, not over the arcs out of a vertex or into it}}
    exec.best_for either %v attributes {names = []} value {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %key = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      graph.yield %key : i32
    } take {
    ^bb0(%u: !graph.vertex, %e: !graph.edge, %key: i32):
      exec.contribute %key : i32
    }
  } -> i32
}

// -----

%all = graph.all_vertices
%weight = graph.state "weight" : !graph.state<i32, per_edge>
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %best = exec.reduce sum serial attributes {combined} {
    // expected-error @+1 {{'exec.best_for' op is not in a search for the least or the greatest}}
    exec.best_for out_of %v attributes {names = []} value {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %key = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      graph.yield %key : i32
    } take {
    ^bb0(%u: !graph.vertex, %e: !graph.edge, %key: i32):
      exec.contribute %key : i32
    }
  } -> i32
}

// -----

%all = graph.all_vertices
%weight = graph.state "weight" : !graph.state<i32, per_edge>
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %best = exec.reduce min serial attributes {combined} {
    // expected-error @+1 {{'exec.best_for' op has a region that does not take a vertex and an edge}}
    exec.best_for out_of %v attributes {names = []} where {
    ^bb0(%u: !graph.vertex):
      %yes = graph.constant true -> i1
      graph.yield %yes : i1
    } value {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %key = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      graph.yield %key : i32
    } take {
    ^bb0(%u: !graph.vertex, %e: !graph.edge, %key: i32):
      exec.contribute %key : i32
    }
  } -> i32
}

// -----

%all = graph.all_vertices
%weight = graph.state "weight" : !graph.state<i32, per_edge>
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %best = exec.reduce min serial attributes {combined} {
    // expected-error @+1 {{'exec.best_for' op has a condition that yields no truth value}}
    exec.best_for out_of %v attributes {names = []} where {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      graph.yield %u : !graph.vertex
    } value {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %key = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      graph.yield %key : i32
    } take {
    ^bb0(%u: !graph.vertex, %e: !graph.edge, %key: i32):
      exec.contribute %key : i32
    }
  } -> i32
}

// -----

%all = graph.all_vertices
%weight = graph.state "weight" : !graph.state<i32, per_edge>
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %best = exec.reduce min serial attributes {combined} {
    // expected-error @+1 {{'exec.best_for' op does not take the value of a vertex and an edge}}
    exec.best_for out_of %v attributes {names = []} value {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %key = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      graph.yield %key : i32
    } take {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %one = graph.constant 1 : i32 -> i32
      exec.contribute %one : i32
    }
  } -> i32
}

// -----

%all = graph.all_vertices
%weight = graph.state "weight" : !graph.state<i32, per_edge>
exec.parallel "kernel" vertices %all dynamic attributes {by_lanes} {
^bb0(%v: !graph.vertex):
  %best = exec.reduce min serial attributes {combined} {
    // expected-error @+1 {{'exec.best_for' op does more than to contribute the value}}
    exec.best_for out_of %v attributes {names = []} value {
    ^bb0(%u: !graph.vertex, %e: !graph.edge):
      %key = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      graph.yield %key : i32
    } take {
    ^bb0(%u: !graph.vertex, %e: !graph.edge, %key: i32):
      %one = graph.constant 1 : i32 -> i32
      exec.contribute %one : i32
    }
  } -> i32
}

// -----

// exec.pull_by_arcs

// expected-error @+1 {{'exec.pull_by_arcs' op is outside of the pull of exec.propagate}}
exec.pull_by_arcs attributes {names = ["u", "e"]} wants {
  %yes = graph.constant true -> i1
  graph.yield %yes : i1
} arc {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} push {
^bb0(%v: !graph.vertex, %round: i32):
  // expected-error @+1 {{'exec.pull_by_arcs' op is outside of the pull of exec.propagate}}
  exec.pull_by_arcs attributes {names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  // expected-error @+1 {{'exec.pull_by_arcs' op has arcs that do not take one vertex}}
  exec.pull_by_arcs attributes {names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex, %e: !graph.edge):
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  %found = graph.state "found" : !graph.state<i1, scalar>
  // expected-error @+1 {{'exec.pull_by_arcs' op adds to what is no number}}
  exec.pull_by_arcs %found : !graph.state<i1, scalar> attributes {names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  // expected-error @+1 {{'exec.pull_by_arcs' op has vertices that want no truth value}}
  exec.pull_by_arcs attributes {names = ["u", "e"]} wants {
    graph.yield %v : !graph.vertex
  } arc {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  // expected-error @+1 {{'exec.pull_by_arcs' op ends with the first arc, but does not end early}}
  exec.pull_by_arcs attributes {first_takes, names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  %sum = graph.state "sum" : !graph.state<i32, scalar>
  // expected-error @+1 {{'exec.pull_by_arcs' op may end early, but has sums or something to finish}}
  exec.pull_by_arcs %sum : !graph.state<i32, scalar> attributes {first_only, names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex):
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  // expected-error @+1 {{'exec.pull_by_arcs' op may end early, but has sums or something to finish}}
  exec.pull_by_arcs attributes {first_only, names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex):
  } finish {
    exec.activate plain %v
  }
}

// -----

%all = graph.all_vertices
exec.propagate "propagate" pull %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64} pull {
^bb0(%v: !graph.vertex, %round: i32):
  // expected-error @+1 {{'exec.pull_by_arcs' op has something to write once, but several arcs}}
  exec.pull_by_arcs attributes {first_only, names = ["u", "e"]} wants {
    %yes = graph.constant true -> i1
    graph.yield %yes : i1
  } arc {
  ^bb0(%u: !graph.vertex):
  } found {
    exec.activate plain %v
  }
}

// -----

// exec.close_pairs

graph.algorithm @close attributes {arguments = [{name = "d"}], directedness = "any", source = "x.gdsl"} {
^bb0(%d: !graph.state<i32, per_vertex>):
  // expected-error @+1 {{'exec.close_pairs' op closes a state that has no value for each pair}}
  exec.close_pairs "close" %d : !graph.state<i32, per_vertex> {
  ^bb0(%i: !graph.vertex, %j: !graph.vertex, %k: !graph.vertex):
  }
}

// -----

graph.algorithm @close attributes {arguments = [{name = "d"}], directedness = "any", source = "x.gdsl"} {
^bb0(%d: !graph.state<i32, dense>):
  // expected-error @+1 {{'exec.close_pairs' op has a step that does not take three vertices}}
  exec.close_pairs "close" %d : !graph.state<i32, dense> {
  ^bb0(%i: !graph.vertex, %j: !graph.vertex):
  }
}

// -----

graph.algorithm @close attributes {arguments = [{name = "d"}], directedness = "any", source = "x.gdsl"} {
^bb0(%d: !graph.state<i32, dense>):
  // expected-error @+1 {{'exec.close_pairs' op has a step that is not one update of its own pair}}
  exec.close_pairs "close" %d : !graph.state<i32, dense> {
  ^bb0(%i: !graph.vertex, %j: !graph.vertex, %k: !graph.vertex):
    %x = graph.read %d[%i, %k] : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex) -> i32
    %c = exec.update min plain %d[%j, %i] = %x : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
  }
}

// -----

graph.algorithm @close attributes {arguments = [{name = "d"}], directedness = "any", source = "x.gdsl"} {
^bb0(%d: !graph.state<i32, dense>):
  // expected-error @+1 {{'exec.close_pairs' op has a step that is not one update of its own pair}}
  exec.close_pairs "close" %d : !graph.state<i32, dense> {
  ^bb0(%i: !graph.vertex, %j: !graph.vertex, %k: !graph.vertex):
    %x = graph.read %d[%i, %k] : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex) -> i32
    %c = exec.update min plain %d[%i, %j] = %x : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
    %c2 = exec.update min plain %d[%i, %j] = %x : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
  }
}

// -----

graph.algorithm @close attributes {arguments = [{name = "d"}], directedness = "any", source = "x.gdsl"} {
^bb0(%d: !graph.state<i32, dense>):
  // expected-error @+1 {{'exec.close_pairs' op has a step that reads the state at another pair}}
  exec.close_pairs "close" %d : !graph.state<i32, dense> {
  ^bb0(%i: !graph.vertex, %j: !graph.vertex, %k: !graph.vertex):
    %x = graph.read %d[%j, %k] : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex) -> i32
    %c = exec.update min plain %d[%i, %j] = %x : (!graph.state<i32, dense>, !graph.vertex, !graph.vertex, i32) -> i1
  }
}

// -----

// exec.sweep

graph.algorithm @sweep attributes {arguments = [{name = "levels"}], directedness = "any", source = "x.gdsl"} {
^bb0(%levels: !graph.levels):
  // expected-error @+1 {{'exec.sweep' op has a body that does not take one level}}
  exec.sweep %levels {
  ^bb0(%v: !graph.vertex):
  }
}

// -----

graph.algorithm @sweep attributes {arguments = [{name = "levels"}], directedness = "any", source = "x.gdsl"} {
^bb0(%levels: !graph.levels):
  // expected-error @+1 {{'exec.sweep' op has something else than kernels}}
  exec.sweep %levels {
  ^bb0(%level: !graph.set):
    %size = graph.set_size %level
  }
}

// -----

graph.algorithm @sweep attributes {arguments = [{name = "levels"}], directedness = "any", source = "x.gdsl"} {
^bb0(%levels: !graph.levels):
  %all = graph.all_vertices
  // expected-error @+1 {{'exec.sweep' op has a kernel that does not go over the level}}
  exec.sweep %levels {
  ^bb0(%level: !graph.set):
    exec.parallel "kernel" vertices %all static {
    ^bb0(%v: !graph.vertex):
    }
  }
}

// -----

// exec.device_loop

// expected-error @+1 {{'exec.device_loop' op is not exactly one repeat or while}}
exec.device_loop {
  %one = graph.constant 1 : i64 -> i64
}

// -----

%two = graph.constant 2 : i64 -> i64
// expected-error @+1 {{'exec.device_loop' op is not exactly one repeat or while}}
exec.device_loop {
  graph.repeat %two : i64 {
  ^bb0(%turn: i64):
  }
  graph.repeat %two : i64 {
  ^bb0(%turn: i64):
  }
}

// -----

// exec.asynchronous

%all = graph.all_vertices
// expected-error @+1 {{'exec.asynchronous' op has chunks of 65 vertices, not 8 to 64}}
exec.asynchronous "work" %all attributes {chunk = 65 : i64, delta = 0 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.asynchronous' op has chunks of 7 vertices, not 8 to 64}}
exec.asynchronous "work" %all attributes {chunk = 7 : i64, delta = 0 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.asynchronous' op has a region that does not take one vertex}}
exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 0 : i64} {
^bb0(%u: !graph.vertex, %round: i32):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.asynchronous' op has levels of a width, but no priority}}
exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 4 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%x = graph.state "x" : !graph.state<i32, per_edge>
// expected-error @+1 {{'exec.asynchronous' op is ordered by what is no number of each vertex}}
exec.asynchronous "work" %all by %x : !graph.state<i32, per_edge> attributes {chunk = 64 : i64, delta = 4 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%x = graph.state "x" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.asynchronous' op has levels of a negative width}}
exec.asynchronous "work" %all by %x : !graph.state<i32, per_vertex> attributes {chunk = 64 : i64, delta = -4 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.asynchronous' op takes the greatest first, but has no priority}}
exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 0 : i64, greatest_first} {
^bb0(%u: !graph.vertex):
}

// -----

%all = graph.all_vertices
%x = graph.state "x" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.asynchronous' op takes the least first, but does not update its priority by min}}
exec.asynchronous "work" %all by %x : !graph.state<i32, per_vertex> attributes {chunk = 64 : i64, delta = 4 : i64} {
^bb0(%u: !graph.vertex):
  %one = graph.constant 1 : i32 -> i32
  %n = exec.update max atomic %x[%u] = %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
}

// -----

%all = graph.all_vertices
// expected-error @+1 {{'exec.asynchronous' op has levels of what it does not take}}
exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 0 : i64, levels = 4 : i64} {
^bb0(%u: !graph.vertex):
}

// -----

// exec.take

%all = graph.all_vertices
%x = graph.state "x" : !graph.state<f64, scalar>
%y = graph.state "y" : !graph.state<f64, per_vertex>
exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 0 : i64} {
^bb0(%u: !graph.vertex):
  // expected-error @+1 {{'exec.take' op takes from a state that has no value for each vertex}}
  %t = exec.take atomic %y[%u] to %x : (!graph.state<f64, scalar>, !graph.state<f64, per_vertex>, !graph.vertex) -> f64
}

// -----

%all = graph.all_vertices
%x = graph.state "x" : !graph.state<f64, per_vertex>
%y = graph.state "y" : !graph.state<f32, per_vertex>
exec.asynchronous "work" %all attributes {chunk = 64 : i64, delta = 0 : i64} {
^bb0(%u: !graph.vertex):
  // expected-error @+1 {{'exec.take' op gives a value that is not of the states' type}}
  %t = exec.take atomic %y[%u] to %x : (!graph.state<f64, per_vertex>, !graph.state<f32, per_vertex>, !graph.vertex) -> f64
}

// -----

%all = graph.all_vertices
%x = graph.state "x" : !graph.state<f64, per_vertex>
%y = graph.state "y" : !graph.state<f64, per_vertex>
exec.parallel "work" vertices %all static {
^bb0(%u: !graph.vertex):
  // expected-error @+1 {{'exec.take' op is outside of exec.asynchronous}}
  %t = exec.take atomic %y[%u] to %x : (!graph.state<f64, per_vertex>, !graph.state<f64, per_vertex>, !graph.vertex) -> f64
}

// -----

// exec.buckets, exec.bucket_select

%count = graph.state "count" : !graph.state<i64, scalar>
%degree = graph.state "degree" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.buckets' op keeps the members of what is no set}}
%buckets = exec.buckets "buckets" %count by %degree : !graph.state<i64, scalar>, !graph.state<i32, per_vertex>

// -----

%left = graph.state "left" : !graph.state<!graph.set, scalar>
%rank = graph.state "rank" : !graph.state<f64, per_vertex>
// expected-error @+1 {{'exec.buckets' op goes by what is no integer of each vertex}}
%buckets = exec.buckets "buckets" %left by %rank : !graph.state<!graph.set, scalar>, !graph.state<f64, per_vertex>

// -----

%left = graph.state "left" : !graph.state<!graph.set, scalar>
%degree = graph.state "degree" : !graph.state<i32, per_vertex>
%buckets = exec.buckets "buckets" %left by %degree : !graph.state<!graph.set, scalar>, !graph.state<i32, per_vertex>
%three = graph.constant 3 : i32 -> i32
// expected-error @+1 {{'exec.bucket_select' op selects by gt, not le, lt or eq}}
%some = exec.bucket_select gt %buckets, %three : i32

// -----

// exec.keep_index, exec.index_best

%degree = graph.state "degree" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.keep_index' op is of min, not argmin or argmax}}
%index = exec.keep_index min "least" {
^bb0(%v: !graph.vertex):
  %key = graph.read %degree[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
  exec.contribute %key : i32 for %v : !graph.vertex
}

// -----

// expected-error @+1 {{'exec.keep_index' op has keys of what is not one vertex}}
%index = exec.keep_index argmin "least" {
^bb0(%v: !graph.edge):
}

// -----

// expected-error @+1 {{'exec.keep_index' op does not contribute one key, of its vertex}}
%index = exec.keep_index argmin "least" {
^bb0(%v: !graph.vertex):
}

// -----

%three = graph.constant 3 : i32 -> i32
%index = exec.keep_index argmax "most" {
^bb0(%v: !graph.vertex):
  exec.contribute %three : i32 for %v : !graph.vertex
}
// expected-error @+1 {{'exec.index_best' op is of another type than what the index keeps}}
%best = exec.index_best %index key : i64

// -----

// exec.note_change, exec.reindex_noted

%u = graph.none : !graph.vertex
%three = graph.constant 3 : i32 -> i32
%index = exec.keep_index argmax "most" {
^bb0(%v: !graph.vertex):
  exec.contribute %three : i32 for %v : !graph.vertex
}
// expected-error @+1 {{'exec.note_change' op is outside of exec.parallel and exec.once}}
exec.note_change %index[%u]

// -----

%all = graph.all_vertices
%three = graph.constant 3 : i32 -> i32
%index = exec.keep_index argmax "most" {
^bb0(%v: !graph.vertex):
  exec.contribute %three : i32 for %v : !graph.vertex
}
exec.parallel "step" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.reindex_noted' op is inside of a kernel}}
  exec.reindex_noted %index
}

// -----

// Where operations may stand.

// -----

graph.algorithm @together attributes {arguments = [{name = "x"}, {name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, scalar>, %root: !graph.vertex):
  // expected-error @+1 {{'exec.read_together' op reads a state that has no value for each vertex}}
  %v = exec.read_together (%x) [%root] : (!graph.state<i32, scalar>, !graph.vertex) -> tuple<i32>
}

// -----

graph.algorithm @together attributes {arguments = [{name = "x"}, {name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_vertex>, %root: !graph.vertex):
  // expected-error @+1 {{'exec.read_together' op gives a tuple that is not one of the states' values}}
  %v = exec.read_together (%x) [%root] : (!graph.state<i32, per_vertex>, !graph.vertex) -> tuple<i64>
}

// -----

graph.algorithm @in_frontier attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  // expected-error @+1 {{'exec.in_frontier' op is outside of exec.propagate}}
  %t = exec.in_frontier %root
}

// -----

graph.algorithm @visited attributes {arguments = [{name = "root"}, {name = "levels"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex, %levels: !graph.levels):
  // expected-error @+1 {{'exec.visited_before' op is outside of a loop over kept levels}}
  %t = exec.visited_before %root of %levels
}

// -----

graph.algorithm @once attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_vertex>):
  // expected-error @+1 {{'exec.once' op has a body that takes arguments}}
  exec.once "once" {
  ^bb0(%v: !graph.vertex):
  }
}

// -----

graph.algorithm @component attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_edge>):
  // expected-error @+1 {{'exec.component_min' op takes a state that has no value for each vertex}}
  exec.component_min %x : !graph.state<i32, per_edge>
}

// -----

graph.algorithm @by_target attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_vertex>):
  // expected-error @+1 {{'exec.by_target' op orders a state that has no value for each edge}}
  %y = exec.by_target "y" %x : !graph.state<i32, per_vertex>
}

// -----

graph.algorithm @break attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  // expected-error @+1 {{'exec.break' op is outside of a loop of a kernel}}
  exec.break
}

// -----

graph.algorithm @require attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %t = graph.constant true -> i1
  // expected-error @+1 {{'exec.require' op is outside of a kernel}}
  exec.require %t
}

// -----

graph.algorithm @count_edge attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  // expected-error @+1 {{'exec.count_edge' op is outside of a kernel}}
  exec.count_edge
}

// -----

graph.algorithm @activate attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  // expected-error @+1 {{'exec.activate' op is outside of exec.propagate, exec.ordered and exec.asynchronous}}
  exec.activate atomic %root
}

// -----

graph.algorithm @select attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %t = graph.constant true -> i1
  // expected-error @+1 {{'exec.select' op is not the first of its block}}
  exec.select {
    graph.yield %t : i1
  }
}

// -----

graph.algorithm @select attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  // expected-error @+1 {{'exec.select' op has a condition that yields no truth value}}
  exec.select {
    graph.yield %root : !graph.vertex
  }
}

// -----

graph.algorithm @expect attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_vertex>):
  // expected-error @+1 {{'exec.expect' op is outside of the push of exec.propagate}}
  exec.expect %x : !graph.state<i32, per_vertex>
}

// -----

graph.algorithm @prefetch attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_edge>):
  // expected-error @+1 {{'exec.prefetch' op fetches a state that has no value for each vertex}}
  exec.prefetch %x : !graph.state<i32, per_edge>
}

// -----

graph.algorithm @prefetch_own attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_edge>):
  // expected-error @+1 {{'exec.prefetch_own' op fetches a state that has no value for each vertex}}
  exec.prefetch_own %x : !graph.state<i32, per_edge>
}

// -----

graph.algorithm @prefetch_further attributes {arguments = [{name = "x"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_edge>):
  // expected-error @+1 {{'exec.prefetch_further' op fetches a state that has no value for each vertex}}
  exec.prefetch_further %x : !graph.state<i32, per_edge>
}

// -----

graph.algorithm @prefetch_target attributes {arguments = [{name = "x"}, {name = "e"}], directedness = "any", source = "x.gdsl"} {
^bb0(%x: !graph.state<i32, per_vertex>, %e: !graph.edge):
  // expected-error @+1 {{'exec.prefetch_target' op is outside of a loop over arcs}}
  exec.prefetch_target %x %e : !graph.state<i32, per_vertex>
}

// -----

// expected-error @+1 {{'exec.sides' op has no 'f' in a module @cpu beside it}}
exec.sides "f" on chosen work [1.0, 0.0, 0.0, 0.0]

// -----

module @cpu {
  graph.algorithm @work attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  }
}
module @gpu {
  graph.algorithm @work attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  }
}
// expected-error @+1 {{'exec.sides' op has no four amounts of work}}
exec.sides "work" on chosen work [1.0, -1.0, 0.0, 0.0]

// -----

module @cpu {
  graph.algorithm @over attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  }
}
module @gpu {
  graph.algorithm @over attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  }
}
// expected-error @+1 {{'exec.sides' op is to go over, but has no propagate that does}}
exec.sides "over" on chosen work [1.0, 0.0, 0.0, 0.0] {by_schedule}
