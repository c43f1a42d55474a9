/* Every function of shared.gdsl's library, from C and from C++. */
#include "shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks = 0, failures = 0;

static void check(int line, int holds, const char *message) {
  ++checks;
  if (!holds) {
    ++failures;
    printf("shared.c:%d: %s\n", line, message);
  }
}
#define CHECK(condition) check(__LINE__, (condition) ? 1 : 0, #condition)
#define SAYS(text, message) check(__LINE__, strcmp(text, message) == 0, text)

/* A path 0 -> 1 -> 2 -> 3 and an arc 0 -> 2. */
static uint64_t offsets[] = {0, 2, 3, 4, 4};
static shared_vertex targets[] = {1, 2, 2, 3};
static int32_t weights[] = {5, 6, 7, 8};
static double costs[] = {0.5, 0.25, 1, 2};

static int stop_at = 0;
static int count_down(void *data) {
  int *asked = (int *)data;
  return ++*asked >= stop_at;
}

static void results(shared_program *program) {
  const int32_t *hops, *near, *loads, *longest;
  const shared_vertex *parent, *at;
  const uint8_t *closed;
  const double *sums;
  const float *small;
  const int64_t *large;
  uint64_t count = 0;
  double total;
  int64_t open, many;
  int32_t least;
  uint8_t set;
  float fraction;
  shared_vertex other;
  CHECK(shared_get_hops(program, &hops, &count) == SHARED_OK && count == 4);
  CHECK(hops[0] == 0 && hops[1] == 1 && hops[2] == 1 && hops[3] == 2);
  CHECK(shared_get_parent(program, &parent, NULL) == SHARED_OK && parent[3] == 2 && parent[0] == 0);
  CHECK(shared_get_is_closed(program, &closed, &count) == SHARED_OK && closed[1] == 0);
  CHECK(shared_get_sums(program, &sums, &count) == SHARED_OK && sums[0] == 1.75 && sums[3] == 1);
  CHECK(shared_get_small(program, &small, &count) == SHARED_OK && small[2] == 0.5f);
  CHECK(shared_get_large(program, &large, &count) == SHARED_OK && large[0] == 2 && large[2] == 3);
  CHECK(shared_get_nearest__0(program, &near, &count) == SHARED_OK && count == 4 && near[0] == 2);
  CHECK(shared_get_nearest__1(program, &at, &count) == SHARED_OK && at[3] == 3);
  CHECK(shared_get_loads(program, &loads, &count) == SHARED_OK && count == 4 && loads[0] == 6 && loads[3] == 9);
  CHECK(shared_get_longest(program, &longest, &count) == SHARED_OK && count == 16 && longest[0 * 4 + 2] == 6);
  CHECK(shared_get_total(program, &total) == SHARED_OK && total == 10);
  CHECK(shared_get_open(program, &open) == SHARED_OK && open == 8);
  CHECK(shared_get_least(program, &least) == SHARED_OK && least == 3);
  CHECK(shared_get_set(program, &set) == SHARED_OK && set == 0);
  CHECK(shared_get_fraction(program, &fraction) == SHARED_OK && fraction == 0.25f);
  CHECK(shared_get_other(program, &other) == SHARED_OK && other == SHARED_NONE);
  CHECK(shared_get_pair__0(program, &many) == SHARED_OK && many == 4);
  CHECK(shared_get_pair__1(program, &other) == SHARED_OK && other == 0);
  CHECK(shared_get_sited__0(program, &sums, &count) == SHARED_OK && count == 4 && sums[3] == 0.5);
  CHECK(shared_get_sited__1(program, &at, &count) == SHARED_OK && at[0] == 0 && at[3] == 3);
  CHECK(shared_get_based_on(program, &least) == SHARED_OK && least == -2);
}

/* Parameters that the program makes of several values are structs. */
static void structs(shared_graph *graph) {
  shared_program *program = shared_new(graph);
  shared_value_site sites[4], home;
  shared_value_base base;
  const double *x;
  const shared_vertex *at;
  const double second[] = {7, 8, 9, 10};
  uint64_t count;
  int32_t least;
  int i;
  for (i = 0; i < 4; ++i)
    sites[i].x = 1.5 * i, sites[i].at = i == 2 ? SHARED_NONE : (shared_vertex)(3 - i);
  home.x = -1, home.at = 1;
  base.n = 5, base.new_ = 9;
  CHECK(shared_set_root(program, 0) == SHARED_OK);
  CHECK(shared_set_site(program, sites, 4) == SHARED_OK && shared_set_base(program, base) == SHARED_OK);
  CHECK(shared_run(program) == SHARED_OK);
  CHECK(shared_get_sited__0(program, &x, &count) == SHARED_OK && x[0] == 0 && x[1] == 1.5 && x[3] == 4.5);
  CHECK(shared_get_sited__1(program, &at, &count) == SHARED_OK && at[0] == 3 && at[2] == SHARED_NONE && at[3] == 0);
  CHECK(shared_get_based_on(program, &least) == SHARED_OK && least == 5);
  CHECK(shared_set_site(program, sites, 3) == SHARED_ARGUMENT);
  SAYS("site_x: 3 values, and the graph has 4 vertices", shared_message(program));
  CHECK(shared_set_site(program, NULL, 4) == SHARED_ARGUMENT);
  CHECK(shared_set_site_x(program, second, 4) == SHARED_OK && shared_set_base_n(program, 6) == SHARED_OK);
  CHECK(shared_run(program) == SHARED_OK);
  CHECK(shared_get_sited__0(program, &x, &count) == SHARED_OK && x[3] == 10);
  CHECK(shared_get_sited__1(program, &at, &count) == SHARED_OK && at[0] == 3);
  CHECK(shared_get_based_on(program, &least) == SHARED_OK && least == 6);
  CHECK(shared_set_site(program, &home, 1) == SHARED_OK && shared_run(program) == SHARED_OK);
  CHECK(shared_get_sited__0(program, &x, &count) == SHARED_OK && x[0] == -1 && x[3] == -1);
  CHECK(shared_get_sited__1(program, &at, &count) == SHARED_OK && at[3] == 1);
  sites[1].at = 9;
  CHECK(shared_set_site(program, sites, 4) == SHARED_OK && shared_run(program) == SHARED_ARGUMENT);
  shared_free(program);
}

static void arguments(shared_graph *graph) {
  shared_program *program = shared_new(graph);
  const uint8_t closed[] = {0, 0, 1, 0};
  const shared_vertex seeds[] = {3, 1, 3}, labels[] = {SHARED_NONE, 1, 2, 0}, bad[] = {0, 1, 2, 4};
  const double amounts[] = {1, 2, 3, 4}, one = 8;
  const float few = 1.5f;
  const int32_t caps[] = {9, 8, 7, 6}, *hops;
  const int64_t fars[] = {100, INT64_MAX, 50, 10}, *large;
  const shared_vertex *at;
  const float *small;
  const uint8_t *is_closed;
  uint64_t count;
  double total;
  int64_t open;
  int32_t least;
  uint8_t set;
  shared_vertex other;
  CHECK(shared_set_root(program, 0) == SHARED_OK && shared_set_also(program, 3) == SHARED_OK);
  CHECK(shared_set_seeds(program, seeds, 3) == SHARED_OK);
  CHECK(shared_set_closed(program, closed, 4) == SHARED_OK);
  CHECK(shared_set_label(program, labels, 4) == SHARED_OK);
  CHECK(shared_set_amount(program, amounts, 4) == SHARED_OK);
  CHECK(shared_set_few(program, &few, 1) == SHARED_OK);
  CHECK(shared_set_cap(program, caps, 4) == SHARED_OK);
  CHECK(shared_set_far(program, fars, 4) == SHARED_OK);
  CHECK(shared_set_flag(program, 7) == SHARED_OK && shared_set_turns(program, -2) == SHARED_OK);
  CHECK(shared_set_many(program, 1) == SHARED_OK && shared_set_ratio(program, 0.5f) == SHARED_OK);
  CHECK(shared_set_factor(program, 2) == SHARED_OK && shared_set_divisor(program, 5) == SHARED_OK);
  CHECK(shared_threads(program, 1) == SHARED_OK);
  CHECK(shared_run(program) == SHARED_OK);
  CHECK(shared_get_hops(program, &hops, &count) == SHARED_OK && hops[1] == 1 && hops[2] == INT32_MAX);
  CHECK(shared_get_is_closed(program, &is_closed, &count) == SHARED_OK && is_closed[2] == 1 && is_closed[3] == 0);
  CHECK(shared_get_nearest__1(program, &at, &count) == SHARED_OK && at[0] == SHARED_NONE && at[3] == 0);
  CHECK(shared_get_large(program, &large, &count) == SHARED_OK && large[0] == 20 && large[1] == 8 && large[3] == 2);
  CHECK(shared_get_small(program, &small, &count) == SHARED_OK && small[0] == 1.5f && small[3] == 1.5f);
  CHECK(shared_get_total(program, &total) == SHARED_OK && total == 12);
  CHECK(shared_get_open(program, &open) == SHARED_OK && open == 4);
  CHECK(shared_get_least(program, &least) == SHARED_OK && least == -2);
  CHECK(shared_get_set(program, &set) == SHARED_OK && set == 1);
  CHECK(shared_get_other(program, &other) == SHARED_OK && other == 3);

  /* What is refused leaves everything as it was. */
  CHECK(shared_set_seeds(program, bad, 4) == SHARED_ARGUMENT);
  SAYS("seeds: the graph has no vertex 4", shared_message(program));
  CHECK(shared_set_amount(program, amounts, 3) == SHARED_ARGUMENT);
  SAYS("amount: 3 values, and the graph has 4 vertices", shared_message(program));
  CHECK(shared_set_amount(program, NULL, 4) == SHARED_ARGUMENT);
  CHECK(shared_run(program) == SHARED_OK && shared_get_total(program, &total) == SHARED_OK && total == 12);
  CHECK(shared_set_amount(program, &one, 1) == SHARED_OK && shared_run(program) == SHARED_OK);
  CHECK(shared_get_total(program, &total) == SHARED_OK && total == 32);
  CHECK(shared_set(program, "amount", NULL) == SHARED_OK && shared_set(program, "turns", "12") == SHARED_OK);
  CHECK(shared_run(program) == SHARED_OK && shared_get_total(program, &total) == SHARED_OK && total == 4);
  CHECK(shared_get_least(program, &least) == SHARED_OK && least == 12);
  CHECK(shared_set(program, "turns", "many") == SHARED_ARGUMENT);
  SAYS("turns: 'many' is not a whole number", shared_message(program));
  CHECK(shared_set(program, "trun", "1") == SHARED_ARGUMENT);
  CHECK(shared_set(program, NULL, "1") == SHARED_ARGUMENT && shared_set(program, "root", NULL) == SHARED_ARGUMENT);
  SAYS("root: the parameter has no default value", shared_message(program));
  CHECK(shared_threads(program, -1) == SHARED_ARGUMENT && shared_threads(program, 0) == SHARED_OK);

  /* What a run finds out. The next one has the whole program anew. */
  CHECK(shared_set_divisor(program, 1) == SHARED_OK && shared_set_root(program, 9) == SHARED_OK);
  CHECK(shared_run(program) == SHARED_ARGUMENT);
  SAYS("root: the graph has no vertex 9", shared_message(program));
  CHECK(shared_set_root(program, 0) == SHARED_OK && shared_set_label(program, bad, 4) == SHARED_OK);
  CHECK(shared_run(program) == SHARED_ARGUMENT);
  CHECK(shared_set_label(program, labels, 4) == SHARED_OK && shared_run(program) == SHARED_OK);
  shared_free(program);
}

/* A run that fails, after which a GPU serves the process no more. */
static void failing(void) {
  shared_graph *graph = shared_graph_new(SHARED_INTERFACE);
  shared_arrays arrays = {4, 1, offsets, targets, weights, costs};
  shared_program *program, *second;
  const int64_t fars[] = {100, 70, 50, 10};
  double total;
  CHECK(shared_graph_refer(graph, &arrays) == SHARED_OK);
  program = shared_new(graph);
  second = shared_new(graph);
  CHECK(shared_set_root(program, 0) == SHARED_OK && shared_set_far(program, fars, 4) == SHARED_OK);
  CHECK(shared_set_divisor(program, 0) == SHARED_OK && shared_run(program) == SHARED_RUNTIME);
  CHECK(strstr(shared_message(program), "division by zero") != NULL);
  CHECK(shared_get_total(program, &total) == SHARED_ARGUMENT);
  CHECK(shared_set_divisor(program, 1) == SHARED_OK && shared_set_root(second, 1) == SHARED_OK);
  if (strstr(shared_manifest(), "\"target\": \"cuda\"")) {
    CHECK(shared_run(program) == SHARED_RESOURCE && shared_run(second) == SHARED_RESOURCE);
    CHECK(strstr(shared_message(second), "the GPU serves this process no more, since a run failed there: ") != NULL);
    CHECK(strstr(shared_message(second), "division by zero") != NULL);
  } else {
    CHECK(shared_run(program) == SHARED_OK && shared_run(second) == SHARED_OK);
  }
  shared_free(program);
  shared_free(second);
  shared_graph_free(graph);
}

static void watched(shared_graph *graph) {
  shared_program *program = shared_new(graph);
  int asked = 0;
  double total;
  CHECK(shared_set_root(program, 0) == SHARED_OK && shared_watch(program, count_down, &asked) == SHARED_OK);
  stop_at = 1;
  CHECK(shared_run(program) == SHARED_CANCELLED && asked == 1);
  SAYS("the run was cancelled", shared_message(program));
  CHECK(shared_get_total(program, &total) == SHARED_ARGUMENT);
  stop_at = 1000000;
  CHECK(shared_run(program) == SHARED_OK && asked > 1 && shared_get_total(program, &total) == SHARED_OK);
  CHECK(shared_watch(program, NULL, NULL) == SHARED_OK && shared_run(program) == SHARED_OK);
  shared_free(program);
}

static void graphs(void) {
  shared_graph *graph = shared_graph_new(SHARED_INTERFACE);
  shared_program *program = shared_new(graph);
  const char *const weighted[] = {"--undirected", NULL}, *const unknown[] = {"--no-option", NULL};
  const shared_vertex sources[] = {2, 0, 1, 0}, ends[] = {3, 1, 2, 2};
  const int32_t edge_weights[] = {8, 5, 7, 6};
  const double edge_costs[] = {2, 0.5, 1, 0.25};
  shared_arrays arrays = {4, 1, offsets, targets, weights, costs};
  shared_edges edges = {4, 4, 1, sources, ends, edge_weights, edge_costs};
  shared_vertex descending[] = {2, 1, 2, 3};
  uint64_t vertex = 7;
  size_t length = 0;
  char name[4];
  CHECK(shared_graph_new(SHARED_INTERFACE + 1) == NULL && shared_new(NULL) == NULL);
  CHECK(SHARED_ABI_VERSION == (SHARED_INTERFACE >> 48));
  SAYS("", shared_graph_message(graph));
  CHECK(shared_graph_num_vertices(graph) == 0 && shared_graph_offsets(graph) == NULL);
  CHECK(shared_run(program) == SHARED_ARGUMENT);
  SAYS("the handle has no graph", shared_message(program));
  shared_free(program);

  CHECK(shared_graph_load(graph, "no such file", NULL) != SHARED_OK && *shared_graph_message(graph));
  CHECK(shared_graph_load(graph, NULL, NULL) == SHARED_ARGUMENT);
  CHECK(shared_graph_load(graph, "grid:4x4", unknown) == SHARED_ARGUMENT);
  CHECK(strstr(shared_graph_message(graph), "unknown option '--no-option'") != NULL);
  CHECK(shared_graph_load(graph, "grid:4x4", NULL) == SHARED_ARGUMENT);
  CHECK(shared_graph_load(graph, "names.el", weighted) == SHARED_OK);
  CHECK(shared_graph_is_directed(graph) == 0 && shared_graph_num_edges(graph) == 2);
  CHECK(shared_graph_find(graph, "berlin", &vertex) == SHARED_OK && vertex < 3);
  CHECK(shared_graph_find(graph, "paris", &vertex) == SHARED_ARGUMENT);
  SAYS("the graph has no vertex 'paris'", shared_graph_message(graph));
  CHECK(shared_graph_name(graph, vertex, name, sizeof name, &length) == SHARED_OK);
  CHECK(length == 6 && strcmp(name, "ber") == 0);
  CHECK(shared_graph_name(graph, 3, name, sizeof name, &length) == SHARED_ARGUMENT);
  CHECK(shared_graph_save(graph, NULL) == SHARED_ARGUMENT && shared_graph_save(graph, "no/folder/a.gcsr") != SHARED_OK);
  CHECK(shared_graph_save(graph, "saved.gcsr") == SHARED_OK && shared_graph_load(graph, "saved.gcsr", NULL) == SHARED_OK);
  CHECK(shared_graph_num_edges(graph) == 2 && shared_graph_find(graph, "oslo", &vertex) == SHARED_OK);

  arrays.targets = descending;
  CHECK(shared_graph_refer(graph, &arrays) == SHARED_ARGUMENT);
  CHECK(shared_graph_num_edges(graph) == 2); /* the graph before */
  arrays.targets = targets;
  arrays.is_directed = 0;
  CHECK(shared_graph_refer(graph, &arrays) == SHARED_ARGUMENT);
  SAYS("the graph: the arcs of an undirected graph are not symmetric", shared_graph_message(graph));
  arrays.is_directed = 1;
  arrays.edge_cost = NULL;
  CHECK(shared_graph_refer(graph, &arrays) == SHARED_ARGUMENT);
  SAYS("the graph: the program reads the edge property 'cost', of which there is no array", shared_graph_message(graph));
  arrays.edge_cost = costs;
  arrays.num_vertices = (uint64_t)1 << 33;
  CHECK(shared_graph_refer(graph, &arrays) == SHARED_ARGUMENT && shared_graph_refer(graph, NULL) == SHARED_ARGUMENT);
  arrays.num_vertices = 4;
  CHECK(shared_graph_refer(graph, &arrays) == SHARED_OK);
  CHECK(shared_graph_offsets(graph) == offsets && shared_graph_targets(graph) == targets); /* not copied */
  CHECK(shared_graph_num_vertices(graph) == 4 && shared_graph_num_arcs(graph) == 4);
  program = shared_new(graph);
  CHECK(shared_run(program) == SHARED_ARGUMENT);
  SAYS("the parameter 'root' has no value", shared_message(program));
  CHECK(shared_set_root(program, 0) == SHARED_OK && shared_run(program) == SHARED_OK);
  results(program);
  arguments(graph);
  structs(graph);
  watched(graph);

  CHECK(shared_graph_build(graph, &edges) == SHARED_OK && shared_graph_targets(graph) != targets);
  CHECK(shared_run(program) == SHARED_OK); /* still on the arrays */
  shared_free(program);
  program = shared_new(graph);
  shared_graph_free(graph); /* the program keeps it */
  CHECK(shared_set_root(program, 0) == SHARED_OK && shared_run(program) == SHARED_OK);
  results(program);
  shared_free(program);
  shared_graph_free(NULL);
  shared_free(NULL);
}

int main(void) {
  graphs();
  failing();
  CHECK(strstr(shared_manifest(), "\"name\": \"shared\"") != NULL);
  printf("%d checks, %d failed\n", checks, failures);
  return failures > 0;
}
