// The builder's class, shared by the AstBuilder*.cpp files. Private to frontend/.
#pragma once

#include "frontend/AstBuilder.h"
#include "frontend/DepthLimit.h"
#include "frontend/Tokens.h"

namespace gcompile {

using namespace ast;

/// The source range of a subtree.
Range rangeOf(antlr4::ParserRuleContext *context);

/// A part of a subtree, by its place: the grammar says that it is a T. The accessors of a context look through all
/// parts for one, with a cast of its type at each.
template <typename T> T *part(antlr4::ParserRuleContext *context, std::size_t place) {
  return static_cast<T *>(context->children[place]);
}

/// The text of a subtree's tokens, without what stands between them.
std::string textOf(antlr4::ParserRuleContext *context);

/// From the start of `first` to the end of `last`.
Range spanning(Range first, const Range &last);

/// A number without the `_` between its digits.
std::string withoutSeparators(std::string digits);

/// Everything that may follow a pattern.
struct Clauses {
  ExprPtr set, where, until, atMost; // set: of `from` or `into`
  Range setRange;
  bool into = false, sequential = false, reversed = false, keep = false;
  std::string ordered, levels, round;
  Range orderedRange, keepRange, roundRange;
};

/// Where a pattern is written decides which clauses may follow it.
enum class Place { For, Propagate, Reduction, Filter };

class AstBuilder {
public:
  explicit AstBuilder(Diagnostics &diags) : diags(diags) {}

  std::unique_ptr<Program> program(P::ProgramContext *tree);

private:
  FunctionDecl function(P::FunctionDeclContext *context);
  FunctionDecl combiner(P::ReductionDeclContext *context);
  AlgorithmDecl algorithm(P::AlgorithmDeclContext *context);
  ScheduleDecl schedule(P::ScheduleDeclContext *context);
  ScheduleValue scheduleValue(P::ScheduleValueContext *context);
  std::vector<ScheduleOption> options(P::OptionListContext *context);
  void graphAttributes(P::GraphTypeContext *context, AlgorithmDecl &algorithm);
  ParameterDecl parameter(P::ParameterContext *context);

  TypeSpec typeSpec(P::TypeContext *context);
  Type typeName(P::TypeNameContext *context);

  std::vector<StmtPtr> block(P::BlockContext *context);
  StmtPtr statement(P::StatementContext *context);
  StmtPtr declaration(P::DeclarationContext *context);
  StmtPtr let(P::LetStatementContext *context);
  StmtPtr assignment(P::AssignmentContext *context);
  StmtPtr forStatement(P::ForStatementContext *context);
  StmtPtr propagate(P::PropagateStatementContext *context);
  StmtPtr ifStatement(P::IfStatementContext *context);
  StmtPtr repeat(P::RepeatStatementContext *context);
  StmtPtr make(StmtKind kind, antlr4::ParserRuleContext *context, P::LabelContext *label = nullptr);

  std::unique_ptr<Pattern> pattern(P::PatternContext *context);
  std::unique_ptr<Pattern> edgePattern(P::EdgePatternContext *context);
  Clauses clauses(const std::vector<P::ClauseContext *> &contexts, Place place);
  /// Notes the set of a `from` or `into`.
  void addSet(Clauses &clauses, P::ClauseContext *clause, P::ExprContext *set, bool into);
  void addSet(Pattern &pattern, Clauses &clauses);

  ExprPtr expr(P::ExprContext *context);
  ExprPtr call(P::CallExprContext *context);
  /// The name of what is called, with the arguments of a template as C++ writes them: "geo::norm<double, 3>".
  std::string callee(P::CalleeContext *context);
  ExprPtr reduction(const Range &range, P::NameContext *op, std::unique_ptr<Pattern> pattern,
                    const std::vector<P::ClauseContext *> &clauses, ExprPtr value);
  ExprPtr set(P::SetExprContext *context, ExprPtr literal);
  ExprPtr member(P::MemberExprContext *context);
  ExprPtr literal(P::LiteralExprContext *context);
  ExprPtr elements(ExprPtr base, const Range &range, const std::string &text);
  ExprPtr lvalue(P::LvalueContext *context);
  ExprPtr name(P::NameContext *context);
  ExprPtr make(ExprKind kind, const Range &range);

  Diagnostics &diags;
  bool imports = false;                         // the file does
  std::set<std::string> calledNames, typeNames; // see ast::Program
};

} // namespace gcompile
