// What a program of the user's own does with a generated class: it gives one object one set of arguments after another.
#include "each.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

int checks = 0;

void expect(bool holds, const std::string &what) {
  ++checks;
  if (holds)
    return;
  std::printf("FAILED: %s\n", what.c_str());
  std::exit(1);
}

/// All results as text.
struct Texts {
  std::map<std::string, std::string> &all;
  template <class T> void operator()(const char *name, const gc::Array<T> &values) const {
    for (const T &value : values)
      all[name] += std::to_string(value) + " ";
  }
  template <class T> void operator()(const char *name, const T &value) const { all[name] = std::to_string(value); }
};

template <class Program> std::map<std::string, std::string> results(Program &program) {
  program.run();
  std::map<std::string, std::string> all;
  program.outputs(Texts{all});
  return all;
}

template <class V> void check(const gc::Graph<V> &graph) {
  const gc::VertexSet<V> all = gc::VertexSet<V>::all(graph.n), few = gc::VertexSet<V>::of(graph.n, {3, 5});
  std::vector<std::int64_t> price(graph.n), dear(graph.n);
  std::vector<std::uint8_t> closed(graph.n, 0);
  std::vector<V> guide(graph.n);
  for (V v = 0; v < graph.n; ++v) {
    price[v] = v * 7 % 5;
    dear[v] = v * 1000 + 3;
    closed[v] = v % 6 == 4;
    guide[v] = v % 3 == 0 ? gc::none<V>() : (v * 5 + 1) % graph.n;
  }

  // The object that is kept, and a new one for the same arguments, give the same.
  EachKind<V> kept(graph, 0, all);
  const auto same = [&](const char *what, const auto &...given) {
    kept.set_arguments(given...);
    EachKind<V> fresh(graph, given...);
    const auto expected = results(fresh);
    expect(results(kept) == expected, what);
    return expected;
  };
  const V far = graph.n - 1, none = gc::none<V>();
  const auto first = same("the first arguments", V(0), all);
  expect(same("another root", far, all) != first, "another root has other results");
  same("a second root", V(2), few, far, 4);
  same("prices", V(2), all, none, 0, price);
  same("other prices", V(2), few, none, 1, dear, closed);
  same("all", V(9), few, V(1), 2, price, closed, guide, 0.5, 0.25f, true, 8);
  same("one price again", V(9), few, V(1), 0, 5, true, V(1), 0.25);
  same("rules", V(1), all, none, 0, gc::VertexRule::degree);
  expect(same("as at first", V(0), all) == first, "what was before leaves no trace");

  // A result of its own may be given on.
  same("prices before a result", V(4), all, none, 0, price);
  EachKind<V> second(graph, 4, all, none, 0, kept.paid());
  kept.set_arguments(4, all, none, 0, kept.paid());
  expect(results(kept) == results(second), "its own result as an argument");

  // What is refused leaves all as it was.
  const auto before = results(kept);
  const auto refused = [&](const std::string &message, const std::function<void()> &set) {
    std::string said;
    try {
      set();
    } catch (const gc::Error &error) {
      said = error.what();
    }
    expect(said == message, "'" + message + "', and not '" + said + "'");
    expect(results(kept) == before, "all is as it was after: " + message);
  };
  const std::string no_vertex = "the graph has no vertex " + std::to_string(graph.n);
  refused("root: " + no_vertex, [&] { kept.set_arguments(graph.n, all); });
  refused("root_: " + no_vertex, [&] { kept.set_arguments(1, all, graph.n); });
  refused("around: a set of 7 vertices, and the graph has " + std::to_string(graph.n),
          [&] { kept.set_arguments(1, gc::VertexSet<V>::all(7)); });
  refused("toll: -1 is negative, which the program does not allow", [&] { kept.set_arguments(1, few, none, -1); });
  dear[5] = -2;
  refused("price: -2 of vertex 5 is negative, which the program does not allow",
          [&] { kept.set_arguments(1, few, none, 0, dear); });
  closed.pop_back();
  refused("closed: " + std::to_string(graph.n - 1) + " values, and the graph has " + std::to_string(graph.n) +
              " vertices",
          [&] { kept.set_arguments(1, few, none, 0, price, closed); });
  guide[3] = graph.n;
  refused("guide: " + no_vertex, [&] { kept.set_arguments(1, few, none, 0, price, false, guide); });
}

} // namespace

int main(int argc, char **argv) try {
  for (int i = 1; i < argc; ++i) {
    gc::LoadOptions options = gc::load_options(each_kind_info());
    const gc::LoadedGraph graph = gc::load_graph(argv[i], options);
    options.vertex_bits = 64;
    const gc::LoadedGraph wide = gc::load_graph(argv[i], options);
    check(graph.view<std::uint32_t>());
    check(wide.view<std::uint64_t>());

    // The same from texts.
    const auto &parameters = each_kind_info().parameters;
    const gc::Arguments one(parameters, {{"root", "1"}}, graph), two = one.with(parameters[0], "2", graph);
    EachKind<std::uint32_t> kept(graph.view<std::uint32_t>(), one), fresh(graph.view<std::uint32_t>(), two);
    const auto before = results(kept);
    kept.set_arguments(two);
    const auto after = results(kept);
    expect(after == results(fresh) && after != before, "arguments from texts");
  }
  std::printf("%d checks\n", checks);
} catch (const gc::Error &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return error.exit_code();
}
