// RUN: %gdsl-opt %s --split-input-file --exec-mark-round-independence | %FileCheck %s
// Pushes that would do the same if the writes of earlier rounds were seen late.

// The parent is claimed alone, what follows is the winner's, and the counts are atomic sums that nobody reads. The
// weights are not written.
// CHECK-LABEL: @claims
// CHECK: exec.propagate {{.*}}claim_activates{{.*}}round_independent
graph.algorithm @claims attributes {arguments = [{column, name = "weight"}], directedness = "any", source = "x.gdsl"} {
^bb0(%weight: !graph.state<i32, per_edge>):
  %parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
  %depth = graph.state "depth" : !graph.state<i32, per_vertex>
  %count = graph.state "count" : !graph.state<i32, per_vertex>
  %total = graph.state "total" : !graph.state<i64, scalar>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %w = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      %none = graph.none : !graph.vertex
      %won = exec.claim atomic %parent[%v] %none to %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex, !graph.vertex) -> i1
      graph.if %won {
        exec.activate atomic %v
        %a = exec.update assign plain %depth[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        %heavy = graph.binary lt %round, %w : i32 -> i1
        graph.if %heavy {
          %b = exec.update add plain %depth[%v] = %w : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        }
      }
      %c = exec.update add atomic %count[%v] = %w : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      %one = graph.constant 1 : i64 -> i64
      %d = exec.update add atomic %total[] = %one : (!graph.state<i64, scalar>, i64) -> i1
    }
  }
}

// -----

// Reads what its own claims change: the label of an active vertex.
// CHECK-LABEL: @passes_on
// CHECK-NOT: round_independent
graph.algorithm @passes_on attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %label = graph.state "label" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %zero = graph.constant 0 : i32 -> i32
      %a = graph.read %label[%u] relaxed : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %won = exec.claim atomic %label[%v] %zero to %a : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
    }
  }
}

// -----

// Reads what the winners of earlier rounds have stored.
// CHECK-LABEL: @counts_up
// CHECK-NOT: round_independent
graph.algorithm @counts_up attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
  %depth = graph.state "depth" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %none = graph.none : !graph.vertex
      %won = exec.claim atomic %parent[%v] %none to %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex, !graph.vertex) -> i1
      graph.if %won {
        exec.activate atomic %v
        %d = graph.read %depth[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %a = exec.update assign plain %depth[%v] = %d : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      }
    }
  }
}

// -----

// Reads a scalar that it adds to.
// CHECK-LABEL: @scalar
// CHECK-NOT: round_independent
graph.algorithm @scalar attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %seen = graph.state "seen" : !graph.state<i1, per_vertex>
  %total = graph.state "total" : !graph.state<i32, scalar>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %so_far = graph.read %total[] relaxed : (!graph.state<i32, scalar>) -> i32
      %few = graph.binary lt %so_far, %round : i32 -> i1
      graph.if %few {
        %false = graph.constant false -> i1
        %true = graph.constant true -> i1
        %won = exec.claim atomic %seen[%v] %false to %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1, i1) -> i1
        graph.if %won {
          exec.activate atomic %v
          %a = exec.update add atomic %total[] = %round : (!graph.state<i32, scalar>, i32) -> i1
        }
      }
    }
  }
}

// -----

// Stores that no claim precedes: a later round's may be overtaken by an earlier one's.
// CHECK-LABEL: @last_round
// CHECK-NOT: round_independent
graph.algorithm @last_round attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %seen = graph.state "seen" : !graph.state<i1, per_vertex>
  %last = graph.state "last" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %a = exec.update assign relaxed %last[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      %false = graph.constant false -> i1
      %true = graph.constant true -> i1
      %won = exec.claim atomic %seen[%v] %false to %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1, i1) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
    }
  }
}

// -----

// A store after a claim, but to another vertex: winners of several rounds store there.
// CHECK-LABEL: @children
// CHECK-NOT: round_independent
graph.algorithm @children attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
  %child = graph.state "child" : !graph.state<!graph.vertex, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %none = graph.none : !graph.vertex
      %won = exec.claim atomic %parent[%v] %none to %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex, !graph.vertex) -> i1
      graph.if %won {
        exec.activate atomic %v
        %a = exec.update assign relaxed %child[%u] = %v : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
      }
    }
  }
}

// -----

// Two claims of one state: the second waits for what the first writes in an earlier round.
// CHECK-LABEL: @two_claims
// CHECK-NOT: round_independent
graph.algorithm @two_claims attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %stage = graph.state "stage" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %zero = graph.constant 0 : i32 -> i32
      %one = graph.constant 1 : i32 -> i32
      %two = graph.constant 2 : i32 -> i32
      %second = exec.claim atomic %stage[%v] %one to %two : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
      %first = exec.claim atomic %stage[%v] %zero to %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
      graph.if %first {
        exec.activate atomic %v
      }
    }
  }
}

// -----

// Which atomic operation comes first matters: two kinds, or a result that is used.
// CHECK-LABEL: @in_order
// CHECK-NOT: round_independent
graph.algorithm @in_order attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %x = graph.state "x" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "kinds" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %a = exec.update add atomic %x[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      %b = exec.update min atomic %x[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    }
  }
  exec.propagate "result" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %a = exec.update min atomic %x[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      graph.if %a {
        exec.activate atomic %v
      }
    }
  }
}

// -----

// The same push in propagates that themselves need what is written in the round before.
// CHECK-LABEL: @rounds
// CHECK: exec.propagate "alone" {{.*}}round_independent
// CHECK-NOT: round_independent
graph.algorithm @rounds attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %seen = graph.state "seen" : !graph.state<i1, per_vertex>
  %copy = graph.state "copy" : !graph.state<i1, per_vertex>
  %all = graph.all_vertices
  exec.propagate "alone" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %false = graph.constant false -> i1
      %true = graph.constant true -> i1
      %won = exec.claim atomic %seen[%v] %false to %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1, i1) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
    }
  }
  exec.propagate "commits" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %false = graph.constant false -> i1
      %true = graph.constant true -> i1
      %won = exec.claim atomic %seen[%v] %false to %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1, i1) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
    }
  } commit {
  ^bb0(%v: !graph.vertex, %round: i32):
    %true = graph.constant true -> i1
    %a = exec.update assign plain %copy[%v] = %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> i1
  }
  exec.propagate "once" push %all dynamic dedup attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %false = graph.constant false -> i1
      %true = graph.constant true -> i1
      %won = exec.claim atomic %seen[%v] %false to %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1, i1) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
    }
  }
  %levels = exec.propagate "keeps" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %false = graph.constant false -> i1
      %true = graph.constant true -> i1
      %won = exec.claim atomic %seen[%v] %false to %true : (!graph.state<i1, per_vertex>, !graph.vertex, i1, i1) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
    }
  } levels !graph.levels
}

// -----

// A vertex that is claimed is not always activated: its bit in the next frontier does not say that it is claimed.
// CHECK-LABEL: @some_of_them
// CHECK-NOT: claim_activates
// CHECK: exec.propagate {{.*}}round_independent
// CHECK-NOT: claim_activates
graph.algorithm @some_of_them attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %seen = graph.state "seen" : !graph.state<i32, per_vertex>
  %other = graph.state "other" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %zero = graph.constant 0 : i32 -> i32
      %won = exec.claim atomic %seen[%v] %zero to %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
      graph.if %won {
        %far = graph.binary lt %zero, %round : i32 -> i1
        graph.if %far {
          exec.activate atomic %v
        }
      }
    }
  }
}

// -----

// The one that wins activates another vertex.
// CHECK-LABEL: @its_source
// CHECK-NOT: claim_activates
// CHECK: exec.propagate {{.*}}round_independent
// CHECK-NOT: claim_activates
graph.algorithm @its_source attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %seen = graph.state "seen" : !graph.state<i32, per_vertex>
  %other = graph.state "other" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %zero = graph.constant 0 : i32 -> i32
      %won = exec.claim atomic %seen[%v] %zero to %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
      graph.if %won {
        exec.activate atomic %u
      }
    }
  }
}

// -----

// Two claims: a vertex that the one has activated may be open for the other.
// CHECK-LABEL: @two_claims
// CHECK-NOT: claim_activates
// CHECK: exec.propagate {{.*}}round_independent
// CHECK-NOT: claim_activates
graph.algorithm @two_claims attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %seen = graph.state "seen" : !graph.state<i32, per_vertex>
  %other = graph.state "other" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.propagate "propagate" push %all dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %zero = graph.constant 0 : i32 -> i32
      %won = exec.claim atomic %seen[%v] %zero to %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
      graph.if %won {
        exec.activate atomic %v
      }
      %first = exec.claim atomic %other[%v] %zero to %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32, i32) -> i1
    }
  }
}
