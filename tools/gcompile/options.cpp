#include "tools/gcompile/options.h"
#include "tools/gcompile/command_line.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/option_table.h"

#include "frontend/Spelling.h"
#include "targets/Target.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace gcompile {

namespace {

std::vector<std::string> targetNames(const std::string &before, bool (*holds)(const Target &)) {
  std::vector<std::string> names;
  for (const Target &target : targets())
    if (holds(target))
      names.push_back(before + target.name);
  return names;
}

/// The options of a command, and what is given for them.
struct CommandLine {
  explicit CommandLine(Command command) { declareOptions(app, given, rowOf(command)); }
  Given given;
  CLI::App app;
};

void finishWarnings(Options &options, const std::vector<std::string> &warnings) {
  for (const std::string &warning : warnings) {
    if (warning == "error")
      options.warningsAsErrors = true;
    else if (warning.rfind("no-", 0) == 0)
      options.disabledWarnings.push_back(warning.substr(3));
    else
      failUsage("unknown option '-W{}': write -Werror or -Wno-NAME", warning);
  }
}

void checkBuild(Given &given) {
  Options &options = given.options;
  const std::string &target = given.target, &bits = given.gpuVertexBits;
  options.target = findTarget(target);
  if (!options.target) {
    std::vector<std::string> names = targetNames("", [](const Target &) { return true; });
    failUsage("unknown target '{}'{}; the targets are {}", target, didYouMean(target, names), listed(names, "and"));
  }
  // What only some targets have is refused for others.
  auto require = [&](const char *option, bool (*has)(const Target &), const std::string &reason = "") {
    if (!has(*options.target))
      failUsage("{} is for {}{}", option, listed(targetNames("--target=", has), "or"), reason);
  };
  const std::vector<Exchange> &exchanges = options.target->exchanges;
  if (!given.exchange.empty())
    require("--exchange", [](const Target &each) { return !each.exchanges.empty(); });
  for (const Exchange &each : exchanges)
    if (given.exchange.empty() ? &each == &exchanges.front() : given.exchange == each.name)
      options.exchange = &each;
  if (!options.exchange && !exchanges.empty()) {
    std::vector<std::string> names;
    for (const Exchange &each : exchanges)
      names.emplace_back(each.name);
    failUsage("--exchange is {}, not '{}'", listed(names, "or"), given.exchange);
  }
  if (!options.arch.empty())
    require("--arch", [](const Target &each) { return each.toolchain.takesArch; });
  if (!bits.empty())
    require("--gpu-vertex-bits", [](const Target &each) { return each.withVertexBits != nullptr; });
  if (!bits.empty() && bits != "29" && bits != "30" && bits != "31")
    failUsage("--gpu-vertex-bits is 29, 30 or 31, not '{}'", bits);
  options.gpuVertexBits = bits.empty() ? 0 : std::stoi(bits);
  if (options.emit == Emit::Shared)
    require(
        "--emit=shared", [](const Target &each) { return !each.toolchain.sharedFlags.empty(); },
        std::string(": ") + options.target->toolchain.notShared);
  if (options.emit == Emit::Explanation)
    require("--explain", [](const Target &each) { return each.parallel; });
  if (options.profile)
    require("--profile", [](const Target &each) { return each.measures; });
  if (options.ranks != 0)
    require("--ranks", [](const Target &each) { return *each.starter != '\0'; });
  if (options.threads != 0)
    require("--threads", [](const Target &each) { return each.defaultThreads != nullptr; });
  if (options.optimisation.size() != 1 || options.optimisation[0] < '0' || options.optimisation[0] > '3')
    failUsage("the optimisation level is 0, 1, 2 or 3, not '{}'", options.optimisation);
}

bool isProgram(const std::string &name) { return name.size() > 5 && name.substr(name.size() - 5) == ".gdsl"; }

Options parseCompile(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Compile);
  // `gcompile bfs.gdsl roads.gr --root=1`
  bool hasGraph = arguments.size() > 1 && isProgram(arguments[0]) && arguments[1][0] != '-' && !isProgram(arguments[1]);
  if (hasGraph)
    failUsage("a graph is given to compile: to run the program on it, write 'gcompile run {} {} ...'", arguments[0],
              arguments[1]);
  parse(line.app, arguments);

  Options &options = line.given.options;
  finishWarnings(options, line.given.warnings);
  if (options.inputs.empty())
    failUsage("no program given; 'gcompile --help' shows how to use it");
  if (options.inputs.size() > 1)
    failUsage("more than one program given: '{}' and '{}'", options.inputs[0], options.inputs[1]);
  const auto &kinds = emitNames();
  const std::string &emit = line.given.emit;
  auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto &kind) { return kind.first == emit; });
  if (found == kinds.end()) {
    std::vector<std::string> names;
    for (const auto &kind : kinds)
      names.emplace_back(kind.first);
    failUsage("unknown kind of output '{}'{}", emit, didYouMean(emit, names));
  }
  options.emit = found->second;
  if (const std::string &explanation = line.given.explanation; !explanation.empty()) {
    if (explanation != "text" && explanation != "short" && explanation != "json")
      failUsage("--explain is text, short or json, not '{}'", explanation);
    if (line.app.count("--emit") != 0)
      failUsage("--explain and --emit exclude each other");
    options.emit = Emit::Explanation;
    options.explanation = explanation;
    if (options.output.empty())
      options.output = "-";
  }
  const std::string &bits = line.given.vertexBits;
  if (!bits.empty() && bits != "32" && bits != "64")
    failUsage("--vertex-bits is 32 or 64, not '{}'", bits);
  if (!bits.empty() && options.emit != Emit::Shared)
    failUsage("--vertex-bits is for --emit=shared: other programs take both");
  options.vertexBits = bits.empty() ? 0 : std::stoi(bits);
  if (options.emit == Emit::Shared && options.threads != 0)
    failUsage("--threads and --emit=shared exclude each other: NAME_threads() sets the threads of a library");
  if (options.emit == Emit::Shared && options.profile)
    failUsage("--profile and --emit=shared exclude each other");
  if (!options.depTarget.empty() && options.depFile.empty())
    failUsage("--MT needs --MF");
  checkBuild(line.given);
  return options;
}

/// Where the program stands in `gcompile run [OPTION]... PROGRAM GRAPH ...`: what follows it is not for gcompile.
std::size_t programPosition(const CLI::App &app, const std::vector<std::string> &arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-')
      return i;
    const CLI::Option *option = app.get_option_no_throw(argument);
    if (option && option->get_items_expected_max() > 0)
      ++i; // its value
  }
  return arguments.size();
}

/// What precedes the program's own arguments is parsed, the rest kept for the program.
Options &parseUpToProgram(CommandLine &line, const char *command, const std::vector<std::string> &arguments) {
  std::size_t position = programPosition(line.app, arguments);
  auto split = arguments.begin() + static_cast<std::ptrdiff_t>(std::min(position + 1, arguments.size()));
  parse(line.app, {arguments.begin(), split});
  Options &options = line.given.options;
  options.programArguments.assign(split, arguments.end());
  finishWarnings(options, line.given.warnings);
  if (options.inputs.empty())
    failUsage("no program given; write 'gcompile {} FILE.gdsl GRAPH'", command);
  return options;
}

Options parseRun(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Run);
  Options &options = parseUpToProgram(line, "run", arguments);
  // Whoever asks for a profile needs the program that can give it, and the other way round.
  auto asks = [](const std::string &argument) {
    return argument == "--profile" || argument.rfind("--profile=", 0) == 0;
  };
  bool asked = std::any_of(options.programArguments.begin(), options.programArguments.end(), asks);
  if (options.profile && !asked)
    options.programArguments.push_back("--profile");
  options.profile |= asked;
  checkBuild(line.given);
  return options;
}

Options parseInterpret(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Interpret);
  return parseUpToProgram(line, "interpret", arguments);
}

Options parseCheck(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Check);
  parse(line.app, arguments);

  Options &options = line.given.options;
  finishWarnings(options, line.given.warnings);
  if (options.inputs.empty())
    failUsage("no program given; write 'gcompile check FILE.gdsl'");
  return options;
}

Options parseConvert(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Convert);
  parse(line.app, arguments);

  Options &options = line.given.options;
  const std::vector<std::string> &files = line.given.files;
  if (files.size() != 2)
    failUsage("convert needs two files: 'gcompile convert GRAPH FILE'");
  if (options.directed && options.undirected)
    failUsage("--directed and --undirected exclude each other");
  for (const auto &[name, value] : {std::pair("--self-loops", options.selfLoops), {"--duplicates", options.duplicates}})
    if (!value.empty() && value != "keep" && value != "drop")
      failUsage("{} is keep or drop, not '{}'", name, value);
  if (options.adjacency != "plain" && options.adjacency != "packed")
    failUsage("--adjacency is plain or packed, not '{}'", options.adjacency);
  if (options.header != "yes" && options.header != "no" && options.header != "auto")
    failUsage("--header is yes, no or auto, not '{}'", options.header);
  options.inputs = {files[0]};
  options.output = files[1];
  return options;
}

Options parseCache(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Cache);
  parse(line.app, arguments);

  const Options &options = line.given.options;
  if (options.cacheStats == options.cacheClear)
    failUsage("write 'gcompile cache --stats' or 'gcompile cache --clear'");
  return options;
}

Options parseDescribe(const std::vector<std::string> &arguments) {
  CommandLine line(Command::Describe);
  parse(line.app, arguments);

  const std::vector<std::string> &forms = line.given.files;
  if (forms.size() != 1)
    failUsage("write 'gcompile describe {}', or another form: man, bash, zsh or fish",
              forms.empty() ? "man" : forms[0]);
  line.given.options.description = forms[0];
  return line.given.options;
}

} // namespace

Options::Options() : target(&targets().front()) {}

Options parseOptions(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty())
    return parseCompile(arguments);
  const std::pair<const char *, Options (*)(const std::vector<std::string> &)> commands[] = {
      {"run", parseRun},         {"interpret", parseInterpret}, {"check", parseCheck},
      {"convert", parseConvert}, {"cache", parseCache},         {"describe", parseDescribe}};
  std::vector<std::string> names;
  for (const auto &[name, parseCommand] : commands) {
    if (arguments[0] == name)
      return parseCommand({arguments.begin() + 1, arguments.end()});
    names.emplace_back(name);
  }
  // A lone word that is no file's name looks like a misspelt command.
  bool word = arguments[0].find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  std::string command = word ? nearest(arguments[0], names) : "";
  if (!command.empty() && arguments.size() > 1)
    failUsage("unknown command '{}'; did you mean '{}'?", arguments[0], command);
  return parseCompile(arguments);
}

} // namespace gcompile
