/* What only libraries of CUDA programs have: results and graphs in the memory of the GPU. */
#include "rows.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(int line, int holds, const char *message) {
  if (!holds) {
    ++failures;
    printf("shared_device.c:%d: %s\n", line, message);
  }
}
#define CHECK(condition) check(__LINE__, (condition) ? 1 : 0, #condition)
#define SAYS(text, message) check(__LINE__, strcmp(text, message) == 0, message)

/* Without a device, a run says so. */
static void without(void) {
  rows_graph *graph = rows_graph_new(ROWS_INTERFACE);
  rows_program *program;
  int64_t arcs;
  CHECK(rows_graph_load(graph, "grid:4x4", NULL) == ROWS_OK);
  program = rows_new(graph);
  CHECK(rows_run(program) == ROWS_RESOURCE);
  SAYS("no CUDA device can be used: no CUDA-capable device is detected", rows_message(program));
  CHECK(rows_get_arcs(program, &arcs) == ROWS_ARGUMENT && rows_run(program) == ROWS_RESOURCE);
  rows_free(program);
  rows_graph_free(graph);
}

static void with_device(const char *source) {
  rows_graph *graph = rows_graph_new(ROWS_INTERFACE), *other = rows_graph_new(ROWS_INTERFACE);
  rows_program *program, *second;
  const int64_t *offsets, *offsets_there, *offsets_again;
  const rows_vertex *targets, *targets_there, *targets_again;
  uint64_t count, n, m;
  int64_t arcs;
  rows_arrays arrays;
  CHECK(rows_graph_load(graph, source, NULL) == ROWS_OK);
  n = rows_graph_num_vertices(graph), m = rows_graph_num_arcs(graph);
  program = rows_new(graph);
  CHECK(rows_device_targets(program, &targets_there, &count) == ROWS_ARGUMENT);
  CHECK(rows_run(program) == ROWS_OK);

  /* On the GPU first: nothing has been copied. */
  CHECK(rows_device_offsets(program, &offsets_there, &count) == ROWS_OK && count == n + 1);
  CHECK(rows_device_targets(program, &targets_there, &count) == ROWS_OK && count == m);
  CHECK(rows_get_offsets(program, &offsets, &count) == ROWS_OK && count == n + 1 && offsets != offsets_there);
  CHECK(rows_get_targets(program, &targets, &count) == ROWS_OK && count == m);
  CHECK(m == 0 || targets != targets_there);
  CHECK(rows_get_arcs(program, &arcs) == ROWS_OK && (uint64_t)arcs == m);
  CHECK(memcmp(offsets, rows_graph_offsets(graph), (n + 1) * sizeof *offsets) == 0);
  CHECK(m == 0 || memcmp(targets, rows_graph_targets(graph), m * sizeof *targets) == 0);

  /* A graph of these arrays, and the same from it. */
  memset(&arrays, 0, sizeof arrays);
  arrays.num_vertices = n;
  arrays.is_directed = rows_graph_is_directed(graph);
  CHECK(rows_graph_copy_device(other, &arrays) == ROWS_ARGUMENT && rows_graph_copy_device(other, NULL) == ROWS_ARGUMENT);
  arrays.offsets = (const uint64_t *)offsets;
  arrays.targets = targets;
  CHECK(rows_graph_copy_device(other, &arrays) == ROWS_ARGUMENT);
  SAYS("the graph: an array is not in the memory of the GPU", rows_graph_message(other));
  arrays.offsets = (const uint64_t *)offsets_there;
  arrays.targets = targets_there;
  CHECK(rows_graph_copy_device(other, &arrays) == ROWS_OK);
  CHECK(rows_graph_num_arcs(other) == m && rows_graph_num_edges(other) == rows_graph_num_edges(graph));
  second = rows_new(other);
  rows_graph_free(other); /* the program keeps it */
  CHECK(rows_run(second) == ROWS_OK);
  CHECK(rows_get_offsets(second, &offsets_again, &count) == ROWS_OK && count == n + 1);
  CHECK(rows_get_targets(second, &targets_again, &count) == ROWS_OK && count == m);
  CHECK(memcmp(offsets, offsets_again, (n + 1) * sizeof *offsets) == 0);
  CHECK(m == 0 || memcmp(targets, targets_again, m * sizeof *targets) == 0);
  rows_free(second);
  rows_free(program);
  rows_graph_free(graph);
}

int main(int argc, char **argv) {
  int i;
  if (argc == 1)
    without();
  for (i = 1; i < argc; ++i)
    with_device(argv[i]);
  printf("%d failures\n", failures);
  return failures > 0;
}
