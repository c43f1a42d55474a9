#include "tools/gcompile/verify.h"
#include "runtime/tool_support/command_line.h"
#include "runtime/tool_support/fields.h"
#include "runtime/tool_support/output.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/interpreted_program.h"

#include "ir/schedule/Schedule.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <filesystem>
#include <limits>

using namespace mlir;

namespace gcompile {

using interpreter::Value;

namespace {

/// Vertices, arcs, and pairs of vertices where a property has one value for each, that are interpreted unasked: some
/// seconds' work.
constexpr std::uint64_t sizeLimit = 200'000;

/// Takes the next word of a line.
StringRef takeWord(StringRef &line) {
  auto [word, rest] = line.split(' ');
  line = rest;
  return word;
}

std::uint64_t takeVertex(StringRef &line, const gc::VertexIds &ids) {
  if (line.starts_with("\"")) {
    const char *rest = line.begin();
    std::string name = gc::detail::cut_quoted_field(rest, line.end()).value();
    line = line.drop_front(static_cast<std::size_t>(rest - line.begin()));
    line.consume_front(" ");
    return ids.find(std::string_view(name)).value();
  }
  StringRef word = takeWord(line);
  return word == "none" ? interpreter::noId : ids.find(std::string_view(word)).value();
}

/// The first arc from one vertex to another.
template <class V> std::uint64_t arcBetween(const gc::Graph<V> &graph, std::uint64_t source, std::uint64_t target) {
  if (source == interpreter::noId)
    return source;
  gc::ArcId e = graph.out_begin(static_cast<V>(source));
  while (graph.target(e) != target)
    ++e;
  return e;
}

/// Takes a value as a program writes it (runtime/src/output.cpp).
template <class V> Value takeValue(StringRef &line, Type type, const gc::LoadedGraph &loaded) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    interpreter::Tuple elements;
    for (Type element : tuple.getTypes())
      elements.push_back(takeValue<V>(line, element, loaded));
    return {elements};
  }
  if (isa<graph::VertexType>(type))
    return {interpreter::Vertex{takeVertex(line, loaded.ids())}};
  if (isa<graph::EdgeType>(type)) {
    std::uint64_t source = takeVertex(line, loaded.ids()), target = takeVertex(line, loaded.ids());
    return {interpreter::Edge{arcBetween(loaded.view<V>(), source, target)}};
  }
  StringRef text = takeWord(line);
  if (type.isInteger(1))
    return {text == "true"};
  if (text == "inf" && isa<IntegerType>(type))
    return interpreter::infinity(type, false);
  if (type.isF32())
    return {std::strtof(text.str().c_str(), nullptr)};
  if (type.isF64())
    return {std::strtod(text.str().c_str(), nullptr)};
  std::int64_t number = std::strtoll(text.str().c_str(), nullptr, 10);
  if (type.isInteger(32))
    return {static_cast<std::int32_t>(number)};
  return {number};
}

/// What stands before the value on each of `count` lines of an output, and where the value belongs
/// (runtime/src/output.cpp).
template <class V>
void forEachPlace(const gc::LoadedGraph &loaded, graph::Shape shape, std::size_t count,
                  llvm::function_ref<void(const std::string &, std::size_t)> visit) {
  const gc::Graph<V> &graph = loaded.view<V>();
  const gc::VertexIds &ids = loaded.ids();
  std::uint64_t n = loaded.num_vertices();
  if (shape == graph::Shape::Scalar)
    return visit("", 0);
  if (shape == graph::Shape::Array) {
    for (std::size_t i = 0; i < count; ++i)
      visit(fmt::format("{} ", i), i);
    return;
  }
  for (std::uint64_t k = 0; k < n; ++k) {
    std::uint64_t u = ids.at(k);
    auto place = [&](std::uint64_t v, bool beginsEdge) {
      std::string name;
      ids.append_field(v, name, beginsEdge);
      return name + " ";
    };
    std::string name = place(u, shape != graph::Shape::PerVertex);
    if (shape == graph::Shape::PerVertex)
      visit(name, u);
    else if (shape == graph::Shape::PerEdge)
      for (gc::ArcId e = graph.out_begin(static_cast<V>(u)); e < graph.out_end(static_cast<V>(u)); ++e)
        visit(name + place(graph.target(e), false), e);
    else
      for (std::uint64_t j = 0; j < n; ++j)
        visit(name + place(ids.at(j), false), u * n + ids.at(j));
  }
}

/// An output as the executable has written it.
template <class V>
std::vector<Value> readOutput(const std::string &path, graph::StateOp state, const gc::LoadedGraph &loaded) {
  std::string text = readFile(path);
  StringRef rest = text;
  std::size_t count = llvm::count(text, '\n');
  Type type = state.getType().getElement();
  std::vector<Value> values(count, interpreter::zero(type));
  std::size_t lines = 0;
  forEachPlace<V>(loaded, state.getType().getShape(), count, [&](const std::string &place, std::size_t i) {
    auto [line, after] = rest.split('\n');
    rest = after;
    if (!line.consume_front(place) || i >= count)
      failBug("'{}' of the executable does not list the places of the graph", state.getName().str());
    values[i] = takeValue<V>(line, type, loaded);
    ++lines;
  });
  if (lines != count)
    failBug("'{}' of the executable has {} values, not {}", state.getName().str(), count, lines);
  return values;
}

std::uint64_t sizeOf(graph::AlgorithmOp algorithm, const gc::LoadedGraph &loaded) {
  std::uint64_t n = loaded.num_vertices();
  bool pairs =
      algorithm
          ->walk([&](graph::StateOp state) {
            return state.getType().getShape() == graph::Shape::Dense ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  bool many = pairs && n > std::numeric_limits<std::uint32_t>::max();
  return n + loaded.num_arcs() + (many ? sizeLimit + 1 : pairs ? 8 * n * n : 0); // of which much is computed for each
}

template <class V>
int verifyOn(graph::AlgorithmOp algorithm, const gc::detail::CommandLine &line, gc::ProgramInfo &info,
             const gc::LoadedGraph &loaded, const std::string &folder, const interpreter::ForeignCode &foreign) {
  interpreter::Outcome outcome;
  std::vector<gc::detail::OutputView> views;
  for (auto state : algorithm.getBody().getOps<graph::StateOp>())
    if (state.getOutput()) {
      std::string name = state.getName().str();
      outcome[name] = readOutput<V>(folder + "/" + name, state, loaded);
      views.push_back(viewOf<V>({state, outcome[name]}));
    }
  markUndetermined(algorithm, info);
  auto instance =
      interpretedProgram<V>(algorithm, loaded.view<V>(), gc::Arguments(info.parameters, line.parameters, loaded),
                            interpreter::Order::Forward, &outcome, &foreign);
  instance->run();
  return gc::detail::compare_outputs(views, *instance, info, loaded, "interpreter", line.quiet);
}

} // namespace

Verification takeVerification(std::vector<std::string> &arguments) {
  Verification found;
  for (std::string &argument : arguments) {
    found.always |= argument == "--verify=interpreter";
    found.asked |= argument == "--verify" || argument == "--verify=interpreter";
    std::error_code none;
    found.once |= argument == "-" || std::filesystem::is_fifo(argument, none) || argument == "/dev/stdin";
    found.each |= argument == "--each" || StringRef(argument).starts_with("--each=");
    if (argument == "--verify=interpreter")
      argument = "--verify";
  }
  return found;
}

std::vector<std::string> outputNames(graph::AlgorithmOp algorithm) {
  std::vector<std::string> names;
  for (auto state : algorithm.getBody().getOps<graph::StateOp>())
    if (state.getOutput())
      names.push_back(state.getName().str());
  return names;
}

int verifyByInterpreter(graph::AlgorithmOp algorithm, const interpreter::ForeignCode &foreign,
                        std::vector<std::string> arguments, const std::string &folder, bool always) {
  arguments.insert(arguments.begin(), algorithm.getSource().str());
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  gc::ProgramInfo info = describeProgram(algorithm);
  if (auto vertices = schedule::said<schedule::Vertices>(algorithm)) // so that both list edges in one order
    info.vertex_order = vertices.is(schedule::Vertices::Bfs) ? gc::VertexOrder::by_bfs : gc::VertexOrder::by_degree;
  info.neighbors_by_degree = bool(schedule::said<schedule::Neighbors>(algorithm));
  gc::detail::CommandLine line = gc::detail::parse_command_line(static_cast<int>(arguments.size()), argv.data(), info);
  gc::LoadedGraph loaded = gc::load_graph(line.graph, gc::load_options(info, line.load));
  if (std::uint64_t size = sizeOf(algorithm, loaded); size > sizeLimit && !always) {
    fmt::print(stderr,
               "not compared with the interpreter: the graph is large for it (size {}, more than {}); "
               "--verify=interpreter compares all the same\n",
               size, sizeLimit);
    return gc::exit_ok;
  }
  return loaded.vertex_bits() == 32 ? verifyOn<std::uint32_t>(algorithm, line, info, loaded, folder, foreign)
                                    : verifyOn<std::uint64_t>(algorithm, line, info, loaded, folder, foreign);
}

} // namespace gcompile
