#include "ir/interpreter/Interpreter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::interpreter {

void failAt(Operation *op, const std::string &what) {
  const graph::Place place = graph::placeOf(op->getLoc());
  throw RuntimeError((place.file ? place.file.str() + ":" + std::to_string(place.line) : "program") + ": " + what);
}

std::vector<Output> Interpreter::run(graph::AlgorithmOp algorithm, const std::vector<Value> &parameters) {
  Block &body = algorithm.getBody().front();
  if (outcome)
    winners.emplace(algorithm);
  std::size_t columns = graph.columns.size();
  for (std::size_t i = 0; i < body.getNumArguments(); ++i) {
    if (i < columns)
      memory[body.getArgument(i)] = graph.columns[i];
    else if (isa<graph::StateType>(body.getArgument(i).getType()))
      memory[body.getArgument(i)] = parameters.at(i - columns).as<Tuple>();
    else
      values[body.getArgument(i)] = parameters.at(i - columns);
  }
  run(body);
  std::vector<Output> outputs;
  for (auto state : body.getOps<graph::StateOp>())
    if (state.getOutput())
      outputs.push_back({state, memory[state]});
  return outputs;
}

// ---- Sequential code ------------------------------------------------------------------------------------------------

Interpreter::Flow Interpreter::run(Block &block) {
  if (running)
    if (const WriteRules::Claim *claim = running->rules.claimOf(&block); claim && !wins(*claim))
      return Flow::Next;
  for (Operation &op : block)
    if (Flow flow = run(&op); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

Interpreter::Flow Interpreter::run(Operation *op) {
  return llvm::TypeSwitch<Operation *, Flow>(op)
      .Case([&](graph::StateOp o) { return declare(o), Flow::Next; })
      .Case([&](graph::UpdateOp o) { return update(o), Flow::Next; })
      .Case([&](graph::UpdateTupleOp o) { return updateTuple(o), Flow::Next; })
      .Case([&](graph::IfOp o) { return runIf(o); })
      .Case([&](graph::WhileOp o) { return runWhile(o); })
      .Case([&](graph::RepeatOp o) { return runRepeat(o); })
      .Case([&](graph::BreakOp) { return Flow::Break; })
      .Case([&](graph::ReturnOp o) { return returned = get(o.getValue()), Flow::Return; })
      .Case([&](graph::ForOp o) {
        // A loop inside a data-parallel body is one iteration's own, and runs in order.
        if (running || o.getSequential())
          return runSequential(o);
        return runParallel(o), Flow::Next;
      })
      .Case([&](graph::PropagateOp o) { return runPropagate(o), Flow::Next; })
      .Default([&](Operation *) {
        Value value = evaluate(op);
        values[op->getResult(0)] = std::move(value);
        return Flow::Next;
      });
}

Interpreter::Flow Interpreter::runIf(graph::IfOp op) {
  Region &region = get(op.getCondition()).truth() ? op.getThenRegion() : op.getElseRegion();
  return region.empty() ? Flow::Next : run(region.front());
}

Interpreter::Flow Interpreter::runWhile(graph::WhileOp op) {
  while (yielded(op.getCondition()).truth()) {
    Flow flow = run(op.getBody().front());
    if (flow == Flow::Return)
      return flow;
    if (flow == Flow::Break)
      break;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::runRepeat(graph::RepeatOp op) {
  bool bounded = op.getTimes() != nullptr;
  std::int64_t times = bounded ? get(op.getTimes()).integer() : 0;
  for (std::int64_t turn = 0; !bounded || turn < times; ++turn) {
    Flow flow = run(op.getBody().front());
    if (flow == Flow::Return)
      return flow;
    if (flow == Flow::Break || (!op.getUntil().empty() && yielded(op.getUntil()).truth()))
      break;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::runSequential(graph::ForOp op) {
  std::vector<Arguments> turns = range(op.getDomain(), op.getOver());
  if (op.getReversed())
    std::reverse(turns.begin(), turns.end());
  for (const Arguments &arguments : turns) {
    if (!holds(op.getWhere(), arguments))
      continue;
    bind(op.getBody(), arguments);
    Flow flow = run(op.getBody().front());
    if (flow == Flow::Return)
      return flow;
    if (flow == Flow::Break)
      break;
  }
  return Flow::Next;
}

/// The number of values of an array, as the declaration computes it.
std::uint64_t Interpreter::lengthOf(graph::StateOp op) {
  constexpr std::int64_t most = std::int64_t(1) << 28; // a value takes some 40 bytes here
  std::int64_t length = get(op.getLength()).integer();
  if (length < 0)
    failAt(op, "the length of the array is negative");
  if (length > most)
    failAt(op, "the array is too long for the interpreter");
  return static_cast<std::uint64_t>(length);
}

Value Interpreter::start(Type element) {
  if (auto type = dyn_cast<graph::ForeignType>(element))
    return foreign->start(type);
  auto types = dyn_cast<TupleType>(element);
  if (!types)
    return zero(element);
  Tuple parts;
  for (Type part : types.getTypes())
    parts.push_back(start(part));
  return {parts};
}

void Interpreter::declare(graph::StateOp op) {
  std::uint64_t n = graph.numVertices, size = 1;
  auto shape = op.getType().getShape();
  if (shape == graph::Shape::PerVertex)
    size = n;
  else if (shape == graph::Shape::PerEdge)
    size = graph.arcs.size();
  else if (shape == graph::Shape::Dense)
    size = n * n;
  else if (shape == graph::Shape::Array)
    size = lengthOf(op);
  Type element = op.getType().getElement();
  std::vector<Value> contents(size, start(element));
  if (!op.getInit().empty())
    for (std::uint64_t i = 0; i < size; ++i) {
      Arguments arguments;
      if (shape == graph::Shape::PerVertex)
        arguments = {{Vertex{i}}};
      else if (shape == graph::Shape::PerEdge)
        arguments = {{Edge{i}}};
      else if (shape == graph::Shape::Dense)
        arguments = {{Vertex{i / n}}, {Vertex{i % n}}};
      contents[i] = yielded(op.getInit(), arguments);
    }
  memory[op.getState()] = std::move(contents);
}

// ---- Data-parallel statements ---------------------------------------------------------------------------------------

/// Runs one iteration of a data-parallel statement: it reads `before` and writes to memory.
void Interpreter::iteration(Running &statement, Region &where, Region &body, const Arguments &arguments) {
  running = &statement;
  statement.own.clear();
  if (holds(where, arguments)) {
    bind(body, arguments);
    run(body.front());
  }
  running = nullptr;
}

void Interpreter::runParallel(graph::ForOp op) {
  std::vector<Arguments> iterations = range(op.getDomain(), op.getOver());
  if (order == Order::Backward)
    std::reverse(iterations.begin(), iterations.end());
  Running statement(op);
  for (mlir::Value state : statement.rules.writtenStates())
    statement.before[state] = memory[state];
  for (const Arguments &arguments : iterations)
    iteration(statement, op.getWhere(), op.getBody(), arguments);
  endRound(statement, 0);
}

void Interpreter::runPropagate(graph::PropagateOp op) {
  VertexSet active = get(op.getFrom()).as<VertexSet>();
  bool bounded = op.getAtMost() != nullptr;
  std::int64_t bound = bounded ? get(op.getAtMost()).integer() : 0;
  Levels levels;
  Running statement(op);
  llvm::DenseMap<mlir::Value, std::vector<Value>> start;
  for (mlir::Value state : statement.rules.writtenStates())
    start[state] = memory[state];
  for (std::int32_t round = 1; !active.empty() && (!bounded || round <= bound); ++round) {
    levels.push_back(active);
    for (mlir::Value state : statement.rules.writtenStates())
      statement.before[state] = memory[state];
    std::vector<Arguments> iterations;
    for (std::uint64_t u : active)
      for (Arguments arguments : edges(u, op.getDomain())) {
        arguments.insert(arguments.begin(), {Vertex{u}});
        arguments.push_back({round});
        iterations.push_back(std::move(arguments));
      }
    if (order == Order::Backward)
      std::reverse(iterations.begin(), iterations.end());
    for (const Arguments &arguments : iterations)
      iteration(statement, op.getWhere(), op.getBody(), arguments);

    endRound(statement, round);
    active = std::exchange(statement.changed, {});
    if (!op.getUntil().empty() && !op.getOrdered() && yielded(op.getUntil(), {{round}}).truth())
      break;
  }
  if (!op.getUntil().empty() && op.getOrdered())
    keepNearest(op, start);
  if (op.getLevels())
    values[op.getLevels()] = {levels};
}

/// An ordered propagate with `until` reaches its vertices by ascending priority, and keeps those that it has reached
/// when the condition holds for the first time; a vertex that has not been reached is infinite to the condition. All
/// others get back what they had at the start.
void Interpreter::keepNearest(graph::PropagateOp op, const llvm::DenseMap<mlir::Value, std::vector<Value>> &start) {
  mlir::Value priority = op.getOrdered();
  const Tuple found = memory[priority];
  const Value infinite = infinity(cast<graph::StateType>(priority.getType()).getElement(), false);
  std::vector<std::uint64_t> order;
  for (std::uint64_t v = 0; v < found.size(); ++v)
    if (less(found[v], infinite))
      order.push_back(v);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return less(found[a], found[b]); });
  memory[priority].assign(found.size(), infinite);
  bool ends = yielded(op.getUntil(), {{std::int32_t(0)}}).truth();
  std::size_t reached = 0;
  while (!ends && reached < order.size()) {
    const Value &now = found[order[reached]];
    for (; reached < order.size() && !less(now, found[order[reached]]); ++reached)
      memory[priority][order[reached]] = found[order[reached]];
    ends = yielded(op.getUntil(), {{std::int32_t(0)}}).truth();
  }
  memory[priority] = found;
  if (!ends)
    return;
  std::vector<bool> kept(found.size());
  for (std::size_t i = 0; i < reached; ++i)
    kept[order[i]] = true;
  for (const auto &[state, before] : start)
    for (std::uint64_t v = 0; v < found.size(); ++v)
      if (!kept[v])
        memory[state][v] = before[v];
}

/// A claim is decided by the element as it is now: the first iteration that comes here wins. Where an outcome tells of
/// another winner, that one must come in the same round.
bool Interpreter::wins(const WriteRules::Claim &claim) {
  graph::UpdateOp assignment = claim.assignment;
  // The index may be computed in the block, ahead of the assignment.
  std::function<void(mlir::Value)> compute = [&](mlir::Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != assignment->getBlock())
      return;
    for (mlir::Value operand : op->getOperands())
      if (!isa<graph::StateType>(operand.getType()))
        compute(operand);
    run(op);
  };
  for (mlir::Value index : assignment.getIndices())
    compute(index);
  std::uint64_t place = element(assignment.getState(), assignment.getIndices(), assignment);
  const Value &now = memory[assignment.getState()][place];
  bool holds = claim.constant ? same(now, evaluate(claim.constant.getDefiningOp())) : !now.truth();
  if (!holds || !winners)
    return holds;
  for (graph::UpdateOp update : winners->telling(assignment->getBlock())) {
    for (mlir::Value operand : {mlir::Value(update.getIndices()[0]), update.getValue()})
      compute(operand);
    auto state = update.getState().getDefiningOp<graph::StateOp>();
    auto told = outcome->find(state.getName().str());
    std::uint64_t i = element(update.getState(), update.getIndices(), update);
    if (told == outcome->end() || same(told->second[i], get(update.getValue())))
      continue;
    if (!winners->isUndetermined(assignment.getState()))
      running->due.try_emplace({assignment.getState().getAsOpaquePointer(), place}, Running::Due{now, state, i});
    return false;
  }
  return true;
}

void Interpreter::endRound(Running &statement, std::int32_t round) {
  for (auto &[place, due] : statement.due) {
    auto &[state, i] = place;
    const Value &now = memory[mlir::Value::getFromOpaquePointer(state)][i];
    const std::string name = due.told.getName().str();
    if (!same(now, due.open) || !overdueElements.insert({name, due.element}).second)
      continue;
    const Value &told = outcome->at(name)[due.element];
    overdueClaims[name].push_back({due.element, round, !same(told, memory[due.told.getState()][due.element])});
  }
  statement.due.clear();
}

// ---- State ----------------------------------------------------------------------------------------------------------

/// Whether a state is a variable of the iteration that is running.
bool Interpreter::isLocal(mlir::Value state) const {
  return running && running->statement->isAncestor(state.getParentRegion()->getParentOp());
}

std::uint64_t Interpreter::element(mlir::Value state, ValueRange indices, Operation *op) {
  auto shape = cast<graph::StateType>(state.getType()).getShape();
  switch (shape) {
  case graph::Shape::Scalar:
    return 0;
  case graph::Shape::PerVertex:
    return vertex(indices[0], op);
  case graph::Shape::PerEdge:
    return arc(indices[0], op);
  case graph::Shape::Dense:
    return vertex(indices[0], op) * graph.numVertices + vertex(indices[1], op);
  case graph::Shape::Array: {
    std::int64_t i = get(indices[0]).integer();
    if (i < 0 || static_cast<std::uint64_t>(i) >= memory[state].size())
      failAt(op, "the index is out of range");
    return static_cast<std::uint64_t>(i);
  }
  }
  llvm_unreachable("every shape is listed");
}

/// The snapshot rule.
Value Interpreter::read(mlir::Value state, ValueRange indices, Operation *op) {
  std::uint64_t i = element(state, indices, op);
  if (!running || isLocal(state) || !running->before.count(state))
    return memory[state][i];
  auto own = running->own.find({state.getAsOpaquePointer(), i});
  if (own != running->own.end() && sameExpressions(own->second.indices, indices))
    return own->second.value;
  return running->before[state][i];
}

/// Stores a value. The vertex of an element that becomes a different one is active in a propagate's next round.
void Interpreter::store(mlir::Value state, std::uint64_t i, Value value) {
  Value &place = memory[state][i];
  if (running && !isLocal(state) && !same(place, value)) {
    auto shape = cast<graph::StateType>(state.getType()).getShape();
    if (shape == graph::Shape::PerVertex)
      running->changed.insert(i);
    else if (shape == graph::Shape::Dense)
      running->changed.insert(i / graph.numVertices);
  }
  place = std::move(value);
}

/// The old value of an element combined with a new one or, with `part`, that element of the tuple with it.
Value Interpreter::combined(Operation *op, graph::UpdateKind kind, const Value &old, const Value &value,
                            std::int64_t part) {
  if (part >= 0) {
    Tuple tuple = old.as<Tuple>();
    Value &element = tuple[static_cast<std::size_t>(part)];
    element = combined(op, kind, element, value, -1);
    return {tuple};
  }
  auto update = dyn_cast<graph::UpdateOp>(op);
  if (!update || !update.getCombiner())
    return interpreter::combine(kind, old, value);
  return combine(SymbolTable::lookupNearestSymbolFrom<graph::ReductionOp>(op, update.getCombinerAttr()), old, value);
}

void Interpreter::write(Operation *op, graph::UpdateKind kind, mlir::Value state, ValueRange indices, Value value,
                        std::int64_t part) {
  std::uint64_t i = element(state, indices, op);
  if (running && !isLocal(state) && (kind == graph::UpdateKind::Assign || running->rules.isOwned(op)))
    running->own[{state.getAsOpaquePointer(), i}] = {indices,
                                                     combined(op, kind, read(state, indices, op), value, part)};
  const Value &now = memory[state][i];
  store(state, i, std::holds_alternative<VertexSet>(now.is) ? value : combined(op, kind, now, value, part));
}

void Interpreter::update(graph::UpdateOp op) {
  write(op, op.getKind(), op.getState(), op.getIndices(), get(op.getValue()), op.getPart());
}

void Interpreter::updateTuple(graph::UpdateTupleOp op) {
  auto together = [&](auto element) {
    Tuple tuple;
    for (mlir::Value state : op.getStates())
      tuple.push_back(element(state));
    return Value{tuple};
  };
  std::uint64_t i = element(op.getStates()[0], op.getIndices(), op);
  Tuple given;
  for (mlir::Value value : op.getValues())
    given.push_back(get(value));
  if (running && running->rules.isOwned(op)) {
    Value own = interpreter::combine(
        op.getKind(), together([&](mlir::Value state) { return read(state, op.getIndices(), op); }), {given});
    for (auto [state, value] : llvm::zip(op.getStates(), own.as<Tuple>()))
      running->own[{state.getAsOpaquePointer(), i}] = {op.getIndices(), value};
  }
  Value now =
      interpreter::combine(op.getKind(), together([&](mlir::Value state) { return memory[state][i]; }), {given});
  for (auto [state, value] : llvm::zip(op.getStates(), now.as<Tuple>()))
    store(state, i, value);
}

} // namespace gcompile::interpreter
