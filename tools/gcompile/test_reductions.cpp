#include "tools/gcompile/test_reductions.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/foreign_code.h"

#include "ir/interpreter/Interpreter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <random>

using namespace mlir;

namespace gcompile {

namespace {

using interpreter::Object;
using interpreter::Value;

constexpr int trials = 2000;

/// Draws, compares and prints the values of one type.
class Values {
public:
  /// What the draws of a class leave out of a value stays as it is in `neutral`.
  Values(Type type, const ast::Program &program, Value neutral)
      : type(type), program(program), neutral(std::move(neutral)) {}

  /// Mostly small values, so that two of them often agree in a part; reals are multiples of a quarter, whose sums and
  /// products are exact. The neutral element comes too.
  Value draw() { return below(12) == 0 ? neutral : draw(type, neutral); }
  bool agree(const Value &a, const Value &b) const { return agree(type, a, b); }
  std::string text(const Value &value) const { return text(type, value); }

private:
  /// The numbers in a value of a class.
  const std::vector<ast::ForeignField> &fieldsOf(graph::ForeignType of) const {
    static const std::vector<ast::ForeignField> none;
    auto known = std::find_if(program.foreignTypes.begin(), program.foreignTypes.end(),
                              [&](const ast::ForeignType &each) { return each.type.name == of.getClassName(); });
    return known == program.foreignTypes.end() ? none : known->fields;
  }

  Value draw(Type of, const Value &rest) {
    if (auto tuple = dyn_cast<TupleType>(of)) {
      interpreter::Tuple elements;
      for (auto [element, left] : llvm::zip(tuple.getTypes(), rest.as<interpreter::Tuple>()))
        elements.push_back(draw(element, left));
      return {elements};
    }
    auto foreign = dyn_cast<graph::ForeignType>(of);
    if (!foreign)
      return number(of);
    Object object = rest.as<Object>();
    const bool close = below(2) == 0;
    for (const ast::ForeignField &field : fieldsOf(foreign))
      put(object, field, close);
    return {object};
  }

  bool agree(Type of, const Value &a, const Value &b) const {
    if (auto tuple = dyn_cast<TupleType>(of)) {
      const auto &left = a.as<interpreter::Tuple>(), &right = b.as<interpreter::Tuple>();
      return llvm::all_of(llvm::enumerate(tuple.getTypes()),
                          [&](auto each) { return agree(each.value(), left[each.index()], right[each.index()]); });
    }
    auto foreign = dyn_cast<graph::ForeignType>(of);
    if (!foreign)
      return interpreter::same(a, b);
    return llvm::all_of(fieldsOf(foreign), [&](const ast::ForeignField &field) {
      const unsigned char *x = a.as<Object>().bytes.data() + field.offset,
                          *y = b.as<Object>().bytes.data() + field.offset;
      if (field.kind != 'f')
        return std::memcmp(x, y, field.bytes) == 0;
      const double left = real(x, field), right = real(y, field);
      return left == right || (std::isnan(left) && std::isnan(right));
    });
  }

  std::string text(Type of, const Value &value) const {
    std::string result;
    if (auto tuple = dyn_cast<TupleType>(of)) {
      for (auto [element, part] : llvm::zip(tuple.getTypes(), value.as<interpreter::Tuple>()))
        result += (result.empty() ? "(" : ", ") + text(element, part);
      return result + ")";
    }
    if (auto foreign = dyn_cast<graph::ForeignType>(of)) {
      for (const ast::ForeignField &field : fieldsOf(foreign))
        result += fmt::format("{}{} = {}", result.empty() ? "" : ", ", field.name,
                              textOf(value.as<Object>().bytes.data() + field.offset, field));
      return "{" + result + "}";
    }
    if (isa<graph::VertexType, graph::EdgeType>(of))
      return value.id() == interpreter::noId ? "none" : fmt::format("{}", value.id());
    return std::visit(
        [](const auto &x) -> std::string {
          if constexpr (std::is_arithmetic_v<std::decay_t<decltype(x)>>)
            return fmt::format("{}", x);
          else
            return "?";
        },
        value.is);
  }

  unsigned below(unsigned limit) { return static_cast<unsigned>(random() % limit); }
  std::int64_t whole(bool close) {
    const unsigned range = close ? 2 : 100;
    return static_cast<std::int64_t>(below(2 * range + 1)) - range;
  }
  Value number(Type of) {
    const std::int64_t drawn = whole(below(2) == 0);
    const std::uint64_t id = drawn == 0 ? interpreter::noId : static_cast<std::uint64_t>(std::abs(drawn) - 1);
    if (isa<graph::VertexType>(of))
      return {interpreter::Vertex{id}};
    if (isa<graph::EdgeType>(of))
      return {interpreter::Edge{id}};
    if (of.isInteger(1))
      return {drawn > 0};
    if (of.isInteger(32))
      return {static_cast<std::int32_t>(drawn)};
    if (of.isInteger(64))
      return {drawn};
    return of.isF32() ? Value{static_cast<float>(drawn) / 4} : Value{static_cast<double>(drawn) / 4};
  }

  template <class T> static void store(unsigned char *at, T value) { std::memcpy(at, &value, sizeof value); }
  void put(Object &object, const ast::ForeignField &field, bool close) {
    unsigned char *at = object.bytes.data() + field.offset;
    const std::int64_t drawn = whole(close);
    if (field.kind == 'b')
      store(at, drawn > 0);
    else if (field.kind == 'f' && field.bytes == 4)
      store(at, static_cast<float>(drawn) / 4);
    else if (field.kind == 'f')
      store(at, static_cast<double>(drawn) / 4);
    else if (const std::int64_t given = field.kind == 'u' ? std::abs(drawn) : drawn; field.bytes == 8)
      store(at, given);
    else if (field.bytes == 4)
      store(at, static_cast<std::int32_t>(given));
    else if (field.bytes == 2)
      store(at, static_cast<std::int16_t>(given));
    else
      store(at, static_cast<std::int8_t>(given));
  }

  static double real(const unsigned char *at, const ast::ForeignField &field) {
    float single = 0;
    double twofold = 0;
    std::memcpy(field.bytes == 4 ? static_cast<void *>(&single) : &twofold, at, field.bytes);
    return field.bytes == 4 ? static_cast<double>(single) : twofold;
  }
  static std::string textOf(const unsigned char *at, const ast::ForeignField &field) {
    if (field.kind == 'f')
      return fmt::format("{}", real(at, field));
    if (field.kind == 'b')
      return *at != 0 ? "true" : "false";
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, field.bytes); // the lowest byte comes first
    if (field.kind == 'u')
      return fmt::format("{}", bits);
    const unsigned unused = 64 - field.bytes * 8;
    return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
  }

  Type type;
  const ast::Program &program;
  Value neutral;
  std::mt19937_64 random{1};
};

/// A law that does not hold, and for which values; empty: none was found.
std::string counterexample(interpreter::Interpreter &run, graph::ReductionOp reduction, Values &values,
                           const Value &neutral) {
  auto both = [&](const Value &a, const Value &b) { return run.combine(reduction, a, b); };
  auto differs = [&](const char *law, const std::string &given, const char *left, const Value &x, const char *right,
                     const Value &y) {
    return fmt::format("is not {}: for {}, {} is {} and {} is {}", law, given, left, values.text(x), right,
                       values.text(y));
  };
  for (int trial = 0; trial < trials; ++trial) {
    const Value a = values.draw(), b = values.draw(), c = values.draw();
    const std::string two = fmt::format("a = {}, b = {}", values.text(a), values.text(b));
    if (const Value x = both(a, b), y = both(b, a); !values.agree(x, y))
      return differs("commutative", two, "f(a, b)", x, "f(b, a)", y);
    if (const Value x = both(both(a, b), c), y = both(a, both(b, c)); !values.agree(x, y))
      return differs("associative", two + ", c = " + values.text(c), "f(f(a, b), c)", x, "f(a, f(b, c))", y);
    if (const Value x = both(a, neutral); !values.agree(x, a))
      return fmt::format("has another neutral element: for a = {} and n = {}, f(a, n) is {}", values.text(a),
                         values.text(neutral), values.text(x));
  }
  return "";
}

} // namespace

bool testReductions(const Options &options, const std::string &path, const ast::Program &program, ModuleOp module) {
  if (program.reductions.empty())
    return true;
  const interpreter::ForeignCode foreign = compileForeign(options, path, module, program.importFlags);
  const interpreter::Graph graph;
  bool right = true;
  for (const ast::FunctionDecl &decl : program.reductions) {
    auto reduction = module.lookupSymbol<graph::ReductionOp>(decl.name);
    interpreter::Interpreter run(graph, interpreter::Order::Forward, nullptr, &foreign);
    const Value neutral = run.neutral(reduction);
    Values values(reduction.getType(), program, neutral);
    const std::string found = counterexample(run, reduction, values, neutral);
    if (found.empty())
      fmt::print("{}: '{}': no counterexample in {} draws\n", printable(path), decl.name, trials);
    else
      fmt::print(stderr, "{}:{}:{}: error: the reduction '{}' {}\n", printable(path), decl.range.line,
                 decl.range.column, decl.name, found);
    right &= found.empty();
  }
  return right;
}

} // namespace gcompile
