// RUN: %gdsl-opt %s --split-input-file --verify-diagnostics
// What the attribute of a directive, or of a schedule, cannot hold.

// expected-error @+1 {{there is no directive 'sideways'}}
module attributes {a = #graph.directive<cpu "" sideways at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'gather' has no value 'warp'}}
module attributes {a = #graph.directive<cpu "" gather warp at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'asynchronous' does not stand in the section 'cuda'}}
module attributes {a = #graph.directive<cuda "" asynchronous at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'direction' has the wrong number of values}}
module attributes {a = #graph.directive<cpu "" direction push + pull at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'gather' has the wrong number of values}}
module attributes {a = #graph.directive<cuda "" gather scan + warp at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'push' has no option 'alpha'}}
module attributes {a = #graph.directive<cpu "" direction push {alpha = 2.0} at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'asynchronous' has no option 'shift'}}
module attributes {a = #graph.directive<cpu "" asynchronous {shift = 2 : i64} at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'chunk' takes a whole number from 8 to 64}}
module attributes {a = #graph.directive<cpu "" asynchronous {chunk = 65 : i64} at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'alpha' takes a positive number}}
module attributes {a = #graph.directive<cpu "" direction hybrid {alpha = 2 : i64} at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{'size' takes a power of two up to 128}}
module attributes {a = #graph.directive<cuda "" cull warp {size = 48 : i64} at loc("x.gdsl":1:1)>} {}

// -----

// expected-error @+1 {{the schedule decides 'order' twice}}
module attributes {a = #graph.schedule<[<cpu "" asynchronous at loc("x.gdsl":1:1)>, <cpu "" ordered obim at loc("x.gdsl":2:1)>]>} {}
