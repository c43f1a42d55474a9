// The loops of kernels that threads share.
#include "codegen_host/KernelPrinter.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::host {

KernelPrinter::SharedParts KernelPrinter::sharedParts(const std::string &size, exec::Sharing schedule,
                                                      std::uint64_t grain, bool turns) {
  if (schedule == exec::Sharing::Serial)
    return {std::nullopt, "0", size};
  bool equal = schedule == exec::Sharing::Static;
  std::string part = scope->fresh("part");
  takesShare = true;
  return {out.block("for (auto " + part + " = " + mine +
                    (equal && !turns ? ".equal(" + size : ".dynamic(" + size + ", " + std::to_string(grain)) + "); " +
                    part + ".next();)"),
          part + ".begin", part + ".end"};
}

KernelPrinter::SharedLoop KernelPrinter::sharedLoop(const std::string &type, const std::string &index,
                                                    const std::string &size, exec::Sharing schedule,
                                                    std::uint64_t grain, bool turns) {
  SharedParts parts = sharedParts(size, schedule, grain, turns);
  return {std::move(parts.loop), std::nullopt, innerLoop(type, index, parts.first, parts.last)};
}

Writer::Block KernelPrinter::innerLoop(const std::string &type, const std::string &index, const std::string &first,
                                       const std::string &last) {
  const cpp::List sums = vectorisedSums();
  if (!sums.empty())
    line("#pragma omp simd reduction(+ : " + sums.text() + ")");
  // A compiler knows that an index of 64 bits goes on to the next element.
  return out.block("for (" + (sums.empty() ? type : "std::size_t") + " " + index + " = " + first + "; " + index +
                   " < " + last + "; ++" + index + ")");
}

cpp::List KernelPrinter::vectorisedSums() {
  cpp::List sums;
  if (auto reduce = dyn_cast<exec::ReduceOp>(op); reduce && reduce.getVectorised())
    sums.add(accumulators[op]);
  auto kernel = dyn_cast<exec::ParallelOp>(op);
  if (!kernel || !kernel.getVectorised())
    return sums;
  llvm::SetVector<Value> added;
  for (auto update : region.front().getOps<exec::UpdateOp>())
    if (update.getIndices().empty() && added.insert(update.getState()))
      sums.add(alias(update.getState())->name);
  return sums;
}

KernelPrinter::SharedLoop KernelPrinter::unpackedLoop(BlockArgument vertex, exec::Unpack what, exec::Sharing schedule,
                                                      std::uint64_t grain) {
  std::string all = names.fresh("unpacked"), given = exec::stringifyUnpack(what), bits;
  for (StringRef one : llvm::split(given, '|'))
    bits += (bits.empty() ? "gc::unpack_" : " | gc::unpack_") + one.str();
  threadLocals.push_back("gc::UnpackedLists<V, " + bits + "> " + all + "(" + graphName() + ");");
  SharedParts parts = sharedParts(graphName() + ".num_vertices()", schedule, grain);
  lists = scope->fresh("lists");
  Writer::Block blocks =
      out.block("for (const auto &" + lists + " : " + all + ".blocks(" + parts.first + ", " + parts.last + "))");
  std::string v = declare(vertex, cpp::argumentName(vertex));
  return {std::move(parts.loop), std::move(blocks), innerLoop("V", v, lists + ".first()", lists + ".last()")};
}

bool KernelPrinter::isUnpacked(exec::Unpack what, Value vertex) {
  auto kernel = dyn_cast<exec::ParallelOp>(op);
  return kernel && kernel.getUnpack() && bitEnumContainsAny(*kernel.getUnpack(), what) &&
         vertex == region.getArgument(0);
}

std::string KernelPrinter::degreesName(graph::DegreeOp degree) {
  const bool out = degree.getSide() == graph::Side::Out;
  return degree.getSide() != graph::Side::Both &&
                 isUnpacked(out ? exec::Unpack::OutDegrees : exec::Unpack::InDegrees, degree.getVertex())
             ? lists
             : graphName();
}

std::string KernelPrinter::neighbors(Operation *at, graph::Domain domain, Value over, bool mayBeNone, Value above,
                                     Value below) {
  const bool out = domain == graph::Domain::OutOf;
  if ((!out && domain != graph::Domain::Into) ||
      !isUnpacked(out ? exec::Unpack::OutLists : exec::Unpack::InLists, over))
    return KernelBodyPrinter::neighbors(at, domain, over, mayBeNone, above, below);
  return bounded(lists + (out ? ".out_neighbors(" : ".in_neighbors(") + operand(over) + ")", above, below);
}

KernelPrinter::SharedLoop KernelPrinter::slotLoop(const std::string &set, BlockArgument v, exec::Sharing schedule,
                                                  std::uint64_t grain) {
  std::string i = scope->fresh("slot");
  SharedLoop slots = sharedLoop("std::size_t", i, set + ".slots()", schedule, grain);
  std::string name = declare(v, cpp::argumentName(v));
  line("const V " + name + " = " + set + ".slot(" + i + ");");
  line("if (" + name + " == gc::none<V>()) continue;");
  position = {set, i};
  return slots;
}

void KernelPrinter::domainLoop(graph::Domain domain, Value over, exec::Sharing schedule, std::uint64_t grain,
                               llvm::function_ref<void()> body) {
  ScopeGuard variables(*this);
  auto name = [&](unsigned i) { return declare(region.getArgument(i), cpp::argumentName(region.getArgument(i))); };
  switch (domain) {
  case graph::Domain::Vertices: {
    auto kernel = dyn_cast<exec::ParallelOp>(op);
    SharedLoop vertices = over && !over.getDefiningOp<graph::AllVerticesOp>()
                              ? slotLoop(value(over).text, region.getArgument(0), schedule, grain)
                          : kernel && kernel.getUnpack()
                              ? unpackedLoop(region.getArgument(0), *kernel.getUnpack(), schedule, grain)
                              : sharedLoop("V", name(0), graphName() + ".num_vertices()", schedule, grain);
    declareRows(region.getArgument(0));
    return body();
  }
  case graph::Domain::Pairs: {
    std::string i = name(0), j = name(1), n = scope->fresh("n");
    line("const V " + n + " = " + graphName() + ".num_vertices();");
    SharedLoop rows = sharedLoop("V", i, n, schedule, grain);
    declareRows(region.getArgument(0));
    Writer::Block columns = out.block("for (V " + j + " = 0; " + j + " < " + n + "; ++" + j + ")");
    return body();
  }
  default: {
    SharedLoop edges = sharedLoop("gc::ArcId", name(0), graphName() + ".num_arcs()", schedule, grain);
    return body();
  }
  }
}

std::string KernelPrinter::segmentLoop(exec::ParallelOp o) {
  // A vertex may be in every segment: threads meet after each.
  std::string all = program.segmentsOf(o), segment = names.fresh("segment");
  ScopeGuard variables(*this);
  std::string i = scope->fresh("i");
  SharedLoop parts =
      sharedLoop("std::size_t", i, all + ".parts(" + segment + ")", o.getSharing(), o.getGrain().value_or(0));
  std::string v = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
  sources = scope->fresh("sources");
  Writer::Block vertices =
      out.block(all + ".part(" + segment + ", " + i + ", [&](const V " + v + ", const auto &" + sources + ")", ");");
  block(region.front());
  return "for (std::size_t " + segment + " = 0; " + segment + " < " + all + ".size(); ++" + segment + ")";
}

void KernelPrinter::partialSums(exec::ForOp loop) {
  ScopeGuard variables(*this);
  Block &body = loop.getBody().front();
  const std::string v = declare(body.getArgument(0), cpp::argumentName(body.getArgument(0)));
  Writer::Block each =
      out.block("gc::add_each(" + accumulators[loop->getParentOp()] + ", " +
                    neighbors(loop, loop.getDomain(), loop.getOver(), false, {}, {}) + ", [&](const V " + v + ")",
                ");");
  term = &body.back();
  block(body);
  term = nullptr;
}

void KernelPrinter::loop(Operation *at, graph::Domain domain, Value over, Value above, Value below, Block &body) {
  auto list = dyn_cast<exec::ForOp>(at);
  if (list && list.getPartialSums())
    return partialSums(list);
  if (!list || !list.getShareLists() || !threads)
    return KernelBodyPrinter::loop(at, domain, over, above, below, body);
  auto select = body.empty() ? exec::SelectOp() : dyn_cast<exec::SelectOp>(body.front());
  ScopeGuard variables(*this);
  BlockArgument other = body.getArgument(0), edge = body.getArgument(1);
  if (!edge.use_empty() && cpp::hasPackedLists(op)) {
    const std::string arc = scope->fresh("arc");
    Writer::Block arcs = out.block("for (const auto " + arc + " : " + active + ".arcs" +
                                   (domain == graph::Domain::Into && !list.getByPlace() ? "_into" : "") + "())");
    if (!other.use_empty())
      line("const V " + declare(other, cpp::argumentName(other)) + " = " + arc + ".vertex;");
    line("const gc::ArcId " + declare(edge, cpp::argumentName(edge)) + " = " + arc + ".edge;");
    return block(body, select);
  }
  if (!edge.use_empty()) { // by position
    const bool mapped = domain == graph::Domain::Into && !list.getByPlace();
    std::string e = declare(edge, cpp::argumentName(edge)), end = scope->fresh(e + "_end"), graph = followedGraph();
    std::string arc = mapped ? scope->fresh("arc") : e;
    listEnds[edge] = end;
    Writer::Block arcs = out.block("for (auto [" + arc + ", " + end + "] = " + active + ".out_arcs(); " + arc + " < " +
                                   end + "; ++" + arc + ")");
    if (!other.use_empty())
      line("const V " + declare(other, cpp::argumentName(other)) + " = " + graph + ".target(" + arc + ");");
    if (mapped)
      line("const gc::ArcId " + e + " = " + graph + ".in_edges[" + arc + "];");
    return block(body, select);
  }
  std::string range = active + ".out_neighbors()";
  std::string v = declare(other, cpp::argumentName(other));
  std::string head = std::string("for (") + (other.use_empty() ? "[[maybe_unused]] " : "") + "const V " + v + " : ";
  if (!select) {
    Writer::Block vertices = out.block(head + range + ")");
    return block(body);
  }
  Writer::Block vertices = matchingLoop("const V " + v, range, select, [](bool) {});
  block(body, select);
}

} // namespace gcompile::host
