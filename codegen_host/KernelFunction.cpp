// The member function around a kernel's loop: what it declares, its parallel region, what its threads accumulate.
#include "codegen_host/KernelPrinter.h"

#include "codegen_cpp/Combining.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::host {

std::string KernelPrinter::declaration(const Alias &a) {
  auto name = [&](const std::string &type) { return (a.written ? "" : "const ") + type + " *const " + a.name + " = "; };
  if (auto column = program.columns.find(a.value); column != program.columns.end()) {
    std::string type = cpp::elementName(cast<graph::StateType>(a.value.getType()).getElement());
    usesGraph = true;
    return name(type) + "graph.template edge_column<" + type + ">(" + std::to_string(column->second) + ");";
  }
  const std::string &member = program.members.find(a.value)->second;
  if (isa<graph::BucketsType>(a.value.getType()))
    return "auto " + a.name + " = " + member + ".mover();";
  if (isa<graph::KeptIndexType>(a.value.getType()))
    return "auto " + a.name + " = " + member + ".noter();";
  auto state = dyn_cast<graph::StateType>(a.value.getType());
  if (!state) { // a parameter, or kept levels
    bool large = isa<graph::SetType, graph::LevelsType>(a.value.getType());
    return "const " + cpp::typeName(a.value.getType()) + (large ? " &" : " ") + a.name + " = " + member + ";";
  }
  bool slice = false;
  if (auto snapshot = a.value.getDefiningOp<exec::SnapshotOp>())
    slice = snapshot.getRow() || snapshot.getColumn();
  const bool array = state.getShape() == graph::Shape::Array;
  if (state.getShape() == graph::Shape::Scalar || array || (state.getShape() == graph::Shape::Dense && !slice)) {
    bool large = array || state.getShape() == graph::Shape::Dense || isa<graph::SetType>(state.getElement());
    return (a.written ? "" : "const ") + cpp::storageName(state) + (a.written || large ? " &" : " ") + a.name + " = " +
           member + ";";
  }
  return name(cpp::elementName(state.getElement())) + member + ".data();";
}

std::string KernelPrinter::privateCopy(const Alias &a) {
  if (!a.parts.empty())
    return "const auto " + a.name + " = " + a.parts + ".mine();";
  Type type = cast<graph::StateType>(a.value.getType()).getElement();
  return cpp::typeName(type) + " " + a.name + " = " + cpp::neutralValue(a.how, type) + ";";
}

std::string KernelPrinter::countOf(graph::Domain domain, Value over) {
  if (domain == graph::Domain::Pairs)
    return "std::uint64_t(graph_.num_vertices()) * graph_.num_vertices()";
  if (domain != graph::Domain::Vertices)
    return "graph_.num_arcs()";
  return over && !over.getDefiningOp<graph::AllVerticesOp>() ? value(over).text + ".size()" : "graph_.num_vertices()";
}

std::string KernelPrinter::record() {
  auto enter = [&](const char *how, const std::string &count) {
    return "const auto " + names.fresh("call") + " = profile_." + how + "(" + cpp::quoted(cpp::place(op->getLoc())) +
           ", " + cpp::quoted(function) + ", " + count + ");";
  };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](exec::ParallelOp o) { return enter("enter", countOf(o.getDomain(), o.getOver())); })
      .Case([&](exec::ReduceOp o) { return enter("enter", countOf(*o.getDomain(), o.getOver())); })
      .Case([&](exec::FilterOp o) { return enter("enter", countOf(graph::Domain::Vertices, o.getSet())); })
      .Case<exec::OrderedOp, exec::AsynchronousOp>(
          [&](auto o) { return enter("enter", countOf(graph::Domain::Vertices, o.getFrom())); })
      .Case([&](exec::ClosePairsOp) { return enter("enter", countOf(graph::Domain::Pairs, Value())); })
      .Default([&](Operation *) {
        bool commits = &region == &cast<exec::PropagateOp>(op).getCommit();
        return commits ? enter("enter", "frontier_.size()") : enter("enter_round", "frontier_");
      });
}

KernelPrinter::Accumulated KernelPrinter::accumulatedParts() {
  Accumulated result;
  for (Alias &a : aliases) {
    if (!a.used || !a.privately)
      continue;
    if (isArray(a.value)) {
      auto kernel = cast<exec::ParallelOp>(op);
      Type type = cast<graph::StateType>(a.value.getType()).getElement();
      a.parts = names.fresh(a.name + "_parts");
      result.parts.push_back("gc::ArrayParts<" + cpp::elementName(type) + ", " + a.how.type() + "> " + a.parts + "(" +
                             program.members.find(a.value)->second + ", " + cpp::neutralValue(a.how, type) + ", " +
                             countOf(kernel.getDomain(), kernel.getOver()) + ");");
      result.combined.push_back(a.parts + ".combine();");
      continue;
    }
    Type type = cast<graph::StateType>(a.value.getType()).getElement();
    std::string first = cpp::neutralValue(a.how, type), member = program.members.find(a.value)->second;
    if (!threads) {
      result.combined.push_back(cpp::combined(a.how, member, a.name));
      continue;
    }
    std::string all = names.fresh(a.name + "_parts");
    result.parts.push_back("gc::PerThread<" + cpp::typeName(type) + "> " + all + "(" + first + ");");
    result.ends.push_back(all + ".mine() = " + a.name + ";");
    result.combined.push_back(cpp::combined(a.how, member, all + "." + a.how.total()));
  }
  return result;
}

static void printAll(Writer &out, ArrayRef<std::string> lines) {
  for (const std::string &line : lines)
    out.line(line);
}

Writer KernelPrinter::assemble(const Frame &frame) {
  Writer whole;
  llvm::erase_if(captured, [&](Value v) { return !printed.contains(v); });
  if (std::string where = cpp::place(op->getLoc()); !where.empty())
    whole.line("// " + where);
  auto parameter = [&](Value v) {
    bool large = isa<graph::SetType>(v.getType());
    return (large ? "const " : "") + cpp::typeName(v.getType()) + (large ? " &" : " ") + value(v).text;
  };
  Accumulated accumulated = accumulatedParts();
  Writer::Block body = whole.block(frame.result + " " + function + "(" + cpp::listed(captured, parameter) + ")");
  if (program.profiled() && !isa<exec::KeepIndexOp>(op)) // which counts no calls: one for each key
    whole.line(record());
  printAll(whole, frame.before);
  std::optional<Writer::Block> around;
  if (!frame.around.empty())
    around.emplace(whole.block(frame.around));
  printAll(whole, accumulated.parts);
  parallelRegion(whole, frame, accumulated);
  printAll(whole, accumulated.combined);
  around.reset();
  printAll(whole, frame.after);
  body.close();
  return whole;
}

void KernelPrinter::parallelRegion(Writer &whole, const Frame &frame, const Accumulated &accumulated) {
  std::vector<std::string> heads; // which may use the graph
  for (const Alias &a : aliases)
    if (a.used || printed.contains(a.value))
      heads.push_back(a.privately ? privateCopy(a) : declaration(a));
  std::optional<Writer::Block> region;
  if (threads) {
    region.emplace(whole.block("gc::parallel(" + frame.condition + ", [&](const " +
                                   (updatesByShare ? "auto" : "gc::Share") + " &" +
                                   (takesShare || updatesByShare ? mine : "") + ")" +
                                   (exec::goesBySegments(op) ? " GCOMPILE_OVER_SEGMENTS" : ""),
                               ");"));
  } else if (isa<exec::FilterOp>(op)) { // the members are handed over when their writer goes out of scope
    region.emplace(whole.block(""));
  }
  if (usesGraph)
    whole.line("const " + program.graphType() + " graph = graph_;");
  if (!transposed.empty())
    whole.line("const " + program.graphType() + " " + transposed + " = graph_.transposed();");
  if (usesCurrent)
    whole.line("const auto frontier = frontier_.bits();");
  printAll(whole, heads);
  if (!edges.empty())
    whole.line("std::uint64_t " + edges + " = 0;");
  printAll(whole, threadLocals);
  whole.add(frame.accumulator);
  printAll(whole, frame.start);
  whole.add(out);
  printAll(whole, accumulated.ends);
  if (!edges.empty())
    whole.line("profile_.count_edges(" + edges + ");");
  printAll(whole, frame.finish);
}

} // namespace gcompile::host
