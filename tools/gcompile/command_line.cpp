#include "tools/gcompile/command_line.h"
#include "tools/gcompile/failure.h"

#include "frontend/Spelling.h"
#include "runtime/tool_support/output_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace gcompile {

std::string didYouMean(const std::string &word, const std::vector<std::string> &candidates) {
  std::string best = nearest(word, candidates);
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

static std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

void printAndExit(const std::string &text) {
  fmt::print("{}", text);
  gc::detail::require_printed();
  std::exit(0);
}

void parse(CLI::App &app, std::vector<std::string> arguments) {
  app.allow_extras();
  for (const std::string &argument : arguments) // CLI11 would take the next word as the value
    if (argument.rfind("--", 0) == 0 && argument.find('=') == argument.size() - 1)
      failUsage("{} needs a value", argument.substr(0, argument.size() - 1));
  try {
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants it
    app.parse(arguments);
  } catch (const CLI::CallForVersion &version) {
    printAndExit(std::string(version.what()) + "\n");
  } catch (const CLI::Success &) {
    printAndExit(app.help());
  } catch (const CLI::ArgumentMismatch &error) {
    std::string message = error.what(), name = message.substr(0, message.find(':'));
    failUsage("{} {}", name, message.find("At Most") != std::string::npos ? "is given twice" : "needs a value");
  } catch (const CLI::ParseError &error) {
    std::string message = error.what();
    if (std::size_t end = message.find('\n'); end != std::string::npos)
      message.resize(end);
    failUsage("{}", message);
  }
  for (const CLI::Option *option : app.get_options()) {
    bool isFlag = option->get_items_expected_max() == 0;
    if (isFlag && option->count() > 1)
      failUsage("{} is given twice", option->get_name());
    for (const std::string &value : option->results())
      if (value.empty() && !isFlag)
        failUsage("{} {}", option->get_positional() ? "the name of a file" : option->get_name(),
                  option->get_positional() ? "is empty" : "needs a value");
  }
  for (const std::string &extra : app.remaining()) {
    if (extra.size() > 1 && extra[0] == '-') {
      std::string name = extra.substr(0, extra.find('='));
      failUsage("unknown option '{}'{}", name, didYouMean(name, optionNames(app)));
    }
    failUsage("unexpected argument '{}'", extra);
  }
}

} // namespace gcompile
