// RUN: %gdsl-opt %s --split-input-file --verify-diagnostics
// One case for each message of ir/exec/ExecCopyVerifiers.cpp, in the order of that file.

%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.touch_copy' op is outside of a kernel}}
exec.touch_copy %v : !graph.vertex

// -----

%all = graph.all_vertices
%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%zero = graph.constant 0 : i32 -> i32
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.reset_copies' op is inside of a kernel}}
  exec.reset_copies %depth = %zero : !graph.state<i32, per_vertex>, i32
}

// -----

%count = graph.state "count" : !graph.state<i32, scalar>
%zero = graph.constant 0 : i32 -> i32
// expected-error @+1 {{'exec.reset_copies' op resets a state that has no value for each vertex or edge}}
exec.reset_copies %count = %zero : !graph.state<i32, scalar>, i32

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%zero = graph.constant 0 : i64 -> i64
// expected-error @+1 {{'exec.reset_copies' op resets a state to a value of another type}}
exec.reset_copies %depth = %zero : !graph.state<i32, per_vertex>, i64

// -----

%all = graph.all_vertices
%depth = graph.state "depth" : !graph.state<i32, per_vertex>
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.reduce_to_owner' op is inside of a kernel}}
  exec.reduce_to_owner min %depth : !graph.state<i32, per_vertex>
}

// -----

%count = graph.state "count" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.reduce_to_owner' op sends a state that has no value for each vertex or edge}}
exec.reduce_to_owner add %count : !graph.state<i32, scalar>

// -----

%load = graph.state "load" : !graph.state<i32, per_edge>
%zero = graph.constant 0 : i32 -> i32
// expected-error @+1 {{'exec.reduce_to_owner' op claims or compares edges, or activates vertices with them}}
exec.reduce_to_owner assign %load from %zero : i32 : !graph.state<i32, per_edge>

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%zero = graph.constant 0 : i64 -> i64
// expected-error @+1 {{'exec.reduce_to_owner' op has a value of another type than its state}}
exec.reduce_to_owner add %depth neutral %zero : i64 : !graph.state<i32, per_vertex>

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%zero = graph.constant 0 : i32 -> i32
// expected-error @+1 {{'exec.reduce_to_owner' op claims without assigning}}
exec.reduce_to_owner min %depth from %zero : i32 : !graph.state<i32, per_vertex>

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%other = graph.state "other" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.reduce_to_owner' op sends further states, but neither claims nor compares them}}
exec.reduce_to_owner add %depth with %other : !graph.state<i32, per_vertex> : !graph.state<i32, per_vertex>

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.reduce_to_owner' op activates vertices, but is in no exchange}}
exec.reduce_to_owner min %depth activating : !graph.state<i32, per_vertex>

// -----

// expected-error @+1 {{'exec.activate_owners' op is not in the exchange of a propagate}}
exec.activate_owners

// -----

%count = graph.state "count" : !graph.state<i32, array>
%all = graph.all_vertices
%zero = graph.constant 0 : i32 -> i32
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.start_parts' op is inside of a kernel}}
  exec.start_parts %count = %zero : !graph.state<i32, array>, i32
}

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%zero = graph.constant 0 : i32 -> i32
// expected-error @+1 {{'exec.start_parts' op starts a state that is no array, or with a value of another type}}
exec.start_parts %depth = %zero : !graph.state<i32, per_vertex>, i32

// -----

%count = graph.state "count" : !graph.state<i32, array>
%all = graph.all_vertices
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.combine_parts' op is inside of a kernel}}
  exec.combine_parts add %count : !graph.state<i32, array>
}

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.combine_parts' op combines a state that is no array}}
exec.combine_parts add %depth : !graph.state<i32, per_vertex>

// -----

%count = graph.state "count" : !graph.state<i32, array>
// expected-error @+1 {{'exec.combine_parts' op combines by an assignment}}
exec.combine_parts assign %count : !graph.state<i32, array>

// -----

%all = graph.all_vertices
%depth = graph.state "depth" : !graph.state<i32, per_vertex>
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.owner_value' op is inside of a kernel}}
  %value = exec.owner_value %depth[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
}

// -----

%count = graph.state "count" : !graph.state<i32, scalar>
%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.owner_value' op asks for a state that has no value for each vertex, or with a column for each pair}}
%value = exec.owner_value %count[%v] : (!graph.state<i32, scalar>, !graph.vertex) -> i32

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.owner_value' op gives a value of another type than its state}}
%value = exec.owner_value %depth[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i64

// -----

%all = graph.all_vertices
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.owner_computes' op is inside of a kernel}}
  %edge = exec.owner_computes %v : !graph.vertex {
    %found = graph.edge_between %v, %v
    graph.yield %found : !graph.edge
  } -> !graph.edge
}

// -----

%v = graph.none : !graph.vertex
// expected-error @+1 {{'exec.owner_computes' op does not give the value that it yields}}
%edge = exec.owner_computes %v : !graph.vertex {
  graph.yield %v : !graph.vertex
} -> !graph.edge

// -----

%all = graph.all_vertices
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.require_vertex' op is inside of a kernel}}
  exec.require_vertex %v
}

// -----

%all = graph.all_vertices
%depth = graph.state "depth" : !graph.state<i32, per_vertex>
exec.parallel "kernel" vertices %all static {
^bb0(%v: !graph.vertex):
  // expected-error @+1 {{'exec.give_to_copies' op is inside of a kernel}}
  exec.give_to_copies %depth : !graph.state<i32, per_vertex>
}

// -----

%some = graph.state "some" : !graph.state<!graph.set, scalar>
// expected-error @+1 {{'exec.give_to_copies' op gives a set to parts that hold no copies}}
exec.give_to_copies %some everywhere : !graph.state<!graph.set, scalar>

// -----

%count = graph.state "count" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.give_to_copies' op gives a state that is neither a set nor has a value for each vertex or edge}}
exec.give_to_copies %count : !graph.state<i32, scalar>

// -----

%depth = graph.state "depth" : !graph.state<i32, per_vertex>
// expected-error @+1 {{'exec.give_active' op is not in the exchange of a propagate}}
exec.give_active %depth : !graph.state<i32, per_vertex>

// -----

%all = graph.all_vertices
%depth = graph.state "depth" : !graph.state<i32, per_vertex>
exec.propagate "pushes" push %all serial attributes {alpha = 15.0, beta = 18.0} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate plain %u
} exchange {
  // expected-error @+1 {{'exec.give_active' op is for rounds that pull, of which there are none}}
  exec.give_active %depth : !graph.state<i32, per_vertex>
}

// -----

%all = graph.all_vertices
%depth = graph.state "depth" : !graph.state<i32, per_vertex>
exec.propagate "pushes" push %all serial attributes {alpha = 15.0, beta = 18.0} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate plain %u
} exchange {
  // expected-error @+1 {{'exec.give_active' op is for both kinds of copies}}
  exec.give_active %depth each_round of_lists : !graph.state<i32, per_vertex>
}

// -----

%sum = graph.state "sum" : !graph.state<i32, per_vertex>
%zero = graph.constant 0 : i32 -> i32
// expected-error @+1 {{'exec.reduce_to_owner' op sends all copies, but does more than combine values of vertices}}
exec.reduce_to_owner add %sum neutral %zero : i32 of_lists : !graph.state<i32, per_vertex>

// -----

%all = graph.all_vertices
%count = graph.state "count" : !graph.state<i32, scalar>
exec.propagate "pulls" hybrid %all serial attributes {alpha = 15.0, beta = 18.0} push {
^bb0(%u: !graph.vertex, %round: i32):
  exec.activate plain %u
} pull {
^bb0(%v: !graph.vertex, %round: i32):
  exec.activate plain %v
} exchange {
  // expected-error @+1 {{'exec.give_active' op gives a state that has no value for each vertex}}
  exec.give_active %count : !graph.state<i32, scalar>
}

// -----

%count = graph.state "count" : !graph.state<i32, scalar>
// expected-error @+1 {{'exec.resume' op is in front of no statement of rounds}}
exec.resume 0 %count : !graph.state<i32, scalar>

// -----

%n = graph.constant 3 : i32 -> i32
graph.repeat %n : i32 {
  // expected-error @+1 {{'exec.resume' op is inside of a loop}}
  exec.resume 0
  graph.repeat %n : i32 {
  } until {
  }
} until {
}
