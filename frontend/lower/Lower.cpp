#include "frontend/Lower.h"
#include "frontend/lower/LowerInternal.h"
#include "ir/exec/ExecDialect.h"
#include "ir/schedule/Directives.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace gcompile {

Type LoweringBase::type(const ast::Type &t) {
  switch (t.kind) {
  case ast::TypeKind::Bool:
    return b.getI1Type();
  case ast::TypeKind::Int:
    return b.getI32Type();
  case ast::TypeKind::Long:
    return b.getI64Type();
  case ast::TypeKind::Float:
    return b.getF32Type();
  case ast::TypeKind::Double:
    return b.getF64Type();
  case ast::TypeKind::Vertex:
    return graph::VertexType::get(b.getContext());
  case ast::TypeKind::Edge:
    return graph::EdgeType::get(b.getContext());
  case ast::TypeKind::VertexSet:
    return graph::SetType::get(b.getContext());
  case ast::TypeKind::Levels:
    return graph::LevelsType::get(b.getContext());
  case ast::TypeKind::Tuple: {
    SmallVector<Type> elements;
    for (const ast::Type &element : t.elements)
      elements.push_back(type(element));
    return TupleType::get(b.getContext(), elements);
  }
  case ast::TypeKind::Foreign:
    return graph::ForeignType::get(b.getContext(), t.name, t.bytes);
  case ast::TypeKind::Error:
  case ast::TypeKind::Void:
  case ast::TypeKind::Graph:
    break;
  }
  llvm_unreachable("a checked program has no such value");
}

Location LoweringBase::loc(const ast::Range &range) {
  for (const Located &each : located)
    if (each.location && each.range == range)
      return Location(each.location);
  Location location = graph::locationOf({file, range.line, range.column, range.endLine, range.endColumn});
  located[turn++ % located.size()] = {range, location};
  return location;
}

namespace {

/// The text of a parameter's default value, as gc::ParameterInfo has it.
std::string defaultText(const ast::Expr &e) {
  switch (e.kind) {
  case ast::ExprKind::IntLiteral:
    return std::to_string(e.intValue);
  case ast::ExprKind::BoolLiteral:
    return e.boolValue ? "true" : "false";
  case ast::ExprKind::Inf:
    return "inf";
  case ast::ExprKind::None:
    return "none";
  case ast::ExprKind::Unary:
    return "-" + defaultText(*e.operands[0]);
  case ast::ExprKind::Convert:
    return defaultText(*e.operands[0]);
  case ast::ExprKind::Self:
    return "self";
  case ast::ExprKind::Name:
    return e.symbol->kind == ast::SymbolKind::Graph ? "all" : "self";
  case ast::ExprKind::Member:
    return std::string("v.") + (e.member == ast::MemberKind::Degree      ? "degree"
                                : e.member == ast::MemberKind::OutDegree ? "out_degree"
                                                                         : "in_degree");
  case ast::ExprKind::SetLiteral:
    return ""; // of no vertices: there are no constants but none
  default: {
    std::string number = e.text;
    llvm::erase(number, '_');
    return number;
  }
  }
}

class ProgramLowering : public AstToGraph {
public:
  using AstToGraph::AstToGraph;

  void function(const ast::FunctionDecl &decl) {
    SmallVector<Attribute> names;
    for (const auto &parameter : decl.parameters)
      names.push_back(b.getStringAttr(parameter.name));
    auto op = b.create<graph::FuncOp>(loc(decl.range), decl.name, type(decl.result), b.getArrayAttr(names));
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&op.getBody());
    for (const auto &parameter : decl.parameters)
      env[parameter.symbol] = block->addArgument(type(parameter.type.type), loc(parameter.range));
    statements(decl.body);
  }

  void reduction(const ast::FunctionDecl &decl) {
    auto op =
        b.create<graph::ReductionOp>(loc(decl.range), decl.name, type(decl.result), b.getStrArrayAttr({"a", "b"}));
    OpBuilder::InsertionGuard guard(b);
    Block *combine = b.createBlock(&op.getCombine());
    for (const auto &parameter : decl.parameters)
      env[parameter.symbol] = combine->addArgument(type(decl.result), loc(parameter.range));
    statements(decl.body);
    b.createBlock(&op.getNeutral());
    b.create<graph::ReturnOp>(loc(decl.neutral->range), expression(*decl.neutral));
  }

  void lower(const ast::AlgorithmDecl &decl) {
    SmallVector<Attribute> arguments;
    auto describe = [&](const std::string &name, const char *key, Attribute value, const std::string &joint = "") {
      SmallVector<NamedAttribute> entries{b.getNamedAttr("name", b.getStringAttr(name))};
      if (value)
        entries.push_back(b.getNamedAttr(key, value));
      if (!joint.empty())
        entries.push_back(b.getNamedAttr("joint", b.getStringAttr(joint)));
      arguments.push_back(b.getDictionaryAttr(entries));
    };
    for (const auto &column : decl.edgeProperties)
      describe(column.name, "column", b.getUnitAttr());
    const std::vector<const ast::ParameterDecl *> parameters = decl.plainParameters();
    for (const ast::ParameterDecl *parameter : parameters)
      describe(parameter->name, "default",
               parameter->defaultValue ? b.getStringAttr(defaultText(*parameter->defaultValue)) : Attribute(),
               parameter->joint);
    const char *directedness = decl.directedness == ast::Directedness::Any        ? "any"
                               : decl.directedness == ast::Directedness::Directed ? "directed"
                                                                                  : "undirected";
    undirected = decl.directedness == ast::Directedness::Undirected;
    auto op = b.create<graph::AlgorithmOp>(loc(decl.range), decl.name, file, directedness, b.getArrayAttr(arguments),
                                           ArrayAttr());
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&op.getBody());
    for (const auto &column : decl.edgeProperties)
      env[column.symbol] = block->addArgument(
          graph::StateType::get(b.getContext(), type(column.type), graph::Shape::PerEdge), loc(column.range));
    for (const ast::ParameterDecl *parameter : parameters) {
      Type element = type(parameter->type.type);
      Type whole = parameter->type.shape == ast::Shape::Scalar
                       ? element
                       : graph::StateType::get(b.getContext(), element, graph::Shape::PerVertex);
      env[parameter->symbol] = block->addArgument(whole, loc(parameter->range));
    }
    for (const ast::ParameterDecl &parameter : decl.parameters)
      if (parameter.made)
        env[parameter.symbol] = computed(parameter, *parameter.made, loc(parameter.range));
    body(decl);
    SmallVector<Attribute> directives;
    addDirectives(decl, "", directives);
    for (const auto &[callee, prefix] : called)
      addDirectives(*callee, prefix, directives);
    if (!directives.empty())
      op.setDirectivesAttr(b.getArrayAttr(directives));
  }

private:
  /// The schedules of one algorithm, whose statements' labels begin with `prefix`. The front end has checked all words
  /// and numbers against the table. What a called algorithm's schedule says of the whole algorithm does not count.
  void addDirectives(const ast::AlgorithmDecl &decl, const std::string &prefix, SmallVectorImpl<Attribute> &result) {
    for (const auto &schedule : program.schedules)
      for (const auto &section : schedule.sections)
        for (const auto &said : section.directives)
          if (schedule.algorithm == decl.name &&
              (prefix.empty() ||
               schedule::directives()[*schedule::find(said.name)].subject != schedule::Subject::Algorithm))
            result.push_back(directive(section, prefix + section.label, said));
  }

  graph::DirectiveAttr directive(const ast::ScheduleSection &section, const std::string &label,
                                 const ast::ScheduleDirective &said) {
    unsigned index = *schedule::find(said.name);
    const schedule::Directive &row = schedule::directives()[index];
    SmallVector<unsigned> values;
    SmallVector<DictionaryAttr> options;
    for (const ast::ScheduleValue &given : said.values) {
      const schedule::Value *value = row.value(given.name, section.target);
      values.push_back(static_cast<unsigned>(value - row.values.data()));
      SmallVector<NamedAttribute> numbers;
      for (const ast::ScheduleOption &option : given.options) {
        schedule::Number::Value number = *value->option(option.name)->number.parse(option.value);
        auto *whole = std::get_if<std::int64_t>(&number);
        numbers.push_back(b.getNamedAttr(option.name, whole ? Attribute(b.getI64IntegerAttr(*whole))
                                                            : b.getF64FloatAttr(std::get<double>(number))));
      }
      options.push_back(b.getDictionaryAttr(numbers));
    }
    return graph::DirectiveAttr::get(b.getContext(), b.getStringAttr(section.target), b.getStringAttr(label), index,
                                     values, options, LocationAttr(graph::spelled(loc(said.range))));
  }
};

} // namespace

OwningOpRef<ModuleOp> lowerToGraph(const ast::Program &program, MLIRContext &context) {
  OpBuilder builder(&context);
  auto file = builder.getStringAttr(llvm::sys::path::filename(program.file));
  OwningOpRef<ModuleOp> module = ModuleOp::create(FileLineColLoc::get(file, 1, 1));
  builder.setInsertionPointToEnd(module->getBody());
  for (const auto &import : program.imports)
    builder.create<graph::ImportOp>(FileLineColLoc::get(file, import.range.line, import.range.column), import.path);
  for (const auto &function : program.functions)
    ProgramLowering(builder, file, program).function(function);
  for (const auto &reduction : program.reductions)
    ProgramLowering(builder, file, program).reduction(reduction);
  for (const auto &algorithm : program.algorithms)
    ProgramLowering(builder, file, program).lower(algorithm);
  return module;
}

} // namespace gcompile
