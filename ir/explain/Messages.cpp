#include "ir/explain/Messages.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {

Messages::Messages(graph::AlgorithmOp lowered) {
  lowered.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (exec::isKernel(op) || isa<exec::ReduceToOwnerOp, exec::GiveToCopiesOp>(op))
      operations[op->getLoc()].push_back(op);
  });
}

/// Bytes of a value in a message, where vertices have 32 bits.
static unsigned bytesOf(Value state) {
  Type type = cast<graph::StateType>(state.getType()).getElement();
  return isa<graph::VertexType>(type) ? 4
         : isa<graph::EdgeType>(type) ? 8
         : type.isInteger(1)          ? 1
                                      : type.getIntOrFloatBitWidth() / 8;
}

static std::string quoted(Value state) { return "'" + exec::nameOf(state) + "'"; }

static std::string whenGiven(exec::GiveToCopiesOp give, Operation *kernel) {
  return kernel && give->getBlock() == kernel->getBlock() ? "before it: " : "once, before the loop around it: ";
}

static std::string given(exec::GiveToCopiesOp give, Operation *kernel) {
  Value state = give.getState();
  if (isa<graph::SetType>(cast<graph::StateType>(state.getType()).getElement()))
    return whenGiven(give, kernel) + "owners send which of their vertices came into " + quoted(state) +
           " or left it to those that hold copies of these: 4 bytes for each";
  return whenGiven(give, kernel) + "owners send " + quoted(state) +
         " to those that hold copies: " + std::to_string(bytesOf(state)) + " bytes for each copy";
}

static std::string reduced(exec::ReduceToOwnerOp reduce) {
  unsigned bytes = 4 + bytesOf(reduce.getState());
  std::string values = quoted(reduce.getState());
  for (Value state : reduce.getWith()) {
    bytes += bytesOf(state);
    values += ", " + quoted(state);
  }
  bool steps = isa<exec::OrderedOp>(reduce->getParentOp());
  auto propagate = dyn_cast<exec::PropagateOp>(reduce->getParentOp());
  std::string when = propagate
                         ? exec::isAbsent(propagate.getPull()) ? "after each round: " : "after each round that pushes: "
                     : steps ? "after each step of a bucket: "
                             : "after it: ",
              how = reduce.getExpected() ? "takes the first that it gets"
                                         : "combines them by " + graph::stringifyUpdateKind(reduce.getKind()).str();
  return when + "each copy that " + (reduce.getNeutral() ? "was added to" : "changed") + " sends " + values +
         " to its owner, which " + how + ": " + std::to_string(bytes) + " bytes for each, with the vertex";
}

/// What copies of active vertices get before a pull.
static std::string givenOfActive(exec::PropagateOp propagate) {
  unsigned bytes = 0;
  std::string values;
  if (!exec::isAbsent(propagate.getExchange()))
    for (auto give : propagate.getExchange().front().getOps<exec::GiveActiveOp>()) {
      bytes += bytesOf(give.getState());
      values += (values.empty() ? "" : ", ") + quoted(give.getState());
    }
  return values.empty() ? ""
                        : ", and " + values + " of those that are active: " + std::to_string(bytes) +
                              " bytes for each copy of one";
}

/// On what machines agree while the kernel runs, which takes a number of each.
static std::vector<std::string> agreed(Operation *kernel) {
  std::vector<std::string> text;
  if (auto propagate = dyn_cast<exec::PropagateOp>(kernel)) {
    text = {"before each round: whether a vertex is active anywhere"};
    text.emplace_back(exec::isAbsent(propagate.getPull())
                          ? "all rounds push"
                          : "before a round that pulls: owners send which of their vertices are active to those that "
                            "hold copies: a bit for each copy" +
                                givenOfActive(propagate));
  } else if (isa<exec::OrderedOp>(kernel))
    text = {"before each step: which bucket is the first that is not empty anywhere"};
  else if (isa<exec::ReduceOp>(kernel))
    text = {"after it: the value that all parts combine to"};
  llvm::SmallVector<Value> told;
  kernel->walk([&](exec::UpdateOp update) {
    if (update.getSync() != exec::Sync::Private || llvm::is_contained(told, update.getState()))
      return;
    told.push_back(update.getState());
    text.push_back("after it: what all parts add to " + quoted(update.getState()));
  });
  return text;
}

std::vector<std::string> Messages::describe(Location statement) const {
  auto found = operations.find(statement);
  if (found == operations.end())
    return {};
  Operation *kernel = nullptr;
  for (Operation *op : found->second)
    if (exec::isKernel(op))
      kernel = op;
  std::vector<std::string> text;
  for (Operation *op : found->second)
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](exec::GiveToCopiesOp give) { text.push_back(given(give, kernel)); })
        .Case([&](exec::ReduceToOwnerOp reduce) { text.push_back(reduced(reduce)); })
        .Default([&](Operation *each) {
          for (std::string &line : agreed(each))
            text.push_back(std::move(line));
        });
  if (text.empty())
    text.emplace_back("nothing");
  return text;
}

std::string Messages::kept(exec::ResumeOp rounds) {
  std::string text;
  for (Value state : rounds.getStates())
    text += (text.empty() ? "" : ", ") + quoted(state);
  if (isa<exec::PropagateOp, exec::OrderedOp>(rounds->getNextNode()))
    text += (text.empty() ? "" : ", ") + std::string("which vertices are active");
  return text.empty() ? "only how many are done" : text;
}

} // namespace gcompile
