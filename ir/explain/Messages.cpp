#include "ir/explain/Messages.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {

/// Whether it only chooses between forms of a kernel.
static bool isChoiceOfForms(Operation *op) { return exec::isDivisionOfLists(op) || exec::isChoiceOfSegments(op); }

Messages::Messages(graph::AlgorithmOp lowered, bool onDevice) : onDevice(onDevice) {
  // What a statement sends where edges are not divided, and without segments, which change nothing in that.
  lowered.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto around = op->getParentOp();
        around && isChoiceOfForms(around) && op->getParentRegion() == &cast<graph::IfOp>(around).getThenRegion())
      return WalkResult::skip();
    if (auto give = dyn_cast<exec::GiveToCopiesOp>(op); give && give.getCopies() == exec::CopiesOf::Lists)
      return WalkResult::advance();
    auto copy = dyn_cast<exec::SnapshotOp>(op);
    if ((copy && copy.getRow()) || exec::isKernel(op) ||
        isa<exec::ReduceToOwnerOp, exec::ActivateOwnersOp, exec::GiveToCopiesOp, exec::CombinePartsOp>(op))
      operations[op->getLoc()].push_back(op);
    return WalkResult::advance();
  });
}

/// Bytes of a value in a message, where vertices have 32 bits.
static unsigned bytesOf(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    unsigned bytes = 0;
    for (Type each : tuple.getTypes())
      bytes += bytesOf(each);
    return bytes;
  }
  return isa<graph::VertexType>(type) ? 4
         : isa<graph::EdgeType>(type) ? 8
         : type.isInteger(1)          ? 1
                                      : type.getIntOrFloatBitWidth() / 8;
}

static unsigned bytesOf(Value state) { return bytesOf(cast<graph::StateType>(state.getType()).getElement()); }

/// Bytes of the number of the vertex, or of the edge, that a record is about.
static unsigned bytesOfPlace(Value state) { return graph::hasValuePerEdge(state) ? 8 : 4; }

static std::string quoted(Value state) { return "'" + exec::nameOf(state) + "'"; }

static std::string whenGiven(exec::GiveToCopiesOp give, Operation *kernel) {
  while (kernel && isChoiceOfForms(kernel->getParentOp()))
    kernel = kernel->getParentOp();
  return kernel && give->getBlock() == kernel->getBlock() ? "before it: " : "once, before the loop around it: ";
}

static std::string toAll(Value state) {
  return "owners send " + quoted(state) + " to all parts: " + std::to_string(bytesOf(state)) + " bytes for each " +
         (graph::hasValuePerEdge(state) ? "edge" : "vertex") + ", to each part";
}

static std::string ofArray(Value array) {
  return "after it: each part sends what it has collected for " + quoted(array) +
         " to all others: " + std::to_string(bytesOf(array)) + " bytes for each element";
}

std::string Messages::given(exec::GiveToCopiesOp give, Operation *kernel) const {
  Value state = give.getState();
  if (isa<graph::SetType>(cast<graph::StateType>(state.getType()).getElement()))
    return whenGiven(give, kernel) + "owners send which of their vertices came into " + quoted(state) +
           " or left it to those that hold copies of these: 4 bytes for each";
  if (graph::hasValuePerEdge(state) && !onDevice)
    return whenGiven(give, kernel) + "owners send what has changed of " + quoted(state) + " since they last did to " +
           (give.getEverywhere() ? "all parts" : "those that hold copies of the vertices that the edges leave") + ": " +
           std::to_string(bytesOfPlace(state) + bytesOf(state)) +
           " bytes for each, with the edge, or all values where these take less";
  if (give.getEverywhere())
    return whenGiven(give, kernel) + toAll(state);
  return whenGiven(give, kernel) + "owners send " + quoted(state) +
         " to those that hold copies: " + std::to_string(bytesOf(state)) + " bytes for each copy";
}

static std::string whenReduced(Operation *reduce) {
  auto propagate = dyn_cast<exec::PropagateOp>(reduce->getParentOp());
  return propagate ? exec::isAbsent(propagate.getPull()) ? "after each round: " : "after each round that pushes: "
         : isa<exec::OrderedOp>(reduce->getParentOp()) ? "after each step of a bucket: "
                                                       : "after it: ";
}

static std::string reduced(exec::ReduceToOwnerOp reduce) {
  unsigned bytes = bytesOfPlace(reduce.getState()) + bytesOf(reduce.getState());
  std::string values = quoted(reduce.getState());
  for (Value state : reduce.getWith()) {
    bytes += bytesOf(state);
    values += ", " + quoted(state);
  }
  const bool assigns = reduce.getKind() == graph::UpdateKind::Assign && !reduce.getExpected();
  std::string how = reduce.getExpected() ? "takes the first that it gets"
                    : assigns            ? "takes it"
                                         : "combines them by " + graph::stringifyUpdateKind(reduce.getKind()).str();
  if (reduce.getAlways())
    how += " and activates the vertex";
  return whenReduced(reduce) + "each copy that " +
         (assigns               ? "was assigned"
          : reduce.getNeutral() ? "was added to"
                                : "changed") +
         " sends " + values + " to its owner, which " + how + ": " + std::to_string(bytes) +
         " bytes for each, with the " + (graph::hasValuePerEdge(reduce.getState()) ? "edge" : "vertex");
}

/// What copies get before a push, of what the rounds change.
std::string Messages::givenEachRound(exec::PropagateOp propagate) const {
  unsigned bytes = 0;
  std::string values;
  if (!exec::isAbsent(propagate.getExchange()))
    for (auto give : propagate.getExchange().front().getOps<exec::GiveActiveOp>())
      if (give.getEachRound()) {
        bytes += bytesOf(give.getState());
        values += (values.empty() ? "" : ", ") + quoted(give.getState());
      }
  if (onDevice && !values.empty())
    return "before each round: owners send " + values + " to all parts: " + std::to_string(bytes) +
           " bytes for each vertex, to each part";
  return values.empty()
             ? ""
             : "before a round that pushes: owners send " + values +
                   " of active vertices to those that hold copies, with a bit for each copy: " + std::to_string(bytes) +
                   " bytes for each copy of one; before the first, of all vertices";
}

/// What copies of active vertices get before a pull.
static std::string givenOfActive(exec::PropagateOp propagate) {
  unsigned bytes = 0;
  std::string values;
  if (!exec::isAbsent(propagate.getExchange()))
    for (auto give : propagate.getExchange().front().getOps<exec::GiveActiveOp>()) {
      if (give.getOfLists())
        continue;
      bytes += bytesOf(give.getState());
      values += (values.empty() ? "" : ", ") + quoted(give.getState());
    }
  return values.empty() ? ""
                        : ", and " + values + " of those that are active: " + std::to_string(bytes) +
                              " bytes for each copy of one";
}

/// On what machines agree while the kernel runs, which takes a number of each.
std::vector<std::string> Messages::agreed(Operation *kernel) const {
  std::vector<std::string> text;
  if (auto propagate = dyn_cast<exec::PropagateOp>(kernel)) {
    text = {"before each round: whether a vertex is active anywhere"};
    text.emplace_back(exec::isAbsent(propagate.getPull())
                          ? "all rounds push"
                          : "before a round that pulls: owners send which of their vertices are active to those that "
                            "hold copies: a bit for each copy" +
                                givenOfActive(propagate));
    if (std::string given = givenEachRound(propagate); !given.empty())
      text.push_back(std::move(given));
  } else if (isa<exec::OrderedOp>(kernel))
    text = {"before each step: which bucket is the first that is not empty anywhere"};
  else if (isa<exec::ReduceOp>(kernel))
    text = {"after it: the value that all parts combine to"};
  llvm::SmallVector<Value> told;
  kernel->walk([&](exec::UpdateOp update) {
    if (update.getSync() != exec::Sync::Private || llvm::is_contained(told, update.getState()))
      return;
    told.push_back(update.getState());
    const bool array = cast<graph::StateType>(update.getState().getType()).getShape() == graph::Shape::Array;
    text.push_back(array ? ofArray(update.getState()) : "after it: what all parts add to " + quoted(update.getState()));
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
        .Case([&](exec::SnapshotOp copy) {
          text.push_back("before it: the owner of a vertex sends its row of " + quoted(copy.getState()) +
                         " to all parts: " + std::to_string(bytesOf(copy.getState())) +
                         " bytes for each vertex, to each part");
        })
        .Case([&](exec::CombinePartsOp combine) { text.push_back(ofArray(combine.getState())); })
        .Case([&](exec::ReduceToOwnerOp reduce) { text.push_back(reduced(reduce)); })
        .Case([&](exec::ActivateOwnersOp activate) {
          text.push_back(whenReduced(activate) +
                         "each copy that is to become active is sent to its owner: 4 bytes for each");
        })
        .Default([&](Operation *each) {
          for (std::string &line : agreed(each))
            text.push_back(std::move(line));
        });
  if (text.empty())
    text.emplace_back("nothing");
  return text;
}

bool Messages::isOnOneThread(Location statement) const {
  auto found = operations.find(statement);
  return found != operations.end() && llvm::any_of(found->second, exec::isSerial);
}

std::string Messages::kept(exec::ResumeOp rounds) {
  std::string text;
  for (Value state : rounds.getStates())
    text += (text.empty() ? "" : ", ") + quoted(state);
  if (isa<exec::PropagateOp, exec::OrderedOp>(rounds->getNextNode()))
    text += (text.empty() ? "" : ", ") + std::string("which vertices are active");
  return text.empty() ? "only how many are done" : text;
}

std::string Messages::asked(exec::OwnerValueOp value) {
  return "the owner of a vertex sends " + quoted(value.getState()) +
         " of it to all parts: " + std::to_string(bytesOf(value.getType())) + " bytes";
}

std::string Messages::asked(exec::OwnerComputesOp value) {
  const bool ofEdge = isa<graph::EdgeType>(value.getPlace().getType());
  return std::string("the owner of ") + (ofEdge ? "an edge" : "a vertex") +
         " sends what it knows of it to all parts: " + std::to_string(bytesOf(value.getType())) + " bytes";
}

std::vector<std::string> Messages::loaded(graph::AlgorithmOp lowered) {
  DictionaryAttr needs = *lowered.getNeeds();
  unsigned values = 0;
  for (Value argument : lowered.getBody().getArguments())
    if (auto state = dyn_cast<graph::StateType>(argument.getType()); state && state.getShape() == graph::Shape::PerEdge)
      values += bytesOf(argument);
  std::vector<std::string> text;
  if (needs.contains("edges_of_all"))
    return {"the edges of all vertices: the whole graph"};
  if (needs.contains("out_of_copies"))
    text.push_back("the edges out of vertices that it holds copies of: " + std::to_string(4 + values) +
                   " bytes for each" + (values > 0 ? ", with its properties" : ""));
  if (needs.contains("into_copies"))
    text.push_back("the edges into vertices that it holds copies of: " +
                   std::to_string(needs.contains("in_edge_ids") ? 12 : 4) + " bytes for each");
  return text;
}

} // namespace gcompile
