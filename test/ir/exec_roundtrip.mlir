// RUN: %gdsl-opt %s | %gdsl-opt | %FileCheck %s
// What is printed is read again: operations that passes make, in small programs.

// CHECK-LABEL: @pulls
// CHECK: exec.propagate "propagate" hybrid %{{.*}} dynamic attributes
// CHECK-SAME: round_independent
// CHECK: push {
// CHECK-NEXT: ^bb0(%{{.*}}: !graph.vertex, %{{.*}}: i32):
// CHECK-NEXT: exec.expect %[[PARENT:.*]] : !graph.state<!graph.vertex, per_vertex>
// CHECK: exec.claim atomic %[[PARENT]][
// CHECK: } pull {
// CHECK: exec.pull_by_arcs attributes {first_only, first_takes, names = ["u", "e"]} wants {
// CHECK: graph.yield %{{.*}} : i1
// CHECK-NEXT: } arc {
// CHECK-NEXT: ^bb0(%[[U:.*]]: !graph.vertex):
// CHECK-NEXT: exec.update assign plain %[[PARENT]][%{{.*}}] = %[[U]]
// CHECK-NEXT: exec.activate plain
// CHECK-NEXT: exec.break
// CHECK-NEXT: } found {
// CHECK-NEXT: exec.update assign plain %{{.*}} = %{{.*}} : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
// CHECK-NEXT: }
graph.algorithm @pulls attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %parent = graph.state "parent" : !graph.state<!graph.vertex, per_vertex>
  %depth = graph.state "depth" : !graph.state<i32, per_vertex>
  %first = graph.set_of[%root]
  exec.propagate "propagate" hybrid %first dynamic attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"], round_independent} push {
  ^bb0(%u: !graph.vertex, %round: i32):
    exec.expect %parent : !graph.state<!graph.vertex, per_vertex>
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %none = graph.none : !graph.vertex
      %won = exec.claim atomic %parent[%v] %none to %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex, !graph.vertex) -> i1
      graph.if %won {
        exec.activate atomic %v
        %a = exec.update assign plain %depth[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      }
    }
  } pull {
  ^bb0(%v: !graph.vertex, %round: i32):
    exec.pull_by_arcs attributes {first_only, first_takes, names = ["u", "e"]} wants {
      %now = graph.read %parent[%v] : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex) -> !graph.vertex
      %none = graph.none : !graph.vertex
      %wants = graph.binary eq %now, %none : !graph.vertex -> i1
      graph.yield %wants : i1
    } arc {
    ^bb0(%u: !graph.vertex):
      %a = exec.update assign plain %parent[%v] = %u : (!graph.state<!graph.vertex, per_vertex>, !graph.vertex, !graph.vertex) -> i1
      exec.activate plain %v
      exec.break
    } found {
      %a = exec.update assign plain %depth[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
    }
  }
}

// A pull with a sum, which is written at the end.
// CHECK-LABEL: @sums
// CHECK: %[[LEVELS:.*]] = exec.propagate "propagate" pull
// CHECK: exec.pull_by_arcs %[[SUM:.*]] : !graph.state<f64, scalar> attributes {names = ["u", "e"]} wants {
// CHECK: } arc {
// CHECK: exec.update add plain %[[SUM]][]
// CHECK: } finish {
// CHECK: exec.update add relaxed
// CHECK: } commit {
// CHECK: } levels !graph.levels
// CHECK: exec.sweep %[[LEVELS]] reversed {
// CHECK-NEXT: ^bb0(%[[LEVEL:.*]]: !graph.set):
// CHECK-NEXT: exec.parallel "update" vertices %[[LEVEL]] dynamic attributes {by_lanes,
// CHECK: exec.batch_for out_of %{{.*}} into %[[OWN:.*]] : !graph.state<f64, scalar> attributes {level_bits, names = ["v"]} where {
// CHECK: graph.yield %{{.*}} : i1
// CHECK-NEXT: } value {
// CHECK: graph.yield %{{.*}} : f64
// CHECK-NEXT: }
// CHECK: exec.parallel "update_from_next" vertices %[[LEVEL]] dynamic attributes {{.*}}over_previous, turned
// CHECK: exec.batch_for into %{{.*}} attributes {names = ["u"]} take {
// CHECK: exec.update add atomic
graph.algorithm @sums attributes {arguments = [{name = "root"}], directedness = "any", source = "x.gdsl"} {
^bb0(%root: !graph.vertex):
  %depth = graph.state "depth" : !graph.state<i32, per_vertex>
  %paths = graph.state "paths" : !graph.state<f64, per_vertex>
  %first = graph.set_of[%root]
  %levels = exec.propagate "propagate" pull %first dynamic dedup attributes {alpha = 15.0 : f64, beta = 18.0 : f64, names = ["u", "v"]} pull {
  ^bb0(%v: !graph.vertex, %round: i32):
    %sum = graph.state "sum" : !graph.state<f64, scalar>
    exec.pull_by_arcs %sum : !graph.state<f64, scalar> attributes {names = ["u", "e"]} wants {
      %now = graph.read %depth[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %inf = graph.inf : i32
      %wants = graph.binary eq %now, %inf : i32 -> i1
      graph.yield %wants : i1
    } arc {
    ^bb0(%u: !graph.vertex):
      exec.activate plain %v
      %one = graph.read %paths[%u] relaxed : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
      %a = exec.update add plain %sum[] = %one : (!graph.state<f64, scalar>, f64) -> i1
    } finish {
      %all = graph.read %sum[] : (!graph.state<f64, scalar>) -> f64
      %a = exec.update add relaxed %paths[%v] = %all : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
    }
  } commit {
  ^bb0(%v: !graph.vertex, %round: i32):
    %a = exec.update assign plain %depth[%v] = %round : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  } levels !graph.levels
  exec.sweep %levels reversed {
  ^bb0(%level: !graph.set):
    exec.parallel "update" vertices %level dynamic attributes {by_lanes, from_next_level, level_bits, names = ["u"]} {
    ^bb0(%u: !graph.vertex):
      %sum = graph.state "sum" : !graph.state<f64, scalar>
      %own = graph.read %depth[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      exec.batch_for out_of %u into %sum : !graph.state<f64, scalar> attributes {level_bits, names = ["v"]} where {
      ^bb0(%v: !graph.vertex):
        %other = graph.read %depth[%v] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        %next = graph.binary lt %own, %other {next_level} : i32 -> i1
        graph.yield %next : i1
      } value {
      ^bb0(%v: !graph.vertex):
        %value = graph.read %paths[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
        graph.yield %value : f64
      }
    }
    exec.parallel "update_from_next" vertices %level dynamic attributes {by_lanes, names = ["v"], over_previous, turned} {
    ^bb0(%v: !graph.vertex):
      %value = graph.read %paths[%v] : (!graph.state<f64, per_vertex>, !graph.vertex) -> f64
      exec.batch_for into %v attributes {names = ["u"]} take {
      ^bb0(%u: !graph.vertex):
        %a = exec.update add atomic %paths[%u] = %value : (!graph.state<f64, per_vertex>, !graph.vertex, f64) -> i1
      }
    }
  }
}

// A kernel of which some vertices have lists to walk.
// CHECK-LABEL: @asks
// CHECK: exec.asked_lists asks {
// CHECK-NEXT: graph.read
// CHECK: graph.yield %{{.*}} : i1
// CHECK-NEXT: } lists {
// CHECK-NEXT: exec.for out_of %[[V:.*]] : !graph.vertex
// CHECK: } rest {
// CHECK-NEXT: graph.constant
// CHECK-NEXT: exec.update assign plain %{{.*}}[%[[V]]]
graph.algorithm @asks attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %some = graph.state "some" : !graph.state<i1, per_vertex>
  %count = graph.state "count" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.parallel "update" vertices %all dynamic attributes {by_lanes, names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    exec.asked_lists asks {
      %has = graph.read %some[%v] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
      graph.yield %has : i1
    } lists {
      exec.for out_of %v : !graph.vertex attributes {names = ["u", "e"], shared} {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %one = graph.constant 1 : i32 -> i32
        %a = exec.update add atomic %count[%u] = %one : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
      }
    } rest {
      %no = graph.constant false -> i1
      %a = exec.update assign plain %some[%v] = %no : (!graph.state<i1, per_vertex>, !graph.vertex, i1) -> i1
    }
  }
}

// A search of which lanes evaluate several edges at once.
// CHECK-LABEL: @compares
// CHECK: exec.reduce max serial attributes {combined} {
// CHECK-NEXT: exec.best_for into %[[V:.*]] attributes {names = ["u", "e"]} where {
// CHECK: graph.yield %{{.*}} : i1
// CHECK-NEXT: } value {
// CHECK: graph.yield %{{.*}} : i32
// CHECK-NEXT: } take {
// CHECK-NEXT: ^bb0(%{{.*}}: !graph.vertex, %{{.*}}: !graph.edge, %[[KEY:.*]]: i32):
// CHECK-NEXT: exec.contribute %[[KEY]] : i32
graph.algorithm @compares attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %some = graph.state "some" : !graph.state<i1, per_vertex>
  %level = graph.state "level" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.parallel "update" vertices %all dynamic attributes {by_lanes, names = ["v"]} {
  ^bb0(%v: !graph.vertex):
    %best = exec.reduce max serial attributes {combined} {
      exec.best_for into %v attributes {names = ["u", "e"]} where {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %has = graph.read %some[%u] : (!graph.state<i1, per_vertex>, !graph.vertex) -> i1
        graph.yield %has : i1
      } value {
      ^bb0(%u: !graph.vertex, %e: !graph.edge):
        %key = graph.read %level[%u] : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
        graph.yield %key : i32
      } take {
      ^bb0(%u: !graph.vertex, %e: !graph.edge, %key: i32):
        exec.contribute %key : i32
      }
    } -> i32
    %a = exec.update assign plain %level[%v] = %best {leader} : (!graph.state<i32, per_vertex>, !graph.vertex, i32) -> i1
  }
}

// CHECK-LABEL: @relaxes
// CHECK: exec.ordered "relax" %{{.*}} by %[[DISTANCE:.*]] : <i32, per_vertex> dynamic attributes {delta = 0 : i64, grows_by = 0 : i64, names = ["u"], split} {
// CHECK: exec.for out_of
// CHECK-NEXT: ^bb0(%[[V:.*]]: !graph.vertex, %{{.*}}: !graph.edge):
// CHECK: exec.require %{{[a-z0-9]+$}}
// CHECK: exec.relax %{{.*}} to %[[V]] : i32
graph.algorithm @relaxes attributes {arguments = [{column, name = "weight"}], directedness = "any", source = "x.gdsl"} {
^bb0(%weight: !graph.state<i32, per_edge>):
  %distance = graph.state "distance" : !graph.state<i32, per_vertex>
  %all = graph.all_vertices
  exec.ordered "relax" %all by %distance : !graph.state<i32, per_vertex> dynamic attributes {delta = 0 : i64, grows_by = 0 : i64, names = ["u"], split} {
  ^bb0(%u: !graph.vertex):
    exec.for out_of %u : !graph.vertex attributes {names = ["v", "e"]} {
    ^bb0(%v: !graph.vertex, %e: !graph.edge):
      %own = graph.read %distance[%u] relaxed : (!graph.state<i32, per_vertex>, !graph.vertex) -> i32
      %w = graph.read %weight[%e] : (!graph.state<i32, per_edge>, !graph.edge) -> i32
      %short = graph.binary lt %w, %own : i32 -> i1
      exec.require %short
      %through = graph.binary add %own, %w absorbing : i32 -> i32
      exec.relax %through to %v : i32
    }
  }
}

// CHECK-LABEL: @widens
// CHECK: exec.ordered {{.*}} {delta = 3 : i64, greatest_first}
// CHECK: exec.asynchronous {{.*}} {chunk = 16 : i64, delta = 3 : i64, greatest_first}
graph.algorithm @widens attributes {arguments = [], directedness = "any", source = "x.gdsl"} {
  %width = graph.state "width" : !graph.state<i64, per_vertex>
  %all = graph.all_vertices
  exec.ordered "relax" %all by %width : !graph.state<i64, per_vertex> dynamic attributes {delta = 3 : i64, greatest_first} {
  ^bb0(%u: !graph.vertex):
    %one = graph.constant 1 : i64 -> i64
    %n = exec.update max atomic %width[%u] = %one : (!graph.state<i64, per_vertex>, !graph.vertex, i64) -> i1
  }
  exec.asynchronous "again" %all by %width : !graph.state<i64, per_vertex> attributes {chunk = 16 : i64, delta = 3 : i64, greatest_first} {
  ^bb0(%u: !graph.vertex):
    exec.activate atomic %u
  }
}

// CHECK-LABEL: @sets
// CHECK: graph.set_of[]
// CHECK-NEXT: graph.set_of[%{{.*}}]
// CHECK-NEXT: graph.set_of[%{{.*}}, %{{.*}}]
graph.algorithm @sets attributes {arguments = [{name = "a"}, {name = "b"}], directedness = "any", source = "x.gdsl"} {
^bb0(%a: !graph.vertex, %b: !graph.vertex):
  %none = graph.set_of[]
  %one = graph.set_of[%a]
  %two = graph.set_of[%a, %b]
}

// CHECK-LABEL: @loops
// CHECK: exec.device_loop on device attributes {by_sets} {
// CHECK-NEXT: graph.repeat
// CHECK: exec.device_loop {
// CHECK-NEXT: graph.while {
graph.algorithm @loops attributes {arguments = [{name = "some"}, {name = "more"}], directedness = "any", source = "x.gdsl"} {
^bb0(%some: !graph.set, %more: i1):
  %two = graph.constant 2 : i64 -> i64
  exec.device_loop on device attributes {by_sets} {
    graph.repeat %two : i64 {
      exec.parallel "first" vertices %some static attributes {names = ["v"]} {
      ^bb0(%v: !graph.vertex):
      }
    }
  }
  exec.device_loop {
    graph.while {
      graph.yield %more : i1
    } do {
      exec.parallel "second" vertices %some static attributes {names = ["v"]} {
      ^bb0(%v: !graph.vertex):
      }
    }
  }
}
