// What is said against a graph that is too large for a GPU.
#pragma once

#include <gcompile/cuda.h>
#include <gcompile/program/load.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

/// What is said against a graph on the device; empty: nothing.
inline std::string refusal(const std::string &generator) {
  gc::LoadOptions options;
  options.progress = options.notes = false;
  const gc::LoadedGraph loaded = gc::load_graph(generator, options);
  try {
    const gc::cuda::Graph<std::uint32_t> graph(loaded.view<std::uint32_t>(), gc::ProgramInfo());
    EXPECT_EQ(graph.num_vertices(), loaded.num_vertices());
    EXPECT_EQ(gc::cuda::VertexSet<std::uint32_t>::all(graph).arcs(), graph.num_arcs());
    return "";
  } catch (const gc::Error &error) {
    EXPECT_EQ(error.kind, gc::ErrorKind::resource);
    return error.what();
  }
}
