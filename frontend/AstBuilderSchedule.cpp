// Schedules of the parse tree.
#include "frontend/AstBuilderImpl.h"

namespace gcompile {

namespace {

/// A number without its `_`; any other word as it is.
std::string scheduleWord(const std::string &word) {
  bool number = !word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'));
  return number ? withoutSeparators(word) : word;
}

} // namespace

ScheduleDecl AstBuilder::schedule(P::ScheduleDeclContext *context) {
  ScheduleDecl result;
  result.range = rangeOf(context->name());
  result.algorithm = textOf(context->name());
  for (P::ScheduleSectionContext *s : context->scheduleSection()) {
    ScheduleSection section;
    section.range = rangeOf(s->name(0));
    section.target = textOf(s->name(0));
    if (s->name().size() > 1)
      section.label = textOf(s->name(1));
    for (P::DirectiveContext *d : s->directive()) {
      ScheduleDirective directive;
      directive.range = rangeOf(d);
      directive.nameRange = rangeOf(d->name());
      directive.name = textOf(d->name());
      directive.by = d->BY() != nullptr;
      for (P::AlternativeContext *a : d->alternative()) {
        auto &values = a == d->alternative(0) ? directive.values : directive.alternatives.emplace_back();
        for (P::ScheduleValueContext *v : a->scheduleValue())
          values.push_back(scheduleValue(v));
      }
      if (directive.values.empty())
        directive.values.push_back({directive.nameRange, "", options(d->optionList())});
      section.directives.push_back(std::move(directive));
    }
    result.sections.push_back(std::move(section));
  }
  return result;
}

ScheduleValue AstBuilder::scheduleValue(P::ScheduleValueContext *context) {
  ScheduleValue value;
  value.range = rangeOf(context->scheduleWord());
  value.name = scheduleWord(textOf(context->scheduleWord()));
  value.options = options(context->optionList());
  return value;
}

std::vector<ScheduleOption> AstBuilder::options(P::OptionListContext *context) {
  std::vector<ScheduleOption> given;
  if (context)
    for (P::OptionContext *option : context->option())
      given.push_back({rangeOf(option->name()), textOf(option->name()), scheduleWord(textOf(option->scheduleWord()))});
  return given;
}

} // namespace gcompile
