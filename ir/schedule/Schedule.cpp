#include "ir/schedule/Schedule.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gcompile {

// ---- the attributes

/// The number that an option's attribute holds.
static std::optional<schedule::Number::Value> numberIn(Attribute attribute) {
  if (auto whole = dyn_cast<IntegerAttr>(attribute); whole && whole.getType().isInteger(64))
    return schedule::Number::Value(whole.getInt());
  if (auto real = dyn_cast<FloatAttr>(attribute); real && real.getType().isF64())
    return schedule::Number::Value(real.getValueAsDouble());
  return std::nullopt;
}

/// Whether `values`, which are several, may be joined.
static bool mayJoin(const schedule::Directive &row, ArrayRef<unsigned> values) {
  SmallVector<unsigned> given(values);
  llvm::sort(given);
  return llvm::any_of(row.together, [&](const std::vector<std::string_view> &together) {
    SmallVector<unsigned> allowed;
    for (auto [index, value] : llvm::enumerate(row.values))
      if (schedule::contains(together, value.name))
        allowed.push_back(static_cast<unsigned>(index));
    return given == allowed;
  });
}

LogicalResult graph::DirectiveAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr section, StringAttr,
                                           unsigned directive, ArrayRef<unsigned> values,
                                           ArrayRef<DictionaryAttr> options, LocationAttr) {
  if (directive >= schedule::directives().size())
    return emitError() << "there is no directive " << directive;
  const schedule::Directive &row = schedule::directives()[directive];
  if (!schedule::contains(row.sections, section.getValue()))
    return emitError() << "'" << row.name << "' does not stand in the section '" << section.getValue() << "'";
  if (values.size() != options.size() || values.empty() || (values.size() > 1 && !mayJoin(row, values)))
    return emitError() << "'" << row.name << "' has the wrong number of values";
  for (auto [index, given] : llvm::zip(values, options)) {
    if (index >= row.values.size() || !row.value(row.values[index].name, section.getValue()))
      return emitError() << "'" << row.name << "' has a value that the section does not have";
    for (NamedAttribute entry : given) {
      const schedule::Option *option = row.values[index].option(entry.getName().getValue());
      std::optional<schedule::Number::Value> number = numberIn(entry.getValue());
      if (!option)
        return emitError() << "'" << (row.standsAlone() ? row.name : row.values[index].name) << "' has no option '"
                           << entry.getName().getValue() << "'";
      if (!number || !option->number.allows(*number))
        return emitError() << "'" << option->name << "' takes " << option->number.words;
    }
  }
  return success();
}

LogicalResult graph::ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<DirectiveAttr> directives) {
  llvm::StringSet<> decided;
  for (DirectiveAttr directive : directives)
    if (!decided.insert(schedule::row(directive).decision).second)
      return emitError() << "the schedule decides '" << schedule::row(directive).decision << "' twice";
  return success();
}

void graph::DirectiveAttr::print(AsmPrinter &printer) const {
  const schedule::Directive &row = schedule::row(*this);
  printer << "<" << getSection().getValue() << " " << getLabel() << " " << row.name;
  for (auto [number, index] : llvm::enumerate(getValues())) {
    if (!row.standsAlone())
      printer << (number ? " + " : " ") << row.values[index].name;
    if (DictionaryAttr options = getOptions()[number]; !options.empty())
      printer << " " << options;
  }
  printer << " at " << getPlace() << ">";
}

Attribute graph::DirectiveAttr::parse(AsmParser &parser, Type) {
  std::string section;
  StringAttr label;
  StringRef name;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeywordOrString(&section) || parser.parseAttribute(label) ||
      parser.parseKeyword(&name))
    return {};
  std::optional<unsigned> directive = schedule::find(name);
  if (!directive)
    return parser.emitError(place, "there is no directive '") << name << "'", Attribute();
  const schedule::Directive &row = schedule::directives()[*directive];
  SmallVector<unsigned> values;
  SmallVector<DictionaryAttr> options;
  do {
    StringRef word;
    if ((!values.empty() && parser.parsePlus()) || (!row.standsAlone() && parser.parseKeyword(&word)))
      return {};
    // Where the section is a wrong one, verify() says so.
    const schedule::Value *value = row.standsAlone() ? &row.values.front() : row.value(word, section);
    if (!value)
      return parser.emitError(place, "'") << name << "' has no value '" << word << "'", Attribute();
    auto given = DictionaryAttr::get(parser.getContext());
    if (parser.parseOptionalAttribute(given).has_value() && !given)
      return {};
    values.push_back(static_cast<unsigned>(value - row.values.data()));
    options.push_back(given);
  } while (failed(parser.parseOptionalKeyword("at")));
  LocationAttr where;
  if (parser.parseAttribute(where) || parser.parseGreater())
    return {};
  return parser.getChecked<DirectiveAttr>(place, parser.getContext(), parser.getBuilder().getStringAttr(section), label,
                                          *directive, ArrayRef(values), ArrayRef(options), where);
}

// ---- reading them

namespace schedule {

const Directive &row(graph::DirectiveAttr directive) { return directives()[directive.getDirective()]; }

graph::DirectiveAttr find(graph::ScheduleAttr schedule, unsigned directive) {
  if (schedule)
    for (graph::DirectiveAttr said : schedule.getDirectives())
      if (said.getDirective() == directive)
        return said;
  return {};
}

template <typename T> std::optional<T> Said::option(unsigned choice, StringRef name) const {
  if (!has(choice))
    return std::nullopt;
  std::size_t number = llvm::find(attribute.getValues(), choice) - attribute.getValues().begin();
  const Option *option = row(attribute).values[choice].option(name);
  if (!option)
    return std::nullopt;
  Attribute given = attribute.getOptions()[number].get(name);
  std::optional<Number::Value> value = given ? numberIn(given) : option->number.parse(option->fallback);
  return value ? std::optional<T>(std::get<T>(*value)) : std::nullopt;
}

template std::optional<double> Said::option(unsigned, StringRef) const;
template std::optional<std::int64_t> Said::option(unsigned, StringRef) const;

} // namespace schedule
} // namespace gcompile
