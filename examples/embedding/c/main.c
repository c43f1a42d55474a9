/* ./route PLACES FROM TO: the quickest way between two places of a file with lines `place place minutes`. */
#include "route.h"

#include <stdio.h>
#include <stdlib.h>

/* Prints the places from the start to `place`. */
static void print_way(route_graph *graph, const route_vertex *before, route_vertex place) {
  char name[64];
  if (before[place] != ROUTE_NONE) {
    print_way(graph, before, before[place]);
    printf(" - ");
  }
  route_graph_name(graph, place, name, sizeof name, NULL);
  printf("%s", name);
}

static int find_way(route_graph *graph, route_program *program, const char *from, const char *to) {
  const int32_t *time;
  const route_vertex *before;
  uint64_t goal;
  if (route_set(program, "start", from) != ROUTE_OK || route_run(program) != ROUTE_OK) {
    fprintf(stderr, "route: %s\n", route_message(program));
    return EXIT_FAILURE;
  }
  if (route_graph_find(graph, to, &goal) != ROUTE_OK) {
    fprintf(stderr, "route: %s\n", route_graph_message(graph));
    return EXIT_FAILURE;
  }
  route_get_time(program, &time, NULL);
  route_get_before(program, &before, NULL);
  if (time[goal] == INT32_MAX) {
    printf("no way leads from %s to %s\n", from, to);
    return EXIT_SUCCESS;
  }
  print_way(graph, before, (route_vertex)goal);
  printf(": %d minutes\n", (int)time[goal]);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const char *const options[] = {"--ids=text", NULL};
  route_graph *graph = route_graph_new(ROUTE_INTERFACE);
  route_program *program = NULL;
  int status = EXIT_FAILURE;
  if (argc != 4)
    fprintf(stderr, "usage: route PLACES FROM TO\n");
  else if (!graph)
    fprintf(stderr, "route: the library is another one than the header\n");
  else if (route_graph_load(graph, argv[1], options) != ROUTE_OK)
    fprintf(stderr, "route: %s\n", route_graph_message(graph));
  else if (!(program = route_new(graph)))
    fprintf(stderr, "route: out of memory\n");
  else
    status = find_way(graph, program, argv[2], argv[3]);
  route_free(program);
  route_graph_free(graph);
  return status;
}
