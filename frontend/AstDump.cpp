// The text of `--emit=ast`.
#include "frontend/Frontend.h"
#include "frontend/Sema.h"

#include <fmt/format.h>

namespace gcompile {

namespace {

using namespace ast;

class Dumper {
public:
  std::string text;

  void program(const Program &program) {
    for (const ImportDecl &import : program.imports)
      line("import \"{}\"", import.path);
    for (const FunctionDecl &decl : program.functions) {
      line("function {} -> {}", decl.name, typeName(decl.result));
      Indent indent(*this);
      parameters(decl.parameters);
      statements(decl.body);
    }
    for (const FunctionDecl &decl : program.reductions) {
      line("reduction {}: {}", decl.name, typeName(decl.result));
      Indent indent(*this);
      named("neutral", decl.neutral);
      statements(decl.body);
    }
    for (const AlgorithmDecl &decl : program.algorithms)
      algorithm(decl);
    for (const ScheduleDecl &decl : program.schedules)
      schedule(decl);
  }

private:
  struct Indent {
    explicit Indent(Dumper &dumper) : dumper(dumper) { ++dumper.depth; }
    ~Indent() { --dumper.depth; }
    Dumper &dumper;
  };

  template <typename... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    text.append(2 * depth, ' ');
    text += fmt::format(format, std::forward<Args>(args)...);
    text += '\n';
  }

  static std::string shaped(const Type &type, Shape shape) {
    static const char *shapes[] = {"", " per vertex", " per edge", " per pair", " in an array"};
    return typeName(type) + shapes[static_cast<int>(shape)];
  }

  void parameters(const std::vector<ParameterDecl> &list) {
    for (const ParameterDecl &parameter : list) {
      line("parameter {}: {}", parameter.name, shaped(parameter.type.type, parameter.type.shape));
      Indent indent(*this);
      named("default", parameter.defaultValue);
      parameters(parameter.parts);
      named("from", parameter.made);
    }
  }

  void algorithm(const AlgorithmDecl &decl) {
    static const char *directedness[] = {"", " directed", " undirected"};
    line("algorithm {}", decl.name);
    Indent indent(*this);
    line("graph {}{}", decl.graphName, directedness[static_cast<int>(decl.directedness)]);
    for (const EdgePropertyDecl &property : decl.edgeProperties) {
      Indent inner(*this);
      line("edge property {}: {}", property.name, typeName(property.type));
    }
    parameters(decl.parameters);
    statements(decl.body);
  }

  static std::string scheduleValues(const std::vector<ScheduleValue> &values) {
    std::string result;
    for (const ScheduleValue &value : values) {
      result += result.empty() ? value.name : " + " + value.name;
      std::string options;
      for (const ScheduleOption &option : value.options)
        options += fmt::format("{}{} = {}", options.empty() ? "" : ", ", option.name, option.value);
      if (!options.empty())
        result += "(" + options + ")";
    }
    return result;
  }

  void schedule(const ScheduleDecl &decl) {
    line("schedule {}", decl.algorithm);
    Indent indent(*this);
    for (const ScheduleSection &section : decl.sections) {
      line("{}{}{}", section.target, section.label.empty() ? "" : " ", section.label);
      Indent inner(*this);
      for (const ScheduleDirective &directive : section.directives) {
        std::string values = scheduleValues(directive.values);
        for (const auto &alternative : directive.alternatives)
          values += " | " + scheduleValues(alternative);
        line("{}{}{}", directive.name, directive.values.front().name.empty() ? "" : " ", values);
      }
    }
  }

  // ---- statements

  void statements(const std::vector<StmtPtr> &body) {
    for (const StmtPtr &stmt : body)
      statement(*stmt);
  }

  void block(const char *name, const std::vector<StmtPtr> &body) {
    line("{}", name);
    Indent indent(*this);
    statements(body);
  }

  void statement(const Stmt &stmt) {
    std::string label = stmt.label.empty() ? "" : stmt.label + ": ";
    switch (stmt.kind) {
    case StmtKind::Declare: {
      bool local = stmt.symbol && stmt.symbol->local;
      line("{}{} {}: {}", stmt.output ? "output" : "variable", local ? " local" : "", stmt.name,
           shaped(stmt.typeSpec->type, stmt.typeSpec->shape));
      Indent indent(*this);
      if (stmt.typeSpec->shape == Shape::Array)
        expr(stmt.typeSpec->length);
      expr(stmt.value);
      break;
    }
    case StmtKind::Let: {
      line("let {}: {}", stmt.name, stmt.symbol ? typeName(stmt.symbol->type) : "?");
      Indent indent(*this);
      expr(stmt.value);
      break;
    }
    case StmtKind::Assign: {
      line("assign {}", stmt.op);
      Indent indent(*this);
      for (const ExprPtr &target : stmt.targets)
        named("target", target);
      named("value", stmt.value);
      break;
    }
    case StmtKind::For: {
      line("{}for{}", label, stmt.sequential ? " sequentially" : "");
      Indent indent(*this);
      pattern(*stmt.pattern);
      named("where", stmt.where);
      block("body", stmt.body);
      break;
    }
    case StmtKind::Propagate: {
      line("{}propagate", label);
      Indent indent(*this);
      pattern(*stmt.pattern);
      if (!stmt.orderedName.empty())
        line("ordered by {}", stmt.orderedName);
      if (!stmt.levelsName.empty())
        line("keep levels {}", stmt.levelsName);
      if (!stmt.roundName.empty())
        line("round {}", stmt.roundName);
      named("at most", stmt.atMost);
      named("until", stmt.condition);
      named("where", stmt.where);
      block("body", stmt.body);
      break;
    }
    case StmtKind::If: {
      line("if");
      Indent indent(*this);
      named("condition", stmt.condition);
      block("then", stmt.body);
      if (!stmt.elseBody.empty())
        block("else", stmt.elseBody);
      break;
    }
    case StmtKind::While: {
      line("{}while", label);
      Indent indent(*this);
      named("condition", stmt.condition);
      block("body", stmt.body);
      break;
    }
    case StmtKind::Repeat: {
      line("{}repeat", label);
      Indent indent(*this);
      named("count", stmt.value);
      block("body", stmt.body);
      named("until", stmt.condition);
      break;
    }
    case StmtKind::Break:
      line("break");
      break;
    case StmtKind::Return: {
      line("return");
      Indent indent(*this);
      expr(stmt.value);
      break;
    }
    case StmtKind::Block:
      block("block", stmt.body);
      break;
    }
  }

  void pattern(const Pattern &pattern) {
    static const char *kinds[] = {"vertex-in", "pairs",      "edges",    "out-of",     "into",
                                  "either",    "edges-both", "level-in", "edges-into", "integers"};
    std::string names = pattern.u ? pattern.u->name : pattern.first;
    if (!pattern.second.empty()) {
      names += !pattern.arrow ? ", " : pattern.undirected ? " -- " : " -> ";
      names += pattern.v ? pattern.v->name : pattern.second;
    }
    if (!pattern.edgeName.empty())
      names = pattern.edgeName + ": " + names;
    std::string bound = pattern.boundU   ? " bound " + pattern.u->name
                        : pattern.boundV ? " bound " + pattern.v->name
                                         : "";
    line("pattern {} {}{}{}", kinds[static_cast<int>(pattern.kind)], names, bound, pattern.reversed ? " reversed" : "");
    Indent indent(*this);
    named(pattern.end ? "first" : "set", pattern.set);
    named("end", pattern.end);
  }

  // ---- expressions

  void named(const char *name, const ExprPtr &e) {
    if (!e)
      return;
    line("{}", name);
    Indent indent(*this);
    expr(e);
  }

  void expr(const ExprPtr &e) {
    if (!e)
      return;
    line("{}: {}", head(*e), typeName(e->type));
    Indent indent(*this);
    if (e->pattern)
      pattern(*e->pattern);
    named("where", e->where);
    named("value", e->value);
    for (const ExprPtr &operand : e->operands)
      expr(operand);
  }

  static std::string head(const Expr &e) {
    switch (e.kind) {
    case ExprKind::IntLiteral:
      return fmt::format("int {}", e.intValue);
    case ExprKind::FloatLiteral:
      return fmt::format("real {}", e.floatValue);
    case ExprKind::BoolLiteral:
      return e.boolValue ? "true" : "false";
    case ExprKind::Inf:
      return "inf";
    case ExprKind::None:
      return "none";
    case ExprKind::Self:
      return "self";
    case ExprKind::Name:
      return "name " + e.text;
    case ExprKind::Index:
      return "index";
    case ExprKind::Member:
      return "member " + e.text;
    case ExprKind::Unary:
      return "unary " + e.text;
    case ExprKind::Binary:
      return "binary " + e.text;
    case ExprKind::In:
      return "in";
    case ExprKind::Call:
      return "call " + e.text;
    case ExprKind::TupleExpr:
      return "tuple";
    case ExprKind::TupleElement:
      return fmt::format("element {}", e.index);
    case ExprKind::SetLiteral:
      return "set";
    case ExprKind::SetFilter:
      return "filter";
    case ExprKind::Conditional:
      return "conditional";
    case ExprKind::Reduce:
      return "reduce " + e.text;
    case ExprKind::Convert:
      return "convert";
    }
    return "";
  }

  unsigned depth = 0;
};

} // namespace

std::string dumpAst(const ast::Program &program) {
  Dumper dumper;
  dumper.program(program);
  return dumper.text;
}

} // namespace gcompile
