#include "codegen_gpus/HostPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::gpus {

/// The member that knows whose the values of a state are.
static std::string ownersOf(Value state) { return graph::hasValuePerEdge(state) ? "arcs_" : "devices_"; }

static Type elementOf(Value state) { return cast<graph::StateType>(state.getType()).getElement(); }

HostPrinter::HostPrinter(cpp::Program &program, std::string space, PartsLaunch &launch)
    : cuda::HostPrinter(program, std::move(space), launch), copies(program, /*ofEdges=*/false) {
  for (BlockArgument argument : program.op.getBody().getArguments())
    if (std::string member = cpp::givenSet(program, argument); !member.empty())
      bind(argument, "devices_.own(" + member + ".members())");
}

static Value withoutLet(Value value) {
  while (auto let = value.getDefiningOp<graph::LetOp>())
    value = let.getValue();
  return value;
}

std::string HostPrinter::given(const cuda::KernelPrinter &kernel, const cuda::KernelPrinter::Field &field) {
  if (field.kind != cuda::KernelPrinter::Field::Kind::Set)
    return cuda::HostPrinter::given(kernel, field);
  if (std::string member = cpp::givenSet(program, field.value); !member.empty())
    return launch.view(member);
  // A kernel that asks for members at the other ends of its edges sees the copies too.
  std::string found;
  kernel.body().walk([&](graph::ContainsOp contains) {
    Value set = withoutLet(contains.getSet());
    auto read = set.getDefiningOp<graph::ReadOp>();
    bool own = withoutLet(contains.getVertex()) == kernel.body().getArgument(0);
    bool same = contains.getSet() == field.value || set == field.value || (read && read.getState() == field.value);
    if (same && read && !own)
      found = copies.of(read.getState());
  });
  return found.empty() ? cuda::HostPrinter::given(kernel, field) : launch.view(found);
}

std::string HostPrinter::membersOfAll(Value set) {
  std::string member = cpp::givenSet(program, set);
  return member.empty() ? "devices_.members_of(" + operand(set) + ")" : member + ".members()";
}

std::string HostPrinter::contribution(exec::ReduceToOwnerOp op) {
  std::string name = program.scope.fresh(cpp::className("reduce_" + exec::nameOf(op.getState())));
  cpp::NameScope inside(&program.scope);
  inside.reserve("next");
  const bool ofEdges = graph::hasValuePerEdge(op.getState());
  std::string v = inside.fresh(ofEdges ? "e" : "v");
  cpp::List parameters, objects;
  parameters.add((ofEdges ? "const gc::ArcId " : "const V ") + v);
  Writer fields;
  SmallVector<std::string> targets, values;
  auto add = [&](Value state) {
    std::string type = cpp::elementName(elementOf(state)), array = inside.fresh(exec::nameOf(state));
    values.push_back(inside.fresh(exec::nameOf(state) + "_sent"));
    targets.push_back(array + "[" + v + "]");
    fields.line(type + " *" + array + ";");
    objects.add(launch.array(state));
    parameters.add("const " + type + " " + values.back());
  };
  add(op.getState());
  for (Value state : op.getWith())
    add(state);
  std::string expected;
  if (op.getExpected()) {
    expected = inside.fresh("expected");
    fields.line(cpp::elementName(elementOf(op.getState())) + " " + expected + ";");
    objects.add(operand(op.getExpected()));
  }
  parameters.add(op.getActivating() || op.getAlways() ? "Next &next" : "Next &");

  Writer text;
  if (std::string where = cpp::place(op->getLoc()); !where.empty())
    text.line("// " + where + ", at the owner");
  Writer::Block object = text.block("template <class V> struct " + name, ";");
  text.add(fields);
  text.line();
  {
    Writer::Block call =
        text.block("template <class Next> __device__ void operator()(" + parameters.text() + ") const");
    text.add(cpp::recordApplied(op, targets, values, expected, "next.push(" + v + ");"));
  }
  object.close();
  text.line();
  program.functions.push_back(std::move(text));
  return space + "::" + name + "<V>{" + objects.text() + "}";
}

void HostPrinter::combine(exec::CombinePartsOp op) {
  const std::string name = program.scope.fresh(cpp::className("combine_" + exec::nameOf(op.getState()))),
                    type = cpp::elementName(elementOf(op.getState()));
  Writer text;
  {
    Writer::Block object = text.block("template <class V> struct " + name, ";");
    Writer::Block call = text.block("__device__ void operator()(" + type + " &total, const " + type + " part) const");
    text.line(cpp::combined(op.getKind(), "total", "part"));
  }
  text.line();
  program.functions.push_back(std::move(text));
  line("gc::gpus::combine_parts(devices_, " + stateName(op.getState()) + ", " + space + "::" + name + "<V>());");
}

void HostPrinter::reduce(exec::ReduceToOwnerOp op, const std::string &worklist) {
  cpp::List states;
  states.add(stateName(op.getState()));
  for (Value state : op.getWith())
    states.add(stateName(state));
  const bool ofEdges = graph::hasValuePerEdge(op.getState());
  std::string next = ofEdges || worklist.empty() ? "gc::gpus::NoNext()" : worklist + ".next()",
              head = op.getNeutral() ? "collect_at_owner(" + operand(op.getNeutral()) + ", " : "reduce_to_owner(";
  line(ownersOf(op.getState()) + "." + head + contribution(op) + ", " + next + ", " + states.text() + ");");
}

void HostPrinter::exchange(Block &block, const std::string &worklist) {
  for (Operation &each : block)
    if (auto reduction = dyn_cast<exec::ReduceToOwnerOp>(each))
      reduce(reduction, worklist);
    else if (isa<exec::ActivateOwnersOp>(each))
      line("devices_.activate_owners(" + worklist + ".next());");
}

void HostPrinter::propagate(exec::PropagateOp op) {
  program.usesFrontier = true;
  ScopeGuard variables(*this);
  launch.start(listsFor(op), op.getFrom());
  bool stops = !exec::isAbsent(op.getUntil());
  std::string round = scope->fresh("round"), base = op.getName().str();
  if (stops && op.getUntil().getNumArguments() > 0)
    bind(op.getUntil().getArgument(0), round);
  const bool pulls = !exec::isAbsent(op.getPull());
  cuda::KernelPrinter push = kernel(op, op.getPush(), pulls ? base + "_push" : base);
  std::string most = op.getAtMost() ? round + " <= " + operand(op.getAtMost(), cpp::Binding::Sum) + " && " : "";
  const std::string levels = op.getLevels() ? program.members.lookup(op.getLevels()) : "";
  if (!levels.empty())
    line(levels + ".clear();");
  Writer::Block turns =
      out.block("for (std::int32_t " + round + " = 1; " + most + "frontier_.anywhere(); ++" + round + ")");
  if (!levels.empty())
    line(levels + ".keep(frontier_.active());");
  if (!exec::isAbsent(op.getExchange()))
    for (auto given : op.getExchange().front().getOps<exec::GiveActiveOp>())
      if (given.getEachRound())
        line("devices_.give_to_copies(" + stateName(given.getState()) + ");");
  {
    std::optional<Writer::Block> direction;
    if (pulls) {
      direction.emplace(out.block("if (frontier_.pulls(" + cpp::literal(op.getAlphaAttr()) + ", " +
                                  cpp::literal(op.getBetaAttr()) + cpp::givenBeforePulls(program, op) + "))"));
      cuda::KernelPrinter pull = kernel(op, op.getPull(), base + "_pull");
      launchKernel("frontier_.pull(" + object(pull) + ", " + round + ")", pull);
      direction->next(" else");
    }
    launchKernel("frontier_.push(" + object(push) + ", " + round + ")", push);
    if (!exec::isAbsent(op.getExchange()))
      exchange(op.getExchange().front(), "frontier_");
  }
  line("frontier_.advance();");
  if (!exec::isAbsent(op.getCommit())) {
    cuda::KernelPrinter commit = kernel(op, op.getCommit(), base + "_commit");
    launchKernel("frontier_.visit(" + object(commit) + ", " + round + ")", commit);
  }
  if (stops) {
    block(op.getUntil().front());
    line("if (" + operand(yielded(op.getUntil())) + ") break;");
  }
}

void HostPrinter::ordered(exec::OrderedOp op) {
  std::string buckets = scope->fresh("buckets"); // it stands until the block ends
  ScopeGuard variables(*this);
  cuda::KernelPrinter push = kernel(op, op.getPush(), op.getName());
  auto members = op.getFrom().getDefiningOp<graph::SetOfOp>();
  line("gc::gpus::Buckets" + orderParameters(op) + " " + buckets + "(devices_, " + orderArguments(op) + ");");
  line(buckets + ".start(" + (members && !isBound(op.getFrom()) ? membersOf(members) : operand(op.getFrom())) + ");");
  Writer::Block steps = out.block("while (" + buckets + ".advance())");
  launchKernel(buckets + ".push(" + object(push) + ")", push);
  exchange(op.getExchange().front(), buckets);
}

void HostPrinter::statement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](exec::PropagateOp o) { propagate(o); })
      .Case([&](exec::OrderedOp o) { ordered(o); })
      .Case([&](exec::ReduceToOwnerOp o) { reduce(o, ""); })
      .Case([&](exec::GiveToCopiesOp o) {
        std::string set = copies.of(o.getState());
        line(set.empty() ? ownersOf(o.getState()) + ".give_to_copies(" + stateName(o.getState()) + ");"
                         : set + ".update();");
      })
      .Case([&](exec::ResetCopiesOp o) {
        line(ownersOf(o.getState()) + ".reset_copies(" + stateName(o.getState()) + ", " + operand(o.getValue()) + ");");
      })
      .Case([&](exec::OwnerValueOp o) {
        std::string state = stateName(o.getState()), vertex = index(o.getVertex(), o.getChecked(), o),
                    call = o.getColumn() ? "gc::gpus::value_of_owner(devices_, " + state + ", " + vertex + ", " +
                                               index(o.getColumn(), o.getChecked(), o) + ")"
                                         : "devices_.value_of_owner(" + state + ", " + vertex + ")";
        line("const " + cpp::typeName(o.getType()) + " " + declare(o, cpp::suggestName(o)) + " = " + call + ";");
      })
      .Case([&](exec::OwnerComputesOp o) {
        Writer::Block function =
            out.block("const " + cpp::typeName(o.getType()) + " " + declare(o, cpp::suggestName(o)) + " = " +
                          (cpp::isOfEdge(o) ? "arcs_" : "devices_") + ".of_owner(" + operand(o.getPlace()) + ", [&]",
                      ");");
        block(o.getBody().front());
        line("return " + operand(yielded(o.getBody())) + ";");
      })
      .Case([&](exec::StartPartsOp o) {
        line("gc::gpus::start_parts(devices_, " + stateName(o.getState()) + ", " + operand(o.getNeutral()) + ");");
      })
      .Case([&](exec::CombinePartsOp o) { combine(o); })
      .Default([&](Operation *) { cuda::HostPrinter::statement(op); });
}

} // namespace gcompile::gpus
