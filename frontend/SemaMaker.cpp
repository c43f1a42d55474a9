// Parameters whose values a function makes: `pos: geo::point[g] from geo::place`. The program takes what the function
// takes, as plain parameters `pos_x` and `pos_y`.
#include "frontend/SemaImpl.h"
#include "frontend/Spelling.h"

#include <algorithm>
#include <fmt/format.h>

namespace gcompile {

bool ParameterDecl::isRequired() const {
  return !defaultValue && std::all_of(parts.begin(), parts.end(), [](const auto &part) { return part.isRequired(); });
}

std::vector<const ParameterDecl *> AlgorithmDecl::plainParameters() const {
  std::vector<const ParameterDecl *> plain;
  for (const ParameterDecl &parameter : parameters) {
    if (parameter.maker.empty())
      plain.push_back(&parameter);
    for (const ParameterDecl &part : parameter.parts)
      plain.push_back(&part);
  }
  return plain;
}

namespace {

/// What a function takes: its parameters' names and types.
struct Taken {
  std::string name;
  Type type;
};

/// Whether a name may be the end of one of the language.
bool isPlainName(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); });
}

} // namespace

bool Sema::findMaker(ParameterDecl &parameter) {
  const Type &wanted = parameter.type.type;
  std::vector<Taken> taken;
  auto refuse = [&](const std::string &reason) {
    return diags.report(diag::bad_maker, parameter.makerRange, parameter.maker, parameter.name, reason);
  };
  if (auto own = functions.find(parameter.maker); own != functions.end()) {
    const FunctionDecl &function = *own->second;
    if (hasError(function.result))
      return false; // which has been reported
    if (function.result != wanted) {
      refuse(fmt::format("it gives {}, not {}", typeName(function.result), typeName(wanted)))
          .note(function.range, "declared here");
      return false;
    }
    for (const ParameterDecl &each : function.parameters)
      taken.push_back({each.name, each.type.type});
  } else {
    std::vector<const ForeignFunction *> named, making;
    for (const ForeignFunction &each : program.foreign)
      if (each.name == parameter.maker)
        named.push_back(&each);
    std::copy_if(named.begin(), named.end(), std::back_inserter(making),
                 [&](const ForeignFunction *each) { return each->sayable && each->result == wanted; });
    if (named.empty()) {
      std::vector<std::string> names;
      for (const auto &entry : functions)
        names.push_back(entry.first);
      diags.report(diag::unknown_function, parameter.makerRange, parameter.maker)
          .suggest(nearest(parameter.maker, names));
      return false;
    }
    if (making.size() != 1) {
      auto error = refuse(making.empty() ? "it does not give " + typeName(wanted)
                                         : "several functions of that name give " + typeName(wanted));
      for (const ForeignFunction *each : making.empty() ? named : making)
        error.note(Range(), each->place + ": " + each->signature +
                                (each->sayable ? "" : ", which cannot be called: " + each->refusal));
      return false;
    }
    for (std::size_t i = 0; i < making[0]->parameters.size(); ++i)
      taken.push_back({making[0]->parameterNames[i], making[0]->parameters[i]});
  }

  if (taken.empty())
    refuse("it takes no values");
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const Type &type = taken[i].type;
    if (hasError(type))
      return false;
    if (!type.isNumeric() && type.kind != TypeKind::Bool && type.kind != TypeKind::Vertex) {
      refuse(fmt::format("it takes a value of type {}, which no file has", typeName(type)));
      return false;
    }
    if (!isPlainName(taken[i].name)) {
      refuse(
          fmt::format("its parameter {} needs a name of letters, digits and '_', which is that of the values", i + 1));
      return false;
    }
    ParameterDecl part;
    part.range = parameter.range;
    part.name = parameter.name + "_" + taken[i].name;
    part.joint = taken.size() > 1 ? parameter.name : "";
    part.type.range = parameter.type.range;
    part.type.type = type;
    part.type.shape = parameter.type.shape;
    parameter.parts.push_back(std::move(part));
  }
  return !taken.empty();
}

void Sema::giveDefaults(ParameterDecl &parameter) {
  if (!parameter.defaultValue)
    return;
  ExprPtr given = std::move(parameter.defaultValue);
  const std::size_t count = given->kind == ExprKind::TupleExpr ? given->operands.size() : 1;
  if (count != parameter.parts.size())
    diags.report(diag::wrong_argument_count, given->range, parameter.maker,
                 fmt::format("{} value{}", parameter.parts.size(), parameter.parts.size() == 1 ? "" : "s"), count);
  else if (given->kind != ExprKind::TupleExpr)
    parameter.parts[0].defaultValue = std::move(given);
  else
    for (std::size_t i = 0; i < count; ++i)
      parameter.parts[i].defaultValue = std::move(given->operands[i]);
}

void Sema::checkMaker(ParameterDecl &parameter) {
  if (hasError(parameter.type.type) || !findMaker(parameter)) {
    parameter.symbol->type.kind = TypeKind::Error; // nothing more is said about it
    parameter.defaultValue.reset();
    return;
  }
  giveDefaults(parameter);
  const bool perVertex = parameter.type.shape == Shape::PerVertex;
  auto make = [&](ExprKind kind) {
    auto e = std::make_unique<Expr>();
    e->kind = kind;
    e->range = parameter.makerRange;
    return e;
  };
  parameter.made = make(ExprKind::Call);
  parameter.made->text = parameter.maker;
  for (ParameterDecl &part : parameter.parts) {
    checkParameter(part, "an algorithm");
    declare(part.symbol);
    usage[part.symbol].read = true;
    ExprPtr value = make(ExprKind::Name);
    value->text = part.name;
    if (perVertex) {
      ExprPtr element = make(ExprKind::Index);
      element->operands.push_back(std::move(value));
      element->operands.push_back(make(ExprKind::Self));
      value = std::move(element);
    }
    parameter.made->operands.push_back(std::move(value));
  }
  ScopeGuard scope(*this);
  if (perVertex)
    parameter.self = bindSelf(parameter.range);
  checkExprAs(parameter.made, parameter.type.type);
  self = implicit = nullptr;
}

} // namespace gcompile
