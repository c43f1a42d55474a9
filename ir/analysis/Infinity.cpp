#include "ir/analysis/Infinity.h"
#include "ir/analysis/Statement.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstdint>

using namespace mlir;

namespace gcompile {

/// Whether a value is of such a type, or a tuple with one.
template <class T> static bool has(Type type) {
  auto tuple = dyn_cast<TupleType>(type);
  return isa<T>(type) || (tuple && llvm::any_of(tuple.getTypes(), has<T>));
}

bool InfinityAnalysis::mayBeInf(Value value) const {
  if (value.getDefiningOp<graph::ConstantOp>())
    return false;
  Known known;
  return find(value, known);
}

/// `known`: what has been found out about values that are used several times.
bool InfinityAnalysis::find(Value value, Known &known) const {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  bool result = compute(value, known);
  known[value] = result;
  return result;
}

/// Whether a number is known to be less than the inf of a narrower integer type.
bool InfinityAnalysis::staysFinite(Value value, Type narrow, Known &known) const {
  const std::int64_t limit = narrow.isInteger(32) ? INT32_MAX : INT64_MAX;
  Operation *op = value.getDefiningOp();
  if (auto let = dyn_cast_or_null<graph::LetOp>(op))
    return staysFinite(let.getValue(), narrow, known);
  if (auto constant = dyn_cast_or_null<graph::ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      return number.getValueAsDouble() < static_cast<double>(limit);
    return cast<IntegerAttr>(constant.getValue()).getInt() < limit;
  }
  if (auto wider = dyn_cast_or_null<graph::CastOp>(op); wider && wider.getOperand().getType() == narrow)
    return !find(wider.getOperand(), known);
  auto binary = dyn_cast_or_null<graph::BinaryOp>(op);
  if (!binary)
    return false;
  if (binary.getKind() == graph::BinaryKind::Rem) { // which is less than the divisor
    auto divisor = binary.getRhs().getDefiningOp<graph::ConstantOp>();
    const std::int64_t number = divisor ? cast<IntegerAttr>(divisor.getValue()).getInt() : INT64_MIN;
    return number >= -limit && number <= limit;
  }
  return binary.getKind() == graph::BinaryKind::Min &&
         (staysFinite(binary.getLhs(), narrow, known) || staysFinite(binary.getRhs(), narrow, known));
}

bool InfinityAnalysis::compute(Value value, Known &known) const {
  Type type = value.getType();
  if (isa<graph::StateType>(type))
    return infinite.contains(value);
  if (!isa<IntegerType, FloatType, TupleType, graph::ForeignType>(type) || type.isInteger(1))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op) { // a parameter of the algorithm, or a round number
    auto argument = cast<BlockArgument>(value);
    auto algorithm = dyn_cast<graph::AlgorithmOp>(argument.getOwner()->getParentOp());
    if (!algorithm)
      return isa<graph::FuncOp, graph::ReductionOp>(argument.getOwner()->getParentOp());
    auto info = cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]);
    auto text = info.getAs<StringAttr>("default");
    return text && text.getValue().ends_with("inf");
  }
  auto any = [&](ValueRange values) { return llvm::any_of(values, [&](Value v) { return find(v, known); }); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<graph::InfOp>([](auto) { return true; })
      .Case<graph::ReadOp>([&](graph::ReadOp read) { return find(read.getState(), known); })
      .Case<graph::LetOp>([&](graph::LetOp let) { return find(let.getValue(), known); })
      .Case<graph::CastOp>([&](graph::CastOp cast) {
        // What is too great for a narrower type becomes its inf.
        Type from = cast.getOperand().getType();
        bool narrows = isa<IntegerType>(type) &&
                       (isa<FloatType>(from) || from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth());
        return narrows ? !staysFinite(cast.getOperand(), type, known) : find(cast.getOperand(), known);
      })
      .Case<graph::UnaryOp>([&](graph::UnaryOp unary) {
        auto kind = unary.getKind(); // exp overflows, log of 0 is infinite
        if (kind == graph::UnaryKind::PopCount)
          return false;
        return kind == graph::UnaryKind::Exp || kind == graph::UnaryKind::Log || find(unary.getOperand(), known);
      })
      .Case<graph::BinaryOp>([&](graph::BinaryOp binary) {
        auto kind = binary.getKind(); // for real numbers, x / 0 is infinite and products overflow
        if (isa<FloatType>(type) &&
            (kind == graph::BinaryKind::Div || kind == graph::BinaryKind::Mul || kind == graph::BinaryKind::Pow))
          return true;
        if (binary.getKind() == graph::BinaryKind::Min)
          return find(binary.getLhs(), known) && find(binary.getRhs(), known);
        return any(binary->getOperands());
      })
      .Case<graph::TupleOp, graph::ElementOp>([&](Operation *o) { return any(o->getOperands()); })
      .Case<graph::ConditionalOp>([&](graph::ConditionalOp c) {
        return find(yielded(c.getWhenTrue()), known) || find(yielded(c.getWhenFalse()), known);
      })
      .Case<graph::ReduceOp>([&](graph::ReduceOp reduce) {
        auto kind = reduce.getKind(); // an empty min or max is infinite
        return kind == graph::ReduceKind::Min || kind == graph::ReduceKind::Max ||
               (!reduce.getValue().empty() && find(yielded(reduce.getValue()), known));
      })
      .Case<graph::CallOp>([](auto) { return true; })
      .Case<graph::ForeignCallOp>([&](graph::ForeignCallOp call) {
        // No whole number is made of a real one where the function keeps what is finite.
        auto whole = [](Value v) { return !isa<FloatType>(v.getType()); };
        return has<FloatType>(type) || !call.getKeepsFinite() ||
               any(llvm::to_vector(llvm::make_filter_range(call.getOperands(), whole)));
      })
      .Default([](Operation *) { return false; });
}

InfinityAnalysis::InfinityAnalysis(Operation *algorithm) {
  bool changed = true;
  // What a program is given for each vertex may be another one's result, with infinite values in it.
  if (auto given = dyn_cast<graph::AlgorithmOp>(algorithm))
    for (Value argument : given.getBody().getArguments())
      if (auto type = dyn_cast<graph::StateType>(argument.getType());
          type && type.getShape() == graph::Shape::PerVertex && !type.getElement().isInteger(1))
        infinite.insert(argument);
  auto mark = [&](Value state, Value value) {
    if (!infinite.contains(state) && mayBeInf(value))
      changed |= infinite.insert(state).second;
  };
  while (changed) {
    changed = false;
    algorithm->walk([&](Operation *op) {
      if (auto state = dyn_cast<graph::StateOp>(op)) {
        if (!state.getInit().empty())
          mark(state.getState(), yielded(state.getInit()));
        else if (has<graph::ForeignType>(state.getState().getType().getElement())) // a default constructor may do it
          changed |= infinite.insert(state.getState()).second;
      } else if (auto update = dyn_cast<graph::UpdateOp>(op); update && update.getCombiner())
        changed |= infinite.insert(update.getState()).second; // a function of C++ may give anything
      else if (update)
        mark(update.getState(), update.getValue());
      else if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op))
        for (auto [state, value] : llvm::zip(tuple.getStates(), tuple.getValues()))
          mark(state, value);
    });
  }
}

} // namespace gcompile
