// The member function around a kernel's loop: what it declares, what its threads share and accumulate, and the loop.
#include "codegen_mpi/KernelPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

#include <tuple>

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::mpi {

static bool isAll(Value set) { return !set || set.getDefiningOp<graph::AllVerticesOp>(); }

bool KernelPrinter::isArray(Value state) {
  auto type = dyn_cast<graph::StateType>(state.getType());
  return type && type.getShape() == graph::Shape::Array;
}

// ---- What it declares -----------------------------------------------------------------------------------------------

std::string KernelPrinter::declaration(const Alias &known) {
  if (auto column = program.columns.find(known.value); column != program.columns.end()) {
    std::string type = cpp::elementName(elementOf(known.value));
    return "const " + type + " *const " + known.name + " = " + listsName() + ".template edge_column<" + type + ">(" +
           std::to_string(column->second) + ");";
  }
  std::string member = program.members.lookup(known.value);
  auto state = dyn_cast<graph::StateType>(known.value.getType());
  if (!known.parts.empty() && isArray(known.value))
    return "const auto " + known.name + " = " + known.parts + ".mine();";
  if (known.privately && isArray(known.value))
    return ""; // what this rank accumulates has the name
  if (known.privately)
    return cpp::typeName(state.getElement()) + " " + known.name + " = " +
           cpp::neutralValue(known.kind, state.getElement()) + ";";
  auto copy = known.value.getDefiningOp<exec::SnapshotOp>();
  if (state && (state.getShape() == graph::Shape::PerVertex || state.getShape() == graph::Shape::PerEdge ||
                (copy && (copy.getRow() || copy.getColumn()))))
    return "auto *const " + known.name + " = " + member + ".data();";
  if (state && state.getShape() == graph::Shape::Dense)
    return "auto &" + known.name + " = " + member + ";";
  return "const auto &" + known.name + " = " + member + ";";
}

void KernelPrinter::accumulate(const Alias &known) {
  Type element = elementOf(known.value);
  std::string member = program.members.lookup(known.value), neutral = cpp::neutralValue(known.kind, element);
  std::string combination = cpp::combined(known.kind, "total", "part");
  if (isArray(known.value)) {
    before.line("auto " + known.whole + " = gc::mpi::part_of(" + member + ", " + neutral + ");");
    if (threads) {
      before.line("gc::ArrayParts<" + cpp::elementName(element) + ", " + cpp::Combining(known.kind).type() + "> " +
                  known.parts + "(" + known.whole + ", " + neutral + ", " + countOf(setOf()) + ");");
      combined.push_back(known.parts + ".combine();");
    }
    combined.push_back("gc::mpi::combine_parts(" + member + ", " + known.whole +
                       ", [](auto &total, const auto &part) { " + combination + " });");
    return;
  }
  std::string part = known.name;
  if (threads) {
    std::string all = names.fresh(known.name + "_parts");
    std::string mine = partsOfSums(all, cpp::typeName(element), neutral);
    // Of the steps of an 'ordered by' each adds its own.
    (blocks.empty() ? end : endOfBlock)
        .push_back(around.empty() ? mine + " = " + part + ";" : cpp::combined(known.kind, mine, part));
    part = all + "." + cpp::Combining(known.kind).total();
  }
  combined.push_back(cpp::combined(known.kind, member, ofAllRanks(part, combination)));
}

std::string KernelPrinter::partsOfSums(const std::string &parts, const std::string &type, const std::string &neutral) {
  std::string arguments = blocks;
  if (!neutral.empty())
    arguments += (arguments.empty() ? "" : ", ") + neutral;
  before.line("gc::Per" + std::string(blocks.empty() ? "Thread<" : "Block<") + type + "> " + parts +
              (arguments.empty() ? "" : "(" + arguments + ")") + ";");
  return blocks.empty() ? parts + ".mine()" : parts + "[" + ownBlock + "]";
}

std::string KernelPrinter::ofAllRanks(const std::string &part, const std::string &combination) const {
  return "ranks_.combined(" + part + ", [](auto &total, const auto &part) { " + combination + " })";
}

// ---- Its loop -------------------------------------------------------------------------------------------------------

std::string KernelPrinter::wide(Value over) {
  if (isOverPairs())
    return countOf(over) + " > GCOMPILE_MOST_ALONE";
  return isAll(over) ? "ranks_.wide()" : value(over).text + ".wide()";
}

std::pair<std::string, std::string> KernelPrinter::rangeOfBlock(const std::string &count) {
  blocks = names.fresh("blocks");
  ownBlock = names.fresh("block");
  before.line("const gc::Blocks " + blocks + "(" + count + ");");
  blockHead = "for (auto " + ownBlock + " = " + blocks + ".of(" + mine + "); " + ownBlock + ".next();)";
  return {ownBlock + ".begin", ownBlock + ".end"};
}

void KernelPrinter::loopOver(Value set, exec::Sharing sharing, std::uint64_t grain, llvm::function_ref<void()> visit,
                             bool orderedSums) {
  ScopeGuard variables(*this);
  auto body = [&] {
    declareRows(region, region.getArgument(0),
                [&](Value state) -> std::string { return alias(state) ? "auto *const " : ""; });
    if (!isOverPairs())
      return visit();
    std::string j = declare(region.getArgument(1), cpp::argumentName(region.getArgument(1))), n = scope->fresh("n");
    Writer::Block columns = out.block("for (V " + j + " = 0, " + n + " = " + graphName() + ".num_vertices(); " + j +
                                      " < " + n + "; ++" + j + ")");
    visit();
  };
  BlockArgument vertex = region.getArgument(0);
  std::string wanted = cpp::argumentName(vertex), members = isAll(set) ? "" : value(set).text;
  condition = wide(set);
  if (!threads) {
    std::string v = declare(vertex, wanted), last = scope->fresh("last");
    Writer::Block vertices =
        out.block(!isAll(set) ? std::string("for (") +
                                    (vertex.use_empty() && !isa<exec::FilterOp>(op) ? "[[maybe_unused]] " : "") +
                                    "const V " + v + " : " + members + ")"
                              : "for (V " + v + " = " + ofRank("first()", "row_first()") + ", " + last + " = " +
                                    ofRank("last()", "row_last()") + "; " + v + " < " + last + "; ++" + v + ")");
    return body();
  }
  takesShare = true;
  std::string count = isAll(set) ? ofRank("count()", "row_count()") : members + ".slots()", from, to;
  std::optional<Writer::Block> parts;
  if (orderedSums) {
    std::tie(from, to) = rangeOfBlock(count);
  } else {
    std::string part = scope->fresh("part");
    from = part + ".begin";
    to = part + ".end";
    parts.emplace(out.block(
        "for (auto " + part + " = " + mine +
        (sharing == exec::Sharing::Static ? ".equal(" + count : ".dynamic(" + count + ", " + std::to_string(grain)) +
        "); " + part + ".next();)"));
  }
  if (isAll(set)) {
    if (first.empty())
      first = names.fresh("first");
    std::string v = declare(vertex, wanted), last = scope->fresh("last");
    Writer::Block vertices = out.block("for (V " + v + " = " + first + " + V(" + from + "), " + last + " = " + first +
                                       " + V(" + to + "); " + v + " < " + last + "; ++" + v + ")");
    return body();
  }
  std::string slot = scope->fresh("slot");
  Writer::Block slots =
      out.block("for (std::size_t " + slot + " = " + from + "; " + slot + " < " + to + "; ++" + slot + ")");
  std::string v = declare(vertex, wanted);
  line("const V " + v + " = " + members + ".slot(" + slot + ");");
  line("if (" + v + " == gc::none<V>()) continue;");
  body();
}

void KernelPrinter::loopOverList(const std::string &list) {
  ScopeGuard variables(*this);
  std::string wanted = cpp::argumentName(region.getArgument(0));
  condition = list + ".wide()";
  if (!threads) {
    std::string v = declare(region.getArgument(0), wanted);
    Writer::Block vertices = out.block("for (const V " + v + " : " + list + ")");
    return block(region.front());
  }
  takesShare = true;
  std::string part = scope->fresh("part"), i = scope->fresh("i");
  Writer::Block parts = out.block("for (auto " + part + " = " + mine + ".dynamic(" + list + ".size(), " + list +
                                  ".chunk); " + part + ".next();)");
  Writer::Block places =
      out.block("for (std::size_t " + i + " = " + part + ".begin; " + i + " < " + part + ".end; ++" + i + ")");
  line("const V " + declare(region.getArgument(0), wanted) + " = " + list + "[" + i + "];");
  block(region.front());
}

void KernelPrinter::reduce(exec::ReduceOp o) {
  std::string name;
  accumulatorOfReduction = printedBy([&] { accumulators[o] = name = accumulator(o); });
  loopOver(
      o.getOver(), o.getSharing(), o.getGrain().value_or(0), [&] { block(region.front()); }, o.getOrderedSums());
  result = cpp::typeName(o.getType());
  if (threads) {
    std::string parts = names.fresh("parts"), neutral, total = "merged";
    if (!graph::traits(o.getKind()).accumulates()) {
      graph::UpdateKind kind = graph::combination(o.getKind());
      neutral = cpp::neutralValue(kind, o.getType());
      total = graph::traits(kind).total;
    }
    std::string mine = partsOfSums(parts, accumulatorType(o), neutral);
    (blocks.empty() ? end : endOfBlock).push_back(mine + " = " + name + ";");
    name = parts + "." + total + "()";
  }
  after.push_back("return " +
                  cpp::accumulated(o.getKind(), ofAllRanks(name, cpp::combined(o.getKind(), "total", "part"))) + ";");
}

void KernelPrinter::filter(exec::FilterOp o) {
  std::string members = names.fresh("members"), kept = names.fresh("kept");
  result = "gc::VertexSet<V>";
  before.line("gc::VertexSetBuilder<V> " + members + "(graph_.num_vertices(), " +
              (isAll(o.getSet()) ? "ranks_.count()" : value(o.getSet()).text + ".slots()") + ");");
  begin.push_back("auto " + kept + " = " + members + ".writer();");
  loopOver(o.getSet(), o.getSharing(), o.getGrain().value_or(0), [&] {
    block(region.front());
    Writer::Block keeps = out.block("if (" + operand(yielded(region)) + ")");
    line(kept + ".push(" + value(region.getArgument(0)).text + ");");
  });
  after.push_back("return " + members + ".finish();");
}

void KernelPrinter::segmentLoop(exec::ParallelOp o) {
  // A vertex may be in every segment: threads meet after each.
  std::string all = program.segmentsOf(o), segment = names.fresh("segment");
  around = "for (std::size_t " + segment + " = 0; " + segment + " < " + all + ".size(); ++" + segment + ")";
  condition = wide(Value());
  takesShare = true;
  ScopeGuard variables(*this);
  std::string part = scope->fresh("part"), i = scope->fresh("i");
  Writer::Block parts = out.block("for (auto " + part + " = " + mine + ".dynamic(" + all + ".parts(" + segment + "), " +
                                  std::to_string(o.getGrain().value_or(1)) + "); " + part + ".next();)");
  Writer::Block those =
      out.block("for (std::size_t " + i + " = " + part + ".begin; " + i + " < " + part + ".end; ++" + i + ")");
  std::string v = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
  sources = scope->fresh("sources");
  Writer::Block vertices =
      out.block(all + ".part(" + segment + ", " + i + ", [&](const V " + v + ", const auto &" + sources + ")", ");");
  block(region.front());
}

void KernelPrinter::domain() {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](exec::ParallelOp o) {
        if (exec::goesBySegments(o))
          return segmentLoop(o);
        loopOver(
            o.getOver(), o.getSharing(), o.getGrain().value_or(0), [&] { block(region.front()); }, o.getOrderedSums());
      })
      .Case([&](exec::ReduceOp o) { reduce(o); })
      .Case([&](exec::FilterOp o) { filter(o); })
      .Case([&](exec::PropagateOp o) {
        if (&region != &o.getPull())
          return loopOverList("frontier_");
        loopOver(Value(), exec::Sharing::Dynamic, o.getGrain().value_or(0), [&] { block(region.front()); });
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
      call += ", ranks_.lists().template edge_column<" + cpp::typeName(elementOf(weights)) + ">(" +
              std::to_string(column->second) + ")";
    else
      call += ", " + program.members.lookup(weights) + ".data(), graph_.num_vertices()";
  }
  return call + ")";
}

void KernelPrinter::ordered(exec::OrderedOp o) {
  worklist = names.fresh("buckets");
  std::string from = isAll(o.getFrom()) ? "ranks_.all()" : value(o.getFrom()).text;
  before.line("gc::mpi::Buckets<V, " + cpp::orderName(o.getPriority().getType(), o.getGreatestFirst()) + "> " +
              worklist + "(ranks_, " + program.members.lookup(o.getPriority()) + ".data(), " + levelWidth(o) + ");");
  // Threads' names for members are not known there.
  auto ofHost = [&](Value end) { return alias(end) ? program.members.lookup(end) : operand(end); };
  if (!o.getEnds().empty())
    before.line(worklist + (o.getFirstEnd() ? ".end_with_first({" : ".end_with_all({") +
                cpp::listed(o.getEnds(), ofHost) + "});");
  before.line(worklist + ".start(" + from + ");");
  auto resume = dyn_cast_or_null<exec::ResumeOp>(o->getPrevNode());
  std::string rounds = resume ? names.fresh("rounds") : "";
  if (resume)
    before.add(printedBy([&] { declareRounds(*this, program, resume, rounds, worklist); }));
  around = "while (" + (resume ? rounds + ".next() && " : "") + worklist + ".advance())";
  if (divided)
    beforeStep.line(worklist + ".spread(" + cpp::givenToLists(program, o.getExchange()).text() + ");");
  loopOverList(worklist);
  for (Operation &each : o.getExchange().front())
    if (auto reduce = dyn_cast<exec::ReduceToOwnerOp>(each))
      exchange.add(printedReduction(*this, program, copies, reduce, worklist));
  if (resume && resume.getFollowed())
    after.push_back(rounds + ".end();");
}

// ---- All of it ------------------------------------------------------------------------------------------------------

static void printAll(Writer &out, ArrayRef<std::string> lines) {
  for (const std::string &line : lines)
    out.line(line);
}

void KernelPrinter::work(Writer &whole, ArrayRef<std::string> declarations) {
  std::optional<Writer::Block> shared;
  if (threads)
    shared.emplace(whole.block("gc::parallel(" + condition + ", [&](const " + (updatesByShare ? "auto" : "gc::Share") +
                                   " &" + (takesShare || updatesByShare ? mine : "") + ")" +
                                   (exec::goesBySegments(op) ? " GCOMPILE_OVER_SEGMENTS" : ""),
                               ");"));
  else if (isa<exec::FilterOp>(op)) // members are handed over when their writer goes out of scope
    shared.emplace(whole.block(""));
  if (usesGraph)
    whole.line("const gc::Graph<V> graph = graph_;");
  if (!lists.empty())
    whole.line("const gc::Graph<V> " + std::string(threads ? "" : "&") + lists + " = ranks_.lists();");
  if (!first.empty())
    whole.line("const V " + first + " = " + ofRank("first()", "row_first()") + ";");
  printAll(whole, declarations);
  if (!edges.empty())
    whole.line("std::uint64_t " + edges + " = 0;");
  printAll(whole, begin);
  std::optional<Writer::Block> loop;
  if (!blockHead.empty())
    loop.emplace(whole.block(blockHead));
  printAll(whole, ownParts);
  whole.add(accumulatorOfReduction);
  whole.add(out);
  printAll(whole, endOfBlock);
  loop.reset();
  printAll(whole, end);
  if (!edges.empty())
    whole.line("profile_.count_edges(" + edges + ");");
}

Writer KernelPrinter::print() {
  domain();
  llvm::erase_if(captured, [&](Value v) { return !printed.contains(v); });
  auto parameter = [&](Value v) {
    bool large = isa<graph::SetType>(v.getType());
    return (large ? "const " : "") + cpp::typeName(v.getType()) + (large ? " &" : " ") + value(v).text;
  };
  std::vector<std::string> declarations;
  for (const Alias &known : aliases)
    if (known.used) {
      std::string line = declaration(known);
      if (known.privately && !isArray(known.value))
        ownParts.push_back(line);
      else if (!line.empty())
        declarations.push_back(line);
      if (known.privately)
        accumulate(known);
    }
  Writer whole;
  if (std::string where = cpp::place(op->getLoc()); !where.empty())
    whole.line("// " + where);
  Writer::Block body = whole.block(result + " " + function + "(" + cpp::listed(captured, parameter) + ")");
  if (program.profiled())
    whole.line(record());
  whole.add(before);
  std::optional<Writer::Block> steps;
  if (!around.empty())
    steps.emplace(whole.block(around));
  whole.add(beforeStep);
  work(whole, declarations);
  whole.add(exchange);
  steps.reset();
  printAll(whole, combined);
  printAll(whole, after);
  body.close();
  return whole;
}

} // namespace gcompile::mpi
