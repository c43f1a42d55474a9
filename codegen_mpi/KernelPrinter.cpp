#include "codegen_mpi/KernelPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;
using gcompile::cpp::Writer;

namespace gcompile::mpi {

static Type elementOf(Value state) { return cast<graph::StateType>(state.getType()).getElement(); }

Writer printedReduction(cpp::BodyPrinter &printer, const cpp::Program &program, exec::ReduceToOwnerOp op,
                        const std::string &worklist) {
  cpp::BodyPrinter::ScopeGuard names(printer);
  std::string v = printer.fresh("v");
  cpp::List parameters, states;
  SmallVector<std::string> targets, values;
  auto add = [&](Value state) {
    std::string member = program.members.lookup(state);
    values.push_back(printer.fresh(exec::nameOf(state)));
    targets.push_back(member + "[" + v + "]");
    parameters.add("const " + cpp::elementName(elementOf(state)) + " " + values.back());
    states.add(member);
  };
  parameters.add("const V " + v);
  add(op.getState());
  for (Value state : op.getWith())
    add(state);

  Writer out;
  std::string head = op.getNeutral() ? "ranks_.collect_at_owner(" + printer.operand(op.getNeutral()) + ", "
                                     : "ranks_.reduce_to_owner(";
  Writer::Block apply = out.block(head + "[&](" + parameters.text() + ")", ", " + states.text() + ");");
  out.add(cpp::recordApplied(op, targets, values, op.getExpected() ? printer.operand(op.getExpected()) : "",
                             worklist + ".activate(" + v + ");"));
  return out;
}

void declareRounds(cpp::BodyPrinter &printer, const cpp::Program &program, exec::ResumeOp op,
                   const std::string &variable, const std::string &active) {
  cpp::List arguments;
  arguments.add("ranks_");
  arguments.add(std::to_string(op.getNumber()));
  if (!active.empty())
    arguments.add(active);
  for (Value state : op.getStates()) {
    std::string member = program.members.lookup(state);
    if (cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Array) {
      std::string whole = printer.fresh("whole_" + exec::nameOf(state));
      printer.line("gc::mpi::WholeArray " + whole + "(" + member + ");");
      member = whole;
    }
    arguments.add(member);
  }
  printer.line("gc::mpi::Rounds " + variable + "(" + arguments.text() + ");");
}

KernelPrinter::KernelPrinter(cpp::Program &program, Operation *op, Region &region, std::string function,
                             const cpp::SetCopies &copies)
    : KernelBodyPrinter(program), op(op), region(region), function(std::move(function)), copies(copies) {
  collect();
}

KernelPrinter::Alias *KernelPrinter::alias(Value value) {
  for (Alias &each : aliases)
    if (each.value == value)
      return &each;
  return nullptr;
}

/// Notes a value from outside of the kernel: a member gets an alias, another value becomes a parameter.
void KernelPrinter::capture(Value value) {
  if (isBound(value) || alias(value) || llvm::is_contained(captured, value))
    return;
  if (program.members.contains(value) || program.columns.contains(value)) {
    std::string name = value.getDefiningOp() ? cpp::suggestName(value) : "";
    if (auto argument = dyn_cast<BlockArgument>(value))
      name =
          cast<StringAttr>(cast<DictionaryAttr>(program.op.getArguments()[argument.getArgNumber()]).get("name")).str();
    aliases.push_back({value, names.fresh(name)});
    if (!isa<graph::StateType>(value.getType())) { // a parameter is used as a value
      bind(value, aliases.back().name);
      aliases.back().used = true;
    }
    return;
  }
  if (Operation *def = value.getDefiningOp(); def && cpp::isRematerialised(def))
    return;
  captured.push_back(value);
  declare(value, cpp::suggestName(value));
}

void KernelPrinter::collect() {
  auto over = llvm::TypeSwitch<Operation *, Value>(op)
                  .Case<exec::ParallelOp, exec::ReduceOp>([](auto o) { return o.getOver(); })
                  .Case([](exec::FilterOp o) { return Value(o.getSet()); })
                  .Case([](exec::OrderedOp o) { return Value(o.getFrom()); })
                  .Default(Value());
  if (over && !over.getDefiningOp<graph::AllVerticesOp>()) {
    captured.push_back(over);
    printed.insert(over);
    declare(over, cpp::suggestName(over));
  }
  if (auto ordered = dyn_cast<exec::OrderedOp>(op))
    for (Value end : ordered.getEnds())
      capture(end);
  // The round of a propagate is a parameter too.
  const bool records = program.profiled() && isRound();
  if (isa<exec::PropagateOp>(op) && (records || !region.getArgument(1).use_empty())) {
    captured.push_back(region.getArgument(1));
    if (records)
      printed.insert(region.getArgument(1));
    declare(region.getArgument(1), cpp::argumentName(region.getArgument(1)));
  }
  region.walk([&](Operation *inner) {
    for (Value v : inner->getOperands())
      if (!region.isAncestor(v.getParentRegion()))
        capture(v);
    auto update = dyn_cast<exec::UpdateOp>(inner);
    if (Alias *scalar = update ? alias(update.getState()) : nullptr;
        scalar && update.getSync() == exec::Sync::Private) {
      scalar->privately = true;
      scalar->kind = update.getKind();
    }
  });
}

bool KernelPrinter::isRound() const {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  return propagate && &region != &propagate.getCommit();
}

std::string KernelPrinter::countOf(graph::Domain domain, Value over) {
  if (domain == graph::Domain::Pairs)
    return "std::uint64_t(ranks_.last() - ranks_.first()) * graph_.num_vertices()";
  return over && !over.getDefiningOp<graph::AllVerticesOp>() ? "std::uint64_t(" + value(over).text + ".size())"
                                                             : "ranks_.last() - ranks_.first()";
}

std::string KernelPrinter::record() {
  std::string head = "const auto " + names.fresh("call") + " = profile_.",
              arguments = cpp::quoted(cpp::place(op->getLoc())) + ", " + cpp::quoted(function) + ", ";
  if (isRound()) {
    bool pulls = &region == &cast<exec::PropagateOp>(op).getPull();
    return head + "enter_round(" + arguments + (pulls ? "\"pull\"" : "\"push\"") + ", " +
           value(region.getArgument(1)).text + ", std::uint64_t(frontier_.end() - frontier_.begin()));";
  }
  std::string count = llvm::TypeSwitch<Operation *, std::string>(op)
                          .Case([&](exec::ParallelOp o) { return countOf(o.getDomain(), o.getOver()); })
                          .Case([&](exec::ReduceOp o) { return countOf(*o.getDomain(), o.getOver()); })
                          .Case([&](exec::FilterOp o) { return countOf(graph::Domain::Vertices, o.getSet()); })
                          .Case([&](exec::OrderedOp o) { return countOf(graph::Domain::Vertices, o.getFrom()); })
                          .Default([](Operation *) { return "std::uint64_t(frontier_.end() - frontier_.begin())"; });
  return head + "enter(" + arguments + count + ");";
}

std::string KernelPrinter::stateName(Value state) {
  if (Alias *known = alias(state)) {
    known->used = true;
    return known->name;
  }
  return value(state).text; // a local state
}

std::string KernelPrinter::element(Value state, ValueRange indices, bool checked, Operation *at) {
  // The rank's own part is not the value: that is what the member held when the kernel began.
  if (Alias *known = alias(state); known && known->privately && isa<graph::ReadOp>(at))
    return program.members.lookup(state);
  if (std::string pair = pairElement(state, indices, checked, at); !pair.empty())
    return pair;
  return BodyPrinter::element(state, indices, checked, at);
}

std::string KernelPrinter::declaration(const Alias &known) const {
  if (auto column = program.columns.find(known.value); column != program.columns.end()) {
    std::string type = cpp::elementName(elementOf(known.value));
    return "const " + type + " *const " + known.name + " = graph_.template edge_column<" + type + ">(" +
           std::to_string(column->second) + ");";
  }
  std::string member = program.members.lookup(known.value);
  auto state = dyn_cast<graph::StateType>(known.value.getType());
  if (known.privately && state.getShape() == graph::Shape::Array)
    return "auto " + known.name + " = gc::mpi::part_of(" + member + ", " +
           cpp::neutralValue(known.kind, state.getElement()) + ");";
  if (known.privately)
    return cpp::typeName(state.getElement()) + " " + known.name + " = " +
           cpp::neutralValue(known.kind, state.getElement()) + ";";
  auto copy = known.value.getDefiningOp<exec::SnapshotOp>();
  if (state && (state.getShape() == graph::Shape::PerVertex || (copy && (copy.getRow() || copy.getColumn()))))
    return "auto *const " + known.name + " = " + member + ".data();";
  if (state && state.getShape() == graph::Shape::Dense)
    return "auto &" + known.name + " = " + member + ";";
  return "const auto &" + known.name + " = " + member + ";";
}

void KernelPrinter::loopOver(graph::Domain domain, Value set, llvm::function_ref<void()> loop) {
  ScopeGuard variables(*this);
  auto body = [&] {
    declareRows(region, region.getArgument(0),
                [&](Value state) -> std::string { return alias(state) ? "auto *const " : ""; });
    if (domain != graph::Domain::Pairs)
      return loop();
    std::string j = declare(region.getArgument(1), cpp::argumentName(region.getArgument(1))), n = scope->fresh("n");
    Writer::Block columns =
        out.block("for (V " + j + " = 0, " + n + " = graph_.num_vertices(); " + j + " < " + n + "; ++" + j + ")");
    loop();
  };
  BlockArgument vertex = region.getArgument(0);
  std::string wanted = cpp::argumentName(vertex);
  if (!set || set.getDefiningOp<graph::AllVerticesOp>()) {
    std::string v = declare(vertex, wanted), last = scope->fresh("last");
    Writer::Block vertices = out.block("for (V " + v + " = ranks_.first(), " + last + " = ranks_.last(); " + v + " < " +
                                       last + "; ++" + v + ")");
    return body();
  }
  std::string members = value(set).text, v = declare(vertex, wanted);
  Writer::Block vertices =
      out.block(std::string("for (") + (vertex.use_empty() && !isa<exec::FilterOp>(op) ? "[[maybe_unused]] " : "") +
                "const V " + v + " : " + members + ")");
  body();
}

std::string KernelPrinter::ofAllRanks(const std::string &part, const std::string &combination) const {
  return "ranks_.combined(" + part + ", [](auto &total, const auto &part) { " + combination + " })";
}

void KernelPrinter::domain() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](exec::ParallelOp o) { loopOver(o.getDomain(), o.getOver(), [&] { block(region.front()); }); })
      .Case([&](exec::ReduceOp o) {
        std::string name;
        out.add(printedBy([&] { accumulators[o] = name = accumulator(o); }));
        loopOver(*o.getDomain(), o.getOver(), [&] { block(region.front()); });
        result = cpp::typeName(o.getType());
        after.push_back("return " +
                        cpp::accumulated(o.getKind(), ofAllRanks(name, cpp::combined(o.getKind(), "total", "part"))) +
                        ";");
      })
      .Case([&](exec::FilterOp o) {
        std::string members = names.fresh("members"), kept = names.fresh("kept");
        result = "gc::VertexSet<V>";
        bool all = o.getSet().getDefiningOp<graph::AllVerticesOp>() != nullptr;
        line("gc::VertexSetBuilder<V> " + members + "(graph_.num_vertices(), " +
             (all ? "ranks_.last() - ranks_.first()" : value(o.getSet()).text + ".slots()") + ");");
        Writer::Block writing = out.block(""); // members are handed over when their writer goes out of scope
        line("auto " + kept + " = " + members + ".writer();");
        loopOver(graph::Domain::Vertices, o.getSet(), [&] {
          block(region.front());
          Writer::Block keeps = out.block("if (" + operand(yielded(region)) + ")");
          line(kept + ".push(" + value(region.getArgument(0)).text + ");");
        });
        after.push_back("return " + members + ".finish();");
      })
      .Case([&](exec::PropagateOp o) {
        if (&region == &o.getPull())
          return loopOver(graph::Domain::Vertices, Value(), [&] { block(region.front()); });
        ScopeGuard variables(*this);
        std::string u = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
        Writer::Block vertices = out.block("for (const V " + u + " : frontier_)");
        block(region.front());
      })
      .Case([&](exec::OrderedOp o) { ordered(o); });
}

std::string KernelPrinter::levelWidth(exec::OrderedOp o) {
  if (o.getDelta() != 0)
    return std::to_string(o.getDelta());
  std::string call = "gc::mpi::choose_delta<" + cpp::typeName(elementOf(o.getPriority())) + ">(ranks_, graph_";
  if (auto growsBy = o.getGrowsBy()) {
    Value weights = program.op.getBody().getArgument(static_cast<unsigned>(*growsBy));
    if (auto column = program.columns.find(weights); column != program.columns.end())
      call += ", graph_.template edge_column<" + cpp::typeName(elementOf(weights)) + ">(" +
              std::to_string(column->second) + ")";
    else
      call += ", " + program.members.lookup(weights) + ".data(), graph_.num_vertices()";
  }
  return call + ")";
}

void KernelPrinter::ordered(exec::OrderedOp o) {
  worklist = names.fresh("buckets");
  std::string from = o.getFrom().getDefiningOp<graph::AllVerticesOp>() ? "ranks_.all()" : value(o.getFrom()).text;
  line("gc::mpi::Buckets<V, " + cpp::orderName(o.getPriority().getType(), o.getGreatestFirst()) + "> " + worklist +
       "(ranks_, " + program.members.lookup(o.getPriority()) + ".data(), " + levelWidth(o) + ");");
  if (!o.getEnds().empty())
    line(worklist + (o.getFirstEnd() ? ".end_with_first({" : ".end_with_all({") +
         cpp::listed(o.getEnds(), [&](Value end) { return operand(end); }) + "});");
  line(worklist + ".start(" + from + ");");
  auto resume = dyn_cast_or_null<exec::ResumeOp>(o->getPrevNode());
  std::string rounds = resume ? names.fresh("rounds") : "";
  if (resume)
    declareRounds(*this, program, resume, rounds, worklist);
  Writer::Block steps = out.block("while (" + (resume ? rounds + ".next() && " : "") + worklist + ".advance())");
  {
    ScopeGuard variables(*this);
    std::string u = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
    Writer::Block vertices = out.block("for (const V " + u + " : " + worklist + ")");
    block(region.front());
  }
  for (Operation &each : o.getExchange().front())
    if (auto reduce = dyn_cast<exec::ReduceToOwnerOp>(each))
      out.add(printedReduction(*this, program, reduce, worklist));
  steps.close();
  if (resume && resume.getFollowed())
    line(rounds + ".end();");
}

Writer KernelPrinter::print() {
  domain();
  llvm::erase_if(captured, [&](Value v) { return !printed.contains(v); });
  auto parameter = [&](Value v) {
    bool large = isa<graph::SetType>(v.getType());
    return (large ? "const " : "") + cpp::typeName(v.getType()) + (large ? " &" : " ") + value(v).text;
  };
  Writer whole;
  if (std::string where = cpp::place(op->getLoc()); !where.empty())
    whole.line("// " + where);
  Writer::Block body = whole.block(result + " " + function + "(" + cpp::listed(captured, parameter) + ")");
  if (program.profiled())
    whole.line(record());
  if (!edges.empty())
    whole.line("std::uint64_t " + edges + " = 0;");
  for (const Alias &known : aliases)
    if (known.used)
      whole.line(declaration(known));
  whole.add(out);
  if (!edges.empty())
    whole.line("profile_.count_edges(" + edges + ");");
  for (const Alias &known : aliases)
    if (auto state = dyn_cast<graph::StateType>(known.value.getType());
        known.used && known.privately && state.getShape() == graph::Shape::Array)
      whole.line("gc::mpi::combine_parts(" + program.members.lookup(known.value) + ", " + known.name +
                 ", [](auto &total, const auto &part) { " + cpp::combined(known.kind, "total", "part") + " });");
    else if (known.used && known.privately)
      whole.line(cpp::combined(known.kind, program.members.lookup(known.value),
                               ofAllRanks(known.name, cpp::combined(known.kind, "total", "part"))));
  for (const std::string &line : after)
    whole.line(line);
  body.close();
  return whole;
}

std::string givenSet(const cpp::Program &program, Value set) {
  auto argument = dyn_cast<BlockArgument>(set);
  return argument && isa<graph::SetType>(set.getType()) && isa<graph::AlgorithmOp>(argument.getOwner()->getParentOp())
             ? program.members.lookup(set)
             : "";
}

Text KernelPrinter::targetExpression(Operation *expression) {
  if (auto test = dyn_cast<exec::InFrontierOp>(expression))
    return {worklist + ".contains(" + operand(test.getVertex()) + ")"};
  if (auto contains = dyn_cast<graph::ContainsOp>(expression)) {
    Value set = contains.getSet();
    while (auto let = set.getDefiningOp<graph::LetOp>())
      set = let.getValue();
    if (std::string member = givenSet(program, set); !member.empty())
      return {member + ".contains(" + operand(contains.getVertex()) + ")"};
    auto read = set.getDefiningOp<graph::ReadOp>();
    if (std::string member = read ? copies.of(read.getState()) : ""; !member.empty())
      return {member + ".contains(" + operand(contains.getVertex()) + ")"};
  }
  if (auto size = dyn_cast<graph::SetSizeOp>(expression))
    if (std::string member = givenSet(program, size.getSet()); !member.empty())
      return {member + ".size()"};
  return KernelBodyPrinter::targetExpression(expression);
}

void KernelPrinter::statement(Operation *inner) {
  llvm::TypeSwitch<Operation *>(inner)
      .Case([&](exec::CountEdgeOp) {
        if (edges.empty())
          edges = names.fresh("edges");
        line("++" + edges + ";");
      })
      .Case([&](exec::TouchCopyOp o) { line("ranks_.touch(" + operand(o.getVertex()) + ");"); })
      .Case([&](exec::ActivateOp o) { line(worklist + ".activate(" + operand(o.getVertex()) + ");"); })
      .Default([&](Operation *) { KernelBodyPrinter::statement(inner); });
}

} // namespace gcompile::mpi
