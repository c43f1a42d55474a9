#include "tools/gcompile/options.h"
#include "tools/gcompile/failure.h"

#include "frontend/Spelling.h"
#include "runtime/tool_support/output_file.h"
#include "runtime/tool_support/thread_count.h"
#include "targets/Target.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gcompile {

namespace {

constexpr const char *commands = R"(Commands:
  gcompile FILE.gdsl                    compile a program to an executable in the current folder
  gcompile run FILE.gdsl GRAPH ...      compile (once) and run it on a graph
  gcompile interpret FILE.gdsl GRAPH .. run it step by step, serially, as the language defines it: slow
  gcompile check FILE.gdsl...           report errors only
  gcompile --explain FILE.gdsl          say what runs in parallel, why that is safe, and how it is run
  gcompile convert GRAPH FILE           read a graph and write it as .gcsr (binary, fast to load) or .el (text)
  gcompile cache --stats | --clear      show, or remove, the programs that 'gcompile run' keeps
'gcompile COMMAND --help' lists the options of a command.

Every error and warning has a code, which docs/diagnostics/ explains.
Exit codes, of programs as well (docs/exit-codes.md):
  0   success
  1   errors in the program; a verification that failed
  2   wrong usage, bad files, missing tools, too little memory or space
  3   an error while the program ran
  70  a bug of gcompile)";

const std::map<std::string, Emit> emitNames = {
    {"exe", Emit::Exe},       {"source", Emit::Source}, {"object", Emit::Object},    {"library", Emit::Library},
    {"shared", Emit::Shared}, {"ast", Emit::Ast},       {"graph-ir", Emit::GraphIr}, {"exec-ir", Emit::ExecIr}};

std::string didYouMean(const std::string &word, const std::vector<std::string> &candidates) {
  std::string best = nearest(word, candidates);
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

[[noreturn]] void printAndExit(const std::string &text) {
  fmt::print("{}", text);
  gc::detail::require_printed();
  std::exit(0);
}

/// Parses `arguments` and turns whatever CLI11 reports into a Failure of one line.
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

void addProgramOptions(CLI::App &app, Options &options, std::vector<std::string> &warnings) {
  app.add_option("--algorithm", options.algorithm, "The algorithm, where the file has several that no other one calls")
      ->type_name("NAME");
  app.add_option("-W", warnings, "-Werror: warnings are errors; -Wno-NAME: without that warning")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--diagnostics",
         [&options](const std::string &form) {
           if (form != "text" && form != "json")
             failUsage("--diagnostics is text or json, not '{}'", form);
           options.jsonDiagnostics = form == "json";
         },
         "The form of errors and warnings: text (default), or json: an object on each line")
      ->type_name("FORM");
}

/// "a, b and c".
std::string listed(const std::vector<std::string> &words, const char *last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(" {} ", last)) + words[i];
  return text;
}

std::vector<std::string> targetNames(const std::string &before, bool (*holds)(const Target &)) {
  std::vector<std::string> names;
  for (const Target &target : targets())
    if (holds(target))
      names.push_back(before + target.name);
  return names;
}

void addBuildOptions(CLI::App &app, Options &options, std::string &target) {
  std::vector<std::string> machines;
  for (const Target &known : targets())
    machines.push_back(fmt::format("{} ({}{})", known.name, known.machine, machines.empty() ? ", default" : ""));
  app.add_option("--target", target, "The machine to compile for: " + listed(machines, "or"))->type_name("TARGET");
  app.add_option("--arch", options.arch,
                 "The GPU to compile for, as nvcc names it (default: this machine's, else sm_90)")
      ->type_name("ARCH");
  app.add_option("-O", options.optimisation, "Optimisation level of the C++ compiler: 0 to 3 (default 3)")
      ->type_name("LEVEL");
  app.add_option("--cxx", options.cxx, "The C++ compiler (default: g++, c++ or clang++; nvcc for cuda)")
      ->type_name("PROGRAM");
  app.add_option("--cxx-flag", options.cxxFlags, "A further option for the C++ compiler; may be repeated")
      ->type_name("FLAG")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--threads", [&options](const std::string &text) { options.threads = gc::detail::thread_count(text); },
         "Threads that the program uses unless its --threads says otherwise")
      ->type_name("N");
  app.add_flag("--profile", options.profile, "Compile a program that measures its kernels, for its option --profile");
  app.add_flag("-v,--verbose", options.verbose, "Show the command of the C++ compiler");
  app.add_option("--runtime", options.runtime, "The folder with the runtime's include/ and lib/")->type_name("DIR");
}

void addVersion(CLI::App &app) {
  app.set_version_flag("--version", "gcompile " GCOMPILE_VERSION, "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
}

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

void checkBuild(Options &options, const std::string &target) {
  options.target = findTarget(target);
  if (!options.target) {
    std::vector<std::string> names = targetNames("", [](const Target &) { return true; });
    failUsage("unknown target '{}'{}; the targets are {}", target, didYouMean(target, names), listed(names, "and"));
  }
  // What only some targets have is refused for others.
  auto require = [&](const char *option, bool (*has)(const Target &)) {
    if (!has(*options.target))
      failUsage("{} is for {}", option, listed(targetNames("--target=", has), "or"));
  };
  if (!options.arch.empty())
    require("--arch", [](const Target &each) { return each.toolchain.takesArch; });
  if (options.emit == Emit::Shared)
    require("--emit=shared", [](const Target &each) { return !each.toolchain.sharedFlags.empty(); });
  if (options.emit == Emit::Explanation)
    require("--explain", [](const Target &each) { return each.parallel; });
  if (options.profile)
    require("--profile", [](const Target &each) { return each.measures; });
  if (options.threads != 0)
    require("--threads", [](const Target &each) { return each.defaultThreads != nullptr; });
  if (options.optimisation.size() != 1 || options.optimisation[0] < '0' || options.optimisation[0] > '3')
    failUsage("the optimisation level is 0, 1, 2 or 3, not '{}'", options.optimisation);
}

bool isProgram(const std::string &name) { return name.size() > 5 && name.substr(name.size() - 5) == ".gdsl"; }

Options parseCompile(const std::vector<std::string> &arguments) {
  Options options;
  std::string target = targets().front().name, emit = "exe";
  std::vector<std::string> warnings;
  CLI::App app("Compiles a graph program (.gdsl) to a parallel executable.", "gcompile");
  app.footer(commands);
  addVersion(app);
  // `gcompile bfs.gdsl roads.gr --root=1`
  bool hasGraph = arguments.size() > 1 && isProgram(arguments[0]) && arguments[1][0] != '-' && !isProgram(arguments[1]);
  if (hasGraph)
    failUsage("a graph is given to compile: to run the program on it, write 'gcompile run {} {} ...'", arguments[0],
              arguments[1]);
  app.add_option("program", options.inputs, "The program")->type_name("FILE.gdsl");
  app.add_option("-o", options.output, "The file to write (default: named after the program, in the current folder)")
      ->type_name("FILE");
  app.add_option(
         "--emit", emit,
         "What to write: exe (default), source, object, library (a C++ header), shared (a shared library with a C "
         "header and a manifest), ast, graph-ir or exec-ir")
      ->type_name("KIND");
  std::string explanation;
  app.add_flag("--explain{text}", explanation,
               "Write nothing but an explanation of each data-parallel statement, to standard output unless -o names a "
               "file; --explain=short: in one line; --explain=json: for tools");
  std::string bits;
  app.add_option("--vertex-bits", bits, "The width of vertices in a shared library: 32 (default) or 64")
      ->type_name("BITS");
  app.add_flag("--keep", options.keep, "Keep the generated C++ beside the output");
  app.add_option("--MF", options.depFile, "Write a depfile for make or ninja")->type_name("FILE");
  app.add_option("--MT", options.depTarget, "The target named in the depfile (default: the output)")->type_name("NAME");
  addBuildOptions(app, options, target);
  addProgramOptions(app, options, warnings);
  parse(app, arguments);

  finishWarnings(options, warnings);
  if (options.inputs.empty())
    failUsage("no program given; 'gcompile --help' shows how to use it");
  if (options.inputs.size() > 1)
    failUsage("more than one program given: '{}' and '{}'", options.inputs[0], options.inputs[1]);
  auto found = emitNames.find(emit);
  if (found == emitNames.end()) {
    std::vector<std::string> names;
    for (const auto &entry : emitNames)
      names.push_back(entry.first);
    failUsage("unknown kind of output '{}'{}", emit, didYouMean(emit, names));
  }
  options.emit = found->second;
  if (!explanation.empty()) {
    if (explanation != "text" && explanation != "short" && explanation != "json")
      failUsage("--explain is text, short or json, not '{}'", explanation);
    if (app.count("--emit") != 0)
      failUsage("--explain and --emit exclude each other");
    options.emit = Emit::Explanation;
    options.explanation = explanation;
    if (options.output.empty())
      options.output = "-";
  }
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
  checkBuild(options, target);
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

Options parseRun(const std::vector<std::string> &arguments) {
  Options options;
  options.command = Command::Run;
  std::string target = targets().front().name;
  std::vector<std::string> warnings;
  CLI::App app("Compiles a graph program, unless that has been done before, and runs it.", "gcompile run");
  app.footer("Everything after FILE.gdsl is for the program: the graph and the program's options.\n"
             "'gcompile run FILE.gdsl --help' lists them.");
  addVersion(app);
  app.add_option("program", options.inputs, "The program")->type_name("FILE.gdsl");
  addBuildOptions(app, options, target);
  addProgramOptions(app, options, warnings);
  std::size_t position = programPosition(app, arguments);
  auto split = arguments.begin() + static_cast<std::ptrdiff_t>(std::min(position + 1, arguments.size()));
  parse(app, {arguments.begin(), split});
  options.programArguments.assign(split, arguments.end());
  // Whoever asks for a profile needs the program that can give it, and the other way round.
  auto asks = [](const std::string &argument) {
    return argument == "--profile" || argument.rfind("--profile=", 0) == 0;
  };
  bool asked = std::any_of(options.programArguments.begin(), options.programArguments.end(), asks);
  if (options.profile && !asked)
    options.programArguments.push_back("--profile");
  options.profile |= asked;

  finishWarnings(options, warnings);
  if (options.inputs.empty())
    failUsage("no program given; write 'gcompile run FILE.gdsl GRAPH'");
  checkBuild(options, target);
  return options;
}

Options parseInterpret(const std::vector<std::string> &arguments) {
  Options options;
  options.command = Command::Interpret;
  std::vector<std::string> warnings;
  CLI::App app("Runs a graph program serially and without compiling it, for comparison.", "gcompile interpret");
  app.footer(
      "Everything after FILE.gdsl is for the program: the graph and the program's options. --verify compares two\n"
      "orders of the iterations.");
  addVersion(app);
  app.add_option("program", options.inputs, "The program")->type_name("FILE.gdsl");
  addProgramOptions(app, options, warnings);
  std::size_t position = programPosition(app, arguments);
  auto split = arguments.begin() + static_cast<std::ptrdiff_t>(std::min(position + 1, arguments.size()));
  parse(app, {arguments.begin(), split});
  options.programArguments.assign(split, arguments.end());

  finishWarnings(options, warnings);
  if (options.inputs.empty())
    failUsage("no program given; write 'gcompile interpret FILE.gdsl GRAPH'");
  return options;
}

Options parseCheck(const std::vector<std::string> &arguments) {
  Options options;
  options.command = Command::Check;
  std::vector<std::string> warnings;
  CLI::App app("Reports the errors and warnings of graph programs.", "gcompile check");
  addVersion(app);
  app.add_option("programs", options.inputs, "The programs")->type_name("FILE.gdsl");
  addProgramOptions(app, options, warnings);
  parse(app, arguments);

  finishWarnings(options, warnings);
  if (options.inputs.empty())
    failUsage("no program given; write 'gcompile check FILE.gdsl'");
  return options;
}

Options parseConvert(const std::vector<std::string> &arguments) {
  Options options;
  options.command = Command::Convert;
  std::vector<std::string> files;
  CLI::App app("Reads a graph, or generates one, and writes it as .gcsr (binary) or .el (edge list).",
               "gcompile convert");
  addVersion(app);
  app.add_option("files", files, "The graph to read (a file or a generator) and the file to write")
      ->type_name("GRAPH FILE");
  app.add_flag("--directed", options.directed, "Read the graph as directed");
  app.add_flag("--undirected", options.undirected, "Read the graph as undirected");
  app.add_option("--format", options.format, "The input's format (default: by its name)")->type_name("NAME");
  app.add_option("--self-loops", options.selfLoops, "keep (default for files) or drop self-loops")
      ->type_name("keep|drop");
  app.add_option("--duplicates", options.duplicates, "keep or drop (default) repeated edges")->type_name("keep|drop");
  app.add_option("--header", options.header, "Whether the first line of an edge list names its columns (default: auto)")
      ->type_name("yes|no|auto");
  app.add_option(
         "--memory", options.memory,
         "Stay below so much memory, as in 2GiB: a .gcsr file is then built in temporary files beside it if need be")
      ->type_name("SIZE");
  app.add_flag("--in-edges", options.inEdges,
               "Also write the edges of a directed graph by the vertices that they lead to, for programs that pull");
  app.add_option("--weights", options.weights, "Give every edge a random weight in this range")->type_name("LO..HI");
  app.add_option("--column", options.columns,
                 "An edge property to read, in the order of the columns; the type is int, long, float or double "
                 "(default: every column)")
      ->type_name("NAME:TYPE")
      ->allow_extra_args(false);
  parse(app, arguments);

  if (files.size() != 2)
    failUsage("convert needs two files: 'gcompile convert GRAPH FILE'");
  if (options.directed && options.undirected)
    failUsage("--directed and --undirected exclude each other");
  for (const auto &[name, value] : {std::pair("--self-loops", options.selfLoops), {"--duplicates", options.duplicates}})
    if (!value.empty() && value != "keep" && value != "drop")
      failUsage("{} is keep or drop, not '{}'", name, value);
  if (options.header != "yes" && options.header != "no" && options.header != "auto")
    failUsage("--header is yes, no or auto, not '{}'", options.header);
  options.inputs = {files[0]};
  options.output = files[1];
  return options;
}

Options parseCache(const std::vector<std::string> &arguments) {
  Options options;
  options.command = Command::Cache;
  CLI::App app("Shows or removes the compiled programs that 'gcompile run' keeps.", "gcompile cache");
  app.footer(
      "The folder is $XDG_CACHE_HOME/gcompile, or ~/.cache/gcompile. When it is full, the programs leave that have\n"
      "not been used for the longest time. GCOMPILE_CACHE_SIZE is the size in MiB at which it is full (512).");
  addVersion(app);
  app.add_flag("--stats", options.cacheStats, "Print the folder, the number of programs and their size");
  app.add_flag("--clear", options.cacheClear, "Remove all programs");
  parse(app, arguments);

  if (options.cacheStats == options.cacheClear)
    failUsage("write 'gcompile cache --stats' or 'gcompile cache --clear'");
  return options;
}

} // namespace

Options::Options() : target(&targets().front()) {}

Options parseOptions(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) {
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (arguments[0] == "run")
      return parseRun(rest);
    if (arguments[0] == "interpret")
      return parseInterpret(rest);
    if (arguments[0] == "check")
      return parseCheck(rest);
    if (arguments[0] == "convert")
      return parseConvert(rest);
    if (arguments[0] == "cache")
      return parseCache(rest);
    // A lone word that is no file's name looks like a misspelt command.
    bool word = arguments[0].find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    std::string command = word ? nearest(arguments[0], {"run", "interpret", "check", "convert", "cache"}) : "";
    if (!command.empty() && arguments.size() > 1)
      failUsage("unknown command '{}'; did you mean '{}'?", arguments[0], command);
  }
  return parseCompile(arguments);
}

} // namespace gcompile
