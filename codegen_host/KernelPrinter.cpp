#include "codegen_host/KernelPrinter.h"

#include "codegen_cpp/Combining.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::host {

static exec::Sharing scheduleOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, exec::Sharing>(op)
      .Case<exec::ParallelOp, exec::ReduceOp, exec::FilterOp, exec::PropagateOp, exec::OrderedOp>(
          [](auto o) { return o.getSharing(); })
      .Default(exec::Sharing::Static);
}

static bool isInTeam(Operation *op) {
  for (; op; op = op->getParentOp())
    if (llvm::TypeSwitch<Operation *, bool>(op)
            .Case<graph::WhileOp, graph::RepeatOp, graph::ForOp, exec::PropagateOp>([](auto o) { return o.getTeam(); })
            .Default([](Operation *) { return false; }))
      return true;
  return false;
}

KernelPrinter::KernelPrinter(Program &program, Operation *op, Region &region, std::string function)
    : KernelBodyPrinter(program), op(op), region(region), function(std::move(function)),
      threads(scheduleOf(op) != exec::Sharing::Serial), inTeam(isInTeam(op)) {
  if (isa<exec::PropagateOp>(op))
    names.reserve("next");
  else if (isa<exec::OrderedOp>(op))
    names.reserve("bins");
  if (inTeam)
    mine = names.fresh("mine");
  collect(region);
}

KernelPrinter::Alias *KernelPrinter::alias(Value value) {
  for (Alias &a : aliases)
    if (a.value == value)
      return &a;
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
  // A set variable is passed as it is.
  captured.push_back(value);
  declare(value, cpp::suggestName(value));
}

void KernelPrinter::collect(Region &region) {
  auto over = llvm::TypeSwitch<Operation *, Value>(op)
                  .Case<exec::ParallelOp, exec::ReduceOp>([](auto o) { return o.getOver(); })
                  .Case([](exec::FilterOp o) { return Value(o.getSet()); })
                  .Case<exec::OrderedOp, exec::AsynchronousOp>([](auto o) { return Value(o.getFrom()); })
                  .Default(Value());
  if (over && !over.getDefiningOp<graph::AllVerticesOp>()) {
    captured.push_back(over);
    declare(over, cpp::suggestName(over));
  }
  // The round of a propagate is a parameter too.
  if (isa<exec::PropagateOp>(op) && region.getNumArguments() > 1 && !region.getArgument(1).use_empty()) {
    captured.push_back(region.getArgument(1));
    declare(region.getArgument(1), cpp::argumentName(region.getArgument(1)));
  }
  region.walk([&](Operation *inner) {
    for (Value v : inner->getOperands())
      if (!region.isAncestor(v.getParentRegion()))
        capture(v);
    auto written = [&](Value state) {
      if (Alias *a = alias(state))
        a->written = true;
    };
    if (auto update = dyn_cast<exec::UpdateOp>(inner)) {
      written(update.getState());
      if (Alias *a = alias(update.getState()); a && update.getSync() == exec::Sync::Private) {
        a->privately = true;
        a->kind = update.getKind();
      }
    } else if (auto update = dyn_cast<exec::UpdateTupleOp>(inner)) {
      llvm::for_each(update.getStates(), written);
    } else if (auto claim = dyn_cast<exec::ClaimOp>(inner)) {
      written(claim.getState());
    }
  });
}

std::string KernelPrinter::graphName() {
  usesGraph = true;
  return "graph";
}

std::string KernelPrinter::followedGraph() {
  if (!exec::isTransposed(op))
    return graphName();
  if (transposed.empty())
    transposed = names.fresh("transposed");
  return transposed;
}

std::string KernelPrinter::stateName(Value state) {
  if (Alias *a = alias(state)) {
    a->used = true;
    return a->name;
  }
  return value(state).text; // a local state
}

std::string KernelPrinter::modeAccumulator(exec::ReduceOp, const std::string &type, StringRef wanted) {
  // One a thread: it keeps its memory.
  std::string name = names.fresh(wanted);
  threadLocals += "gc::Mode<" + type + "> " + name + ";\n";
  line(name + ".clear();");
  return name;
}

std::string KernelPrinter::element(Value state, ValueRange indices, bool checked, Operation *at) {
  if (indices.size() == 2) {
    // Snapshots of one row or column are arrays.
    if (auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
        snapshot && (snapshot.getRow() || snapshot.getColumn()))
      return stateName(state) + "[" + index(indices[snapshot.getRow() ? 1 : 0], checked, at) + "]";
    for (const Row &row : rows)
      if (row.state == state && row.vertex == indices[0])
        return row.name + "[" + index(indices[1], checked, at) + "]";
  }
  // A thread's own part of a reduction is not the value: that is what the member held when the kernel began.
  if (Alias *a = alias(state); a && a->privately && isa<graph::ReadOp>(at))
    return program.members.find(state)->second;
  return BodyPrinter::element(state, indices, checked, at);
}

/// The slots of a dense state's row that the body reads at the outer loop's vertex.
void KernelPrinter::declareRows(BlockArgument vertex) {
  region.walk([&](Operation *inner) {
    auto note = [&](Value state, ValueRange indices) {
      if (indices.size() != 2 || indices[0] != vertex || !alias(state))
        return;
      if (auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
          snapshot && (snapshot.getRow() || snapshot.getColumn()))
        return;
      for (const Row &row : rows)
        if (row.state == state)
          return;
      Alias &a = *alias(state);
      std::string type = cpp::elementName(cast<graph::StateType>(state.getType()).getElement());
      std::string name = scope->fresh(a.name + "_" + value(vertex).text);
      line((a.written ? "" : "const ") + type + " *const " + name + " = " + stateName(state) + ".row(" +
           value(vertex).text + ");");
      rows.push_back({state, vertex, name});
    };
    if (auto read = dyn_cast<graph::ReadOp>(inner))
      note(read.getState(), read.getIndices());
    else if (auto update = dyn_cast<exec::UpdateOp>(inner))
      note(update.getState(), update.getIndices());
    else if (auto claim = dyn_cast<exec::ClaimOp>(inner))
      note(claim.getState(), claim.getIndices());
  });
}

std::string KernelPrinter::claim(exec::ClaimOp claim) {
  std::string replay = program.replayOf(claim);
  if (replay.empty())
    return BodyPrinter::claim(claim);
  std::string place = operand(claim.getIndices()[0]);
  if (claim.getIndices().size() == 2)
    place = "std::size_t(" + place + ") * " + graphName() + ".num_vertices() + " + operand(claim.getIndices()[1]);
  return replay + ".claim(" + element(claim.getState(), claim.getIndices(), false, claim) + ", " + place + ", " +
         operand(claim.getExpected()) + ", " + operand(claim.getDesired()) + ")";
}

Text KernelPrinter::targetExpression(Operation *expression) {
  return llvm::TypeSwitch<Operation *, Text>(expression)
      .Case([&](exec::InFrontierOp o) -> Text {
        usesCurrent = true;
        return {"frontier.contains(" + operand(o.getVertex()) + ")"};
      })
      .Case([&](exec::VisitedBeforeOp o) -> Text {
        return {stateName(o.getLevels()) + ".visited_before(" + operand(o.getVertex()) + ")"};
      })
      .Default([&](Operation *other) { return KernelBodyPrinter::targetExpression(other); });
}

void KernelPrinter::statement(Operation *inner) {
  if (auto move = dyn_cast<exec::MoveOp>(inner))
    return line(operand(move.getBuckets()) + ".move(" + operand(move.getVertex()) + ");");
  if (auto prefetch = dyn_cast<exec::PrefetchOp>(inner)) {
    if (worklist.empty()) // A work list's own `next` does it.
      line(position.first + (prefetch.getWritten() ? ".prefetch_to_write(" : ".prefetch(") + position.second + ", " +
           fetched(prefetch) + ");");
    return;
  }
  if (auto prefetch = dyn_cast<exec::PrefetchWritesOp>(inner)) {
    if (worklist.empty())
      line(position.first + ".prefetch_writes(" + position.second + ", " + followedGraph() + ", " +
           stateName(prefetch.getState()) + ");");
    return;
  }
  if (auto prefetch = dyn_cast<exec::PrefetchTargetOp>(inner))
    return line("gc::prefetch_target(" + followedGraph() + ", " + operand(prefetch.getEdge()) + ", " +
                listEnds.lookup(prefetch.getEdge()) + ", " + stateName(prefetch.getState()) + ");");
  if (isa<exec::CountEdgeOp>(inner)) {
    if (edges.empty())
      edges = names.fresh("edges");
    return line("++" + edges + ";");
  }
  if (auto activate = dyn_cast<exec::ActivateOp>(inner)) {
    usesNext = true;
    bool once = isa<exec::PropagateOp>(op) && cast<exec::PropagateOp>(op).getDedup();
    std::string call = !worklist.empty()                                     ? worklist + ".push("
                       : !pulling                                            ? (once ? "next.push_once(" : "next.push(")
                       : activate.getSync() == exec::Sync::Plain || !threads ? "next.set("
                                                                             : "next.set_atomic(";
    return line(call + operand(activate.getVertex()) + ");");
  }
  BodyPrinter::statement(inner);
}

std::string KernelPrinter::declaration(const Alias &a) {
  auto name = [&](const std::string &type) { return (a.written ? "" : "const ") + type + " *const " + a.name + " = "; };
  if (auto column = program.columns.find(a.value); column != program.columns.end()) {
    std::string type = cpp::elementName(cast<graph::StateType>(a.value.getType()).getElement());
    usesGraph = true;
    return name(type) + "graph.template edge_column<" + type + ">(" + std::to_string(column->second) + ");\n";
  }
  const std::string &member = program.members.find(a.value)->second;
  if (isa<graph::BucketsType>(a.value.getType()))
    return "auto " + a.name + " = " + member + ".mover();\n";
  auto state = dyn_cast<graph::StateType>(a.value.getType());
  if (!state) { // a parameter, or kept levels
    bool large = isa<graph::SetType, graph::LevelsType>(a.value.getType());
    return "const " + cpp::typeName(a.value.getType()) + (large ? " &" : " ") + a.name + " = " + member + ";\n";
  }
  bool slice = false;
  if (auto snapshot = a.value.getDefiningOp<exec::SnapshotOp>())
    slice = snapshot.getRow() || snapshot.getColumn();
  if (state.getShape() == graph::Shape::Scalar || (state.getShape() == graph::Shape::Dense && !slice)) {
    bool large = state.getShape() == graph::Shape::Dense || isa<graph::SetType>(state.getElement());
    return (a.written ? "" : "const ") + cpp::storageName(state) + (a.written || large ? " &" : " ") + a.name + " = " +
           member + ";\n";
  }
  return name(cpp::elementName(state.getElement())) + member + ".data();\n";
}

/// How the threads' copies of a value become one.
std::string KernelPrinter::record() {
  if (!program.profiled())
    return "";
  // What the kernel runs over.
  auto members = [&](graph::Domain domain, Value over) -> std::string {
    if (domain == graph::Domain::Pairs)
      return "std::uint64_t(graph_.num_vertices()) * graph_.num_vertices()";
    if (domain != graph::Domain::Vertices)
      return "graph_.num_arcs()";
    return over && !over.getDefiningOp<graph::AllVerticesOp>() ? value(over).text + ".size()" : "graph_.num_vertices()";
  };
  std::string count = llvm::TypeSwitch<Operation *, std::string>(op)
                          .Case([&](exec::ParallelOp o) { return members(o.getDomain(), o.getOver()); })
                          .Case([&](exec::ReduceOp o) { return members(*o.getDomain(), o.getOver()); })
                          .Case([&](exec::FilterOp o) { return members(graph::Domain::Vertices, o.getSet()); })
                          .Case<exec::OrderedOp, exec::AsynchronousOp>(
                              [&](auto o) { return members(graph::Domain::Vertices, o.getFrom()); })
                          .Default([&](Operation *) {
                            bool commits = &region == &cast<exec::PropagateOp>(op).getCommit();
                            return std::string(commits ? "frontier_.size()" : "frontier_");
                          });
  return "const auto " + names.fresh("call") + " = profile_.enter" + (count == "frontier_" ? "_round(" : "(") +
         cpp::quoted(cpp::place(op->getLoc())) + ", " + cpp::quoted(function) + ", " + count + ");\n";
}

std::string KernelPrinter::assemble(const std::string &result, const std::string &condition, const std::string &before,
                                    const std::string &start, const std::string &finish, const std::string &after) {
  std::string text, heads, ends, parts, combined;
  llvm::erase_if(captured, [&](Value v) { return !printed.contains(v); });
  for (const Alias &a : aliases) {
    if (!a.used)
      continue;
    if (!a.privately) {
      heads += declaration(a);
      continue;
    }
    Type type = cast<graph::StateType>(a.value.getType()).getElement();
    std::string first = cpp::neutralValue(a.kind, type), member = program.members.find(a.value)->second;
    heads += cpp::typeName(type) + " " + a.name + " = " + first + ";\n";
    if (threads) {
      std::string all = names.fresh(a.name + "_parts");
      parts += "gc::PerThread<" + cpp::typeName(type) + "> " + all + "(" + first + ");\n";
      ends += all + ".mine() = " + a.name + ";\n";
      combined += cpp::combined(a.kind, member, all + "." + std::string(graph::traits(a.kind).total) + "()") + "\n";
    } else {
      combined += cpp::combined(a.kind, member, a.name) + "\n";
    }
  }
  if (std::string where = cpp::place(op->getLoc()); !where.empty())
    text += "// " + where + "\n";
  text += result + " " + function + "(";
  for (auto [i, v] : llvm::enumerate(captured)) {
    bool large = isa<graph::SetType>(v.getType());
    text += (i ? ", " : "") + std::string(large ? "const " : "") + cpp::typeName(v.getType()) + (large ? " &" : " ") +
            value(v).text;
  }
  text += ") {\n" + record() + before + parts;
  // The members of a set are handed over when their writer goes out of scope.
  const bool scoped = !threads && isa<exec::FilterOp>(op);
  if (scoped)
    text += "{\n";
  if (threads && inTeam)
    text += "gc::parallel(" + (condition.empty() ? "true" : condition) + ", [&](const " +
            (updatesByShare ? "auto" : "gc::Share") + " &" + (takesShare || updatesByShare ? mine : "") + ") {\n";
  else if (threads)
    text += "#pragma omp parallel" + (condition.empty() ? "" : " if (" + condition + ")") + "\n{\n";
  if (usesGraph)
    text += "const gc::Graph<V> graph = graph_;\n";
  if (!transposed.empty())
    text += "const gc::Graph<V> " + transposed + " = graph_.transposed();\n";
  if (usesCurrent)
    text += "const auto frontier = frontier_.bits();\n";
  if (!edges.empty()) {
    heads += "std::uint64_t " + edges + " = 0;\n";
    ends += "profile_.count_edges(" + edges + ");\n";
  }
  text += heads + threadLocals + start + code + ends + finish;
  if (threads || scoped)
    text += threads && inTeam ? "});\n" : "}\n";
  return text + combined + after + "}\n";
}

/// A thread that may be alone at a kernel is told by its share, which makes the updates.
std::string KernelPrinter::sharedUpdates() {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  bool mayBeAlone = cast<exec::Kernel>(op).getMayRunAlone() && (!propagate || &region == &propagate.getPush());
  if (!threads || !inTeam || !mayBeAlone)
    return "gc::";
  updatesByShare = true;
  return mine + ".";
}

static std::string wide(KernelPrinter &printer, Value over) {
  return over && !over.getDefiningOp<graph::AllVerticesOp>() ? printer.value(over).text + ".wide()" : "";
}

std::string KernelPrinter::parallel(exec::ParallelOp o) {
  if (exec::goesBySegments(o)) {
    std::string segments = segmentLoop(o);
    return assemble("void", "", segments, "", "", "}\n");
  }
  domainLoop(o.getDomain(), o.getOver(), o.getSharing(), o.getGrain().value_or(0), [&] { block(region.front()); });
  return assemble("void", wide(*this, o.getOver()));
}

std::string KernelPrinter::reduce(exec::ReduceOp o) {
  std::string name = accumulator(o), start;
  accumulators[o] = name;
  std::swap(start, code);
  domainLoop(*o.getDomain(), o.getOver(), o.getSharing(), o.getGrain().value_or(0), [&] { block(region.front()); });
  std::string result = cpp::typeName(o.getType());
  if (!threads)
    return assemble(result, "", "", start, "", "return " + cpp::accumulated(o.getKind(), name) + ";\n");
  std::string parts = names.fresh("parts"), type = accumulatorType(o), first, total = "merged";
  if (!graph::traits(o.getKind()).accumulates()) {
    graph::UpdateKind kind = graph::combination(o.getKind());
    first = "(" + cpp::neutralValue(kind, o.getType()) + ")";
    total = graph::traits(kind).total;
  }
  std::string returned = cpp::accumulated(o.getKind(), parts + "." + total + "()");
  return assemble(result, wide(*this, o.getOver()), "gc::PerThread<" + type + "> " + parts + first + ";\n", start,
                  parts + ".mine() = " + name + ";\n", "return " + returned + ";\n");
}

std::string KernelPrinter::filter(exec::FilterOp o) {
  std::string members = names.fresh("members"), out = names.fresh("kept");
  domainLoop(graph::Domain::Vertices, o.getSet(), o.getSharing(), o.getGrain().value_or(0), [&] {
    block(region.front());
    line("if (" + operand(yielded(region)) + ") {\n" + out + ".push(" + value(region.getArgument(0)).text + ");\n}");
  });
  bool all = o.getSet().getDefiningOp<graph::AllVerticesOp>() != nullptr;
  std::string most = all ? "graph_.num_vertices()" : value(o.getSet()).text + ".slots()";
  std::string before = "gc::VertexSetBuilder<V> " + members + "(graph_.num_vertices(), " + most + ");\n";
  return assemble("gc::VertexSet<V>", wide(*this, o.getSet()), before, "auto " + out + " = " + members + ".writer();\n",
                  "", "return " + members + ".finish();\n");
}

std::string KernelPrinter::push(exec::PropagateOp) {
  {
    ScopeGuard variables(*this);
    std::string active = "frontier_", i = scope->fresh("i");
    if (threads) {
      // Threads share the frontier in blocks, in whatever form it is.
      std::string blocks = scope->fresh("blocks");
      active = scope->fresh("active");
      line("for (auto " + blocks + " = frontier_.reader(); " + blocks + ".next();) {");
      line("const auto " + active + " = " + blocks + ".active();");
    }
    position = {active, i};
    line("for (std::size_t " + i + " = 0; " + i + " < " + active + ".size(); ++" + i + ") {");
    // The vertex has a name where it is mentioned: its list goes by its place.
    BlockArgument vertex = region.getArgument(0);
    std::string name = declare(vertex, cpp::argumentName(vertex)), before = std::exchange(code, "");
    printed.erase(vertex);
    declareRows(vertex);
    block(region.front());
    std::string body = std::exchange(code, before);
    if (printed.contains(vertex))
      line("const V " + name + " = " + active + "[" + i + "];");
    code += body;
    line("}");
    if (threads)
      line("}");
  }
  return assemble("void", "frontier_.wide()", "", usesNext ? "auto next = frontier_.writer();\n" : "");
}

std::string KernelPrinter::pull(exec::PropagateOp o) {
  pulling = true;
  std::string start;
  {
    ScopeGuard variables(*this);
    BlockArgument vertex = region.getArgument(0);
    std::string v = declare(vertex, cpp::argumentName(vertex));
    auto select = dyn_cast<exec::SelectOp>(region.front().front());
    // Whole words of the next frontier's bitmap belong to one thread.
    if (select && threads) {
      std::string unvisited = names.fresh("unvisited"), block_ = scope->fresh("block"), i = scope->fresh("i");
      start = "gc::UnvisitedVertices<V> " + unvisited + "(" + followedGraph() + ");\n";
      openLoop("std::size_t", block_, unvisited + ".blocks()", o.getSharing(), o.getGrain().value_or(0));
      line(unvisited + ".select(" + block_ + ", [&](const V " + v + ") {");
      block(select.getWhere().front());
      line("return " + operand(yielded(select.getWhere())) + ";\n});");
      line("for (std::size_t " + i + " = 0; " + i + " < " + unvisited + ".size(); ++" + i + ") {");
      line("const V " + v + " = " + unvisited + "[" + i + "];");
      line(unvisited + ".prefetch(" + i + ");");
    } else {
      bool equal = o.getSharing() == exec::Sharing::Static;
      openLoop("V", v, graphName() + ".num_vertices()", o.getSharing(), o.getGrain().value_or(0), equal);
    }
    declareRows(vertex);
    block(region.front(), select);
    if (select)
      line("}");
    closeLoop();
  }
  return assemble("void", "", "", start + (usesNext ? "auto next = frontier_.bit_writer();\n" : ""));
}

std::string KernelPrinter::commit(exec::PropagateOp o) {
  {
    ScopeGuard variables(*this);
    slotLoop("frontier_", region.getArgument(0), o.getSharing(), o.getCommitGrain().value_or(0));
    declareRows(region.getArgument(0));
    block(region.front());
    closeLoop();
  }
  return assemble("void", "frontier_.wide()");
}

std::string KernelPrinter::fetched(exec::PrefetchOp prefetch) {
  std::string arguments = followedGraph() + ", " + stateName(prefetch.getState());
  for (Value column : prefetch.getColumns())
    arguments += ", " + stateName(column);
  return arguments;
}

std::string KernelPrinter::levelWidth(graph::StateType priority, std::int64_t given,
                                      std::optional<std::uint64_t> growsBy) {
  if (given != 0)
    return std::to_string(given);
  std::string call = "gc::choose_delta<" + cpp::typeName(priority.getElement()) + ">(graph_";
  if (growsBy) {
    Value weights = program.op.getBody().getArgument(static_cast<unsigned>(*growsBy));
    std::string weight = cpp::typeName(cast<graph::StateType>(weights.getType()).getElement());
    if (auto column = program.columns.find(weights); column != program.columns.end())
      call += ", graph_.template edge_column<" + weight + ">(" + std::to_string(column->second) + ")";
    else
      call += ", " + program.members.find(weights)->second + ".data(), graph_.num_vertices()";
  }
  return call + ")";
}

std::string KernelPrinter::setArgument(Value set) {
  return set.getDefiningOp<graph::AllVerticesOp>() ? "gc::VertexSet<V>::all(graph_.num_vertices())" : value(set).text;
}

std::string KernelPrinter::ordered(exec::OrderedOp o) {
  worklist = "bins";
  {
    ScopeGuard variables(*this);
    std::string u = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
    auto prefetch = dyn_cast<exec::PrefetchOp>(region.front().front());
    line("for (V " + u + "; bins.next(" + u + (prefetch ? ", " + fetched(prefetch) : "") + ");) {");
    block(region.front());
    line("}");
  }
  graph::StateType priority = o.getPriority().getType();
  std::string type = "gc::Buckets<V, " + cpp::typeName(priority.getElement()) + ">";
  std::string fusion = o.getFusion() ? ", " + std::to_string(*o.getFusion()) : "";
  // The kernel's own view of the graph begins inside of the parallel region.
  std::string before = type + " buckets(graph_, " + program.members.find(o.getPriority())->second + ".data(), " +
                       levelWidth(priority, o.getDelta(), o.getGrowsBy()) + fusion + ");\n" + "buckets.start(" +
                       setArgument(o.getFrom()) + ");\n";
  return assemble("void", "", before, "typename " + type + "::Bins bins(buckets);\n");
}

std::string KernelPrinter::asynchronous(exec::AsynchronousOp o) {
  std::string work = names.fresh("work");
  worklist = names.fresh("worker");
  {
    ScopeGuard variables(*this);
    std::string u = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
    line("for (V " + u + "; " + worklist + ".next(" + u + ");) {");
    block(region.front());
    line("}");
  }
  std::string chunk = ", " + std::to_string(o.getChunk()) + ">", arguments = "(graph_, " + setArgument(o.getFrom());
  std::string before = "gc::async::Worklist<V" + chunk + " " + work + arguments + ");\n";
  if (Value priority = o.getPriority()) {
    auto type = cast<graph::StateType>(priority.getType());
    before = "gc::async::PriorityWorklist<V, " + cpp::typeName(type.getElement()) + chunk + " " + work + arguments +
             ", " + program.members.find(priority)->second + ".data(), " +
             levelWidth(type, o.getDelta(), o.getGrowsBy()) + ");\n";
  }
  return assemble("void", "", before, "auto " + worklist + " = " + work + ".worker();\n");
}

} // namespace gcompile::host
