// RUN: %exec_print %s | %FileCheck %s
// RUN: %exec_print %s > %t.cpp && %check_cpp %t.cpp

// Set variables: filters, differences in place, membership; a reduction over a set.
// CHECK: remaining_ = gc::VertexSet<V>::all(graph_.num_vertices());
// CHECK: while (remaining_.size() != 0) {
// CHECK: k_ = std::max<std::int32_t>(k_, least(remaining_));
// CHECK: peel_ = choose(remaining_);
// CHECK: remaining_ -= peel_;
// CHECK: lower(peel_);
// CHECK: return parts.min();
// CHECK: if (remaining.contains(v)) {
// CHECK-NEXT: mine.atomic_add(degree[v], -1);
// The serial form has no threads; the writer of a filter still ends before the set is finished.
// CHECK: class KcoreSerial
// CHECK-NOT: #pragma
// CHECK: gc::VertexSet<V> choose(const gc::VertexSet<V> &remaining) {
// CHECK-NEXT: gc::VertexSetBuilder<V> members(graph_.num_vertices(), remaining.slots());
// CHECK-NEXT: {
// CHECK: kept.push(v);
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return members.finish();
// CHECK-NOT: #pragma
graph.algorithm @kcore attributes {source = "kcore.gdsl", directedness = "undirected", arguments = []} {
  %all = graph.all_vertices
  %zero = graph.constant 0 : i32 -> i32
  %minus = graph.constant -1 : i32 -> i32
  %zerol = graph.constant 0 : i64 -> i64
  %core = graph.state "core" output : !graph.state<i32, per_vertex> init {}
  %degree = graph.state "degree" : !graph.state<i32, per_vertex> init {}
  %remaining = graph.state "remaining" : !graph.state<!graph.set, scalar> init {}
  %k = graph.state "k" : !graph.state<i32, scalar> init {}
  exec.parallel "initialise" vertices %all static attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%core, %v, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    %d = graph.degree both %v
    %c1 = "exec.update"(%degree, %v, %d) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  } loc("kcore.gdsl":3:3)
  %c2 = "exec.update"(%remaining, %all) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.set, scalar>, !graph.set) -> i1 loc("kcore.gdsl":5:3)
  %c3 = "exec.update"(%k, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1 loc("kcore.gdsl":6:3)
  graph.while {
    %s = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %size = graph.set_size %s
    %more = graph.binary ne %size, %zerol : i64 -> i1
    graph.yield %more : i1
  } do {
    %k0 = graph.read %k[] : (!graph.state<i32, scalar>) -> i32
    %s = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %least = exec.reduce min "least" over vertices %s static attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %d = graph.read %degree[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      exec.contribute %d : i32
    } -> i32 loc("kcore.gdsl":9:12)
    %k1 = graph.binary max %k0, %least : i32 -> i32
    %c4 = "exec.update"(%k, %k1) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1 loc("kcore.gdsl":9:5)
    %peel = graph.state "peel" : !graph.state<!graph.set, scalar> init {}
    %s2 = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %chosen = exec.filter "choose" %s2 static attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %d = graph.read %degree[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %kk = graph.read %k[] : (!graph.state<i32, scalar>) -> i32
      %le = graph.binary le %d, %kk : i32 -> i1
      graph.yield %le : i1
    } loc("kcore.gdsl":10:5)
    %c5 = "exec.update"(%peel, %chosen) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.set, scalar>, !graph.set) -> i1 loc("kcore.gdsl":10:5)
    %p = graph.read %peel[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    exec.parallel "set_core" vertices %p static attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %kk = graph.read %k[] : (!graph.state<i32, scalar>) -> i32
      %c6 = "exec.update"(%core, %v, %kk) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    } loc("kcore.gdsl":11:5)
    %s3 = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %p2 = graph.read %peel[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %rest = graph.set_algebra difference %s3, %p2
    %c7 = "exec.update"(%remaining, %rest) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.set, scalar>, !graph.set) -> i1 loc("kcore.gdsl":12:5)
    %p3 = graph.read %peel[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    exec.parallel "lower" vertices %p3 dynamic attributes {names = ["u"]} {
    ^bb0(%u: !graph.vertex):
      exec.for either %u : !graph.vertex attributes {names = ["v"]} {
      ^bb0(%v: !graph.vertex, %e: !graph.edge):
        %r = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
        %in = graph.contains %r, %v
        graph.if %in {
          %c8 = "exec.update"(%degree, %v, %minus) <{kind = 1 : i32, sync = 1 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        }
      }
    } loc("kcore.gdsl":13:5)
  }
}
graph.algorithm @kcore_serial attributes {serial_of = @kcore, source = "kcore.gdsl", directedness = "undirected", arguments = []} {
  %all = graph.all_vertices
  %zero = graph.constant 0 : i32 -> i32
  %minus = graph.constant -1 : i32 -> i32
  %zerol = graph.constant 0 : i64 -> i64
  %core = graph.state "core" output : !graph.state<i32, per_vertex> init {}
  %degree = graph.state "degree" : !graph.state<i32, per_vertex> init {}
  %remaining = graph.state "remaining" : !graph.state<!graph.set, scalar> init {}
  %k = graph.state "k" : !graph.state<i32, scalar> init {}
  exec.parallel "initialise" vertices %all serial attributes {names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %c0 = "exec.update"(%core, %v, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    %d = graph.degree both %v
    %c1 = "exec.update"(%degree, %v, %d) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  } loc("kcore.gdsl":3:3)
  %c2 = "exec.update"(%remaining, %all) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.set, scalar>, !graph.set) -> i1 loc("kcore.gdsl":5:3)
  %c3 = "exec.update"(%k, %zero) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1 loc("kcore.gdsl":6:3)
  graph.while {
    %s = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %size = graph.set_size %s
    %more = graph.binary ne %size, %zerol : i64 -> i1
    graph.yield %more : i1
  } do {
    %k0 = graph.read %k[] : (!graph.state<i32, scalar>) -> i32
    %s = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %least = exec.reduce min "least" over vertices %s serial attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %d = graph.read %degree[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      exec.contribute %d : i32
    } -> i32 loc("kcore.gdsl":9:12)
    %k1 = graph.binary max %k0, %least : i32 -> i32
    %c4 = "exec.update"(%k, %k1) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, scalar>, i32) -> i1 loc("kcore.gdsl":9:5)
    %peel = graph.state "peel" : !graph.state<!graph.set, scalar> init {}
    %s2 = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %chosen = exec.filter "choose" %s2 serial attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %d = graph.read %degree[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %kk = graph.read %k[] : (!graph.state<i32, scalar>) -> i32
      %le = graph.binary le %d, %kk : i32 -> i1
      graph.yield %le : i1
    } loc("kcore.gdsl":10:5)
    %c5 = "exec.update"(%peel, %chosen) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.set, scalar>, !graph.set) -> i1 loc("kcore.gdsl":10:5)
    %p = graph.read %peel[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    exec.parallel "set_core" vertices %p serial attributes {names = ["v"]} {
    ^bb0(%v: !graph.vertex):
      %kk = graph.read %k[] : (!graph.state<i32, scalar>) -> i32
      %c6 = "exec.update"(%core, %v, %kk) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    } loc("kcore.gdsl":11:5)
    %s3 = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %p2 = graph.read %peel[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    %rest = graph.set_algebra difference %s3, %p2
    %c7 = "exec.update"(%remaining, %rest) <{kind = 0 : i32, sync = 0 : i32}> : (!graph.state<!graph.set, scalar>, !graph.set) -> i1 loc("kcore.gdsl":12:5)
    %p3 = graph.read %peel[] : (!graph.state<!graph.set, scalar>) -> !graph.set
    exec.parallel "lower" vertices %p3 serial attributes {names = ["u"]} {
    ^bb0(%u: !graph.vertex):
      exec.for either %u : !graph.vertex attributes {names = ["v"]} {
      ^bb0(%v: !graph.vertex, %e: !graph.edge):
        %r = graph.read %remaining[] : (!graph.state<!graph.set, scalar>) -> !graph.set
        %in = graph.contains %r, %v
        graph.if %in {
          %c8 = "exec.update"(%degree, %v, %minus) <{kind = 1 : i32, sync = 0 : i32}> : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
        }
      }
    } loc("kcore.gdsl":13:5)
  }
}
