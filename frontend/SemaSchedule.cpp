#include "frontend/SemaImpl.h"
#include "frontend/Spelling.h"

#include <algorithm>

namespace gcompile {

// The words and numbers of schedules, against the table of directives. It names no directive: the table knows them.
// What a statement allows is for the passes.

namespace {

template <typename T> std::vector<std::string> namesOf(const std::vector<T> &things) {
  std::vector<std::string> names;
  for (const T &thing : things)
    names.emplace_back(thing.name);
  return names;
}

/// The directives, or the values of one, that a section has.
template <typename T> std::vector<std::string> namesIn(const std::vector<T> &things, const std::string &section) {
  std::vector<std::string> names;
  for (const T &thing : things)
    if (schedule::contains(thing.sections, section))
      names.emplace_back(thing.name);
  return names;
}

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

/// "the options alpha and beta".
std::string optionsOf(const schedule::Value &value) {
  std::string listed = schedule::listed(namesOf(value.options), "and");
  return listed.empty() ? "no options" : (value.options.size() == 1 ? "the option " : "the options ") + listed;
}

/// A directive with one of its values: "ordered obim", "asynchronous".
std::string called(const schedule::Directive &row, const ScheduleValue &value) {
  return std::string(row.name) + (row.standsAlone() ? "" : " " + value.name);
}

/// What follows the name of a directive, without options.
std::string written(const ScheduleDirective &directive) {
  std::string text = directive.by ? "by " : "";
  auto join = [&](const std::vector<ScheduleValue> &values) {
    for (const ScheduleValue &value : values)
      text += (&value == &values.front() ? "" : " + ") + value.name;
  };
  join(directive.values);
  for (const std::vector<ScheduleValue> &alternative : directive.alternatives) {
    text += " | ";
    join(alternative);
  }
  return text.empty() ? "nothing" : quoted(text);
}

/// "'alpha' is an option of hybrid and growth", or "" where it is one of no value that the section has.
std::string optionElsewhere(const schedule::Directive &row, const std::string &section, const std::string &option) {
  std::vector<std::string> owners;
  for (const schedule::Value &value : row.values)
    if (schedule::contains(value.sections, section) && value.option(option))
      owners.emplace_back(value.name);
  return owners.empty() ? "" : quoted(option) + " is an option of " + schedule::listed(owners, "and");
}

/// Whether values that are several may be joined.
bool mayJoin(const schedule::Directive &row, const std::vector<ScheduleValue> &values) {
  std::vector<std::string> given = namesOf(values);
  std::sort(given.begin(), given.end());
  return std::any_of(row.together.begin(), row.together.end(), [&](std::vector<std::string_view> together) {
    std::sort(together.begin(), together.end());
    return std::equal(together.begin(), together.end(), given.begin(), given.end());
  });
}

} // namespace

void Sema::checkSchedules() {
  std::vector<std::string> names = namesOf(program.algorithms);
  for (const ScheduleDecl &schedule : program.schedules) {
    if (!schedule::contains(names, schedule.algorithm))
      diags.report(diag::no_such_algorithm, schedule.range, schedule.algorithm)
          .suggest(nearest(schedule.algorithm, names));
    for (const ScheduleSection &section : schedule.sections) {
      std::vector<std::string> known = namesOf(schedule::sections());
      if (!schedule::section(section.target))
        diags.report(diag::unknown_schedule, section.range, "target", section.target)
            .suggest(nearest(section.target, known))
            .note({}, "the sections are " + schedule::listed(known, "and"));
      else
        for (const ScheduleDirective &directive : section.directives)
          checkDirective(section, directive);
    }
  }
}

void Sema::checkDirective(const ScheduleSection &section, const ScheduleDirective &directive) {
  std::optional<unsigned> found = schedule::find(directive.name);
  const schedule::Directive *row = found ? &schedule::directives()[*found] : nullptr;
  if (row && schedule::contains(row->absent.sections, section.target)) {
    diags.report(diag::not_on_device, directive.range, row->absent.as);
    return;
  }
  bool elsewhere = row && !schedule::contains(row->sections, section.target);
  const schedule::Value *first = row ? row->value(directive.values.front().name, section.target) : nullptr;
  bool whole = row && (first ? first->subject : row->subject) == schedule::Subject::Algorithm;
  if (!row || elsewhere || (whole && !section.label.empty())) {
    std::vector<std::string> known = namesIn(schedule::directives(), section.target);
    auto error = diags.report(diag::unknown_schedule, directive.nameRange, schedule::section(section.target)->holds,
                              directive.name);
    if (elsewhere)
      error.note({}, quoted(row->name) + " is for the section " +
                         schedule::listed({row->sections.begin(), row->sections.end()}, "or"));
    else if (row)
      error.note({}, quoted(first && first->subject != row->subject
                                ? std::string(row->name) + " " + std::string(first->name)
                                : std::string(row->name)) +
                         " is said of the whole algorithm, without a label");
    else
      error.suggest(nearest(directive.name, known))
          .note({}, section.target + " has the directives " + schedule::listed(known, "and"));
    return;
  }
  const std::vector<ScheduleValue> &values = directive.values;
  bool several = values.size() > 1;
  if (directive.by != row->by || values.front().name.empty() != row->standsAlone() || !directive.alternatives.empty() ||
      (several && row->together.empty())) {
    diags.report(diag::bad_schedule_value, directive.range, row->name,
                 row->standsAlone() ? "no value" : row->choices(section.target), written(directive));
    return;
  }
  for (const ScheduleValue &value : values)
    checkScheduleValue(section, *row, value);
  auto isKnown = [&](const ScheduleValue &value) { return row->value(value.name, section.target); };
  if (several && std::all_of(values.begin(), values.end(), isKnown) && !mayJoin(*row, values))
    diags.report(diag::bad_schedule_value, values.front().range, row->name, row->choices(section.target),
                 written(directive));
}

void Sema::checkScheduleValue(const ScheduleSection &section, const schedule::Directive &row,
                              const ScheduleValue &value) {
  const schedule::Value *known = row.value(value.name, section.target);
  if (!known) {
    diags
        .report(diag::bad_schedule_value, value.range, row.name, row.choices(section.target),
                quoted((row.by ? "by " : "") + value.name))
        .suggest(nearest(value.name, namesIn(row.values, section.target)));
    return;
  }
  if (schedule::contains(known->absent.sections, section.target)) {
    diags.report(diag::not_on_device, value.range, known->absent.as);
    return;
  }
  std::vector<std::string> before;
  for (const ScheduleOption &given : value.options) {
    const schedule::Option *option = known->option(given.name);
    if (!option) {
      auto error = diags.report(diag::bad_schedule_value, given.range, called(row, value), optionsOf(*known),
                                quoted(given.name));
      if (std::string owners = optionElsewhere(row, section.target, given.name); !owners.empty())
        error.note({}, owners);
      else
        error.suggest(nearest(given.name, namesOf(known->options)));
    } else if (schedule::contains(before, given.name))
      diags.report(diag::bad_schedule_value, given.range, called(row, value), "an option once",
                   quoted(given.name) + " again");
    else if (schedule::contains(option->absent.sections, section.target))
      diags.report(diag::not_on_device, given.range, option->absent.as);
    else if (!option->number.parse(given.value))
      diags.report(diag::bad_schedule_value, given.range, given.name, option->number.words, quoted(given.value));
    before.push_back(given.name);
  }
}

} // namespace gcompile
