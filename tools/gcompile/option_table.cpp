#include "tools/gcompile/option_table.h"
#include "tools/gcompile/failure.h"

#include "runtime/tool_support/command_line.h"
#include "runtime/tool_support/thread_count.h"
#include "targets/Target.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>

namespace gcompile {

Given::Given() : target(targets().front().name) {}

// In the name of a value, "a|b" are the words that it may be. Names that stand for files: FILE, FILE.gdsl, PROGRAM,
// DIR.

/// "a|b|c".
static std::string alternatives(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : "|") + word;
  return text;
}

std::string listed(const std::vector<std::string> &words, const char *last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : fmt::format(" {} ", last)) + words[i];
  return text;
}

const std::vector<std::pair<const char *, Emit>> &emitNames() {
  static const std::vector<std::pair<const char *, Emit>> names = {
      {"exe", Emit::Exe},       {"source", Emit::Source}, {"object", Emit::Object},    {"library", Emit::Library},
      {"shared", Emit::Shared}, {"ast", Emit::Ast},       {"graph-ir", Emit::GraphIr}, {"exec-ir", Emit::ExecIr}};
  return names;
}

const std::vector<ExitMeaning> &exitMeanings() {
  static const std::vector<ExitMeaning> meanings = {
      {0, "success"},
      {exitProgramError, "errors in the program; a verification that failed"},
      {exitUsage, "wrong usage, bad files, missing tools, too little memory or space"},
      {gc::exit_runtime_error, "an error while the program ran"},
      {exitCompilerBug, "a bug of gcompile"}};
  return meanings;
}

static void addProgramOptions(CLI::App &app, Given &given) {
  Options &options = given.options;
  app.add_option("--algorithm", options.algorithm, "The algorithm, where the file has several that no other one calls")
      ->type_name("NAME");
  app.add_option("-W", given.warnings, "-Werror: warnings are errors; -Wno-NAME: without that warning")
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
      ->type_name("text|json");
  app.add_option_function<std::string>(
         "-p",
         [&options](const std::string &folder) {
           std::ifstream file(folder + "/compile_commands.json");
           if (!file.good())
             failUsage("-p: there is no {}/compile_commands.json that can be read", folder);
           options.compileCommands = folder;
         },
         "The folder with the compile_commands.json of the project that imported headers belong to")
      ->type_name("DIR");
}

static void addCompilerOptions(CLI::App &app, Options &options) {
  app.add_option("--cxx", options.cxx, "The C++ compiler (default: g++, c++ or clang++; nvcc for cuda)")
      ->type_name("PROGRAM");
  app.add_option("--cxx-flag", options.cxxFlags, "A further option for the C++ compiler; may be repeated")
      ->type_name("FLAG")
      ->allow_extra_args(false);
  app.add_option("--runtime", options.runtime, "The folder with the runtime's include/ and lib/")->type_name("DIR");
}

static void addBuildOptions(CLI::App &app, Given &given) {
  Options &options = given.options;
  std::vector<std::string> names, machines;
  for (const Target &known : targets()) {
    names.push_back(known.name);
    machines.push_back(fmt::format("{} ({}{})", known.name, known.machine, machines.empty() ? ", default" : ""));
  }
  app.add_option("--target", given.target, "The machine to compile for: " + listed(machines, "or"))
      ->type_name(alternatives(names));
  std::vector<std::string> exchanges;
  for (const Target &known : targets())
    for (const Exchange &each : known.exchanges)
      exchanges.emplace_back(each.name);
  app.add_option("--exchange", given.exchange,
                 "What carries full values between the ranks of a program for mpi: MPI alone (default), or PETSc")
      ->type_name(alternatives(exchanges));
  app.add_option("--arch", options.arch,
                 "The GPU to compile for, as nvcc names it (default: this machine's, else sm_90)")
      ->type_name("ARCH");
  app.add_option("--gpu-vertex-bits", given.gpuVertexBits,
                 "A graph on a GPU has fewer than 2^29 vertices and 2^35 arcs (default), 2^30 and 2^34, or 2^31 and "
                 "2^33")
      ->type_name("29|30|31");
  app.add_option("-O", options.optimisation, "Optimisation level of the C++ compiler (default 3)")
      ->type_name("0|1|2|3");
  addCompilerOptions(app, options);
  app.add_option_function<std::string>(
         "--threads", [&options](const std::string &text) { options.threads = gc::detail::thread_count(text); },
         "Threads that the program uses unless its --threads says otherwise")
      ->type_name("N");
  app.add_flag("--profile", options.profile, "Compile a program that measures its kernels, for its option --profile");
  app.add_flag("-v,--verbose", options.verbose, "Show the command of the C++ compiler");
}

static void addProgram(CLI::App &app, Given &given) {
  app.add_option("program", given.options.inputs, "The program")->type_name("FILE.gdsl");
}

static void declareCompile(CLI::App &app, Given &given) {
  Options &options = given.options;
  app.description("Compiles a graph program (.gdsl) to a parallel executable.");
  std::string text = "Commands:\n";
  for (const CommandRow &row : commandTable())
    text += fmt::format("  {:<37} {}\n", row.usage, row.purpose);
  text += "'gcompile COMMAND --help' lists the options of a command.\n\n"
          "Every error and warning has a code, which docs/diagnostics/ explains.\n"
          "Exit codes, of programs as well (docs/exit-codes.md):\n";
  for (const ExitMeaning &exit : exitMeanings())
    text += fmt::format("  {:<3} {}\n", exit.code, exit.meaning);
  text.pop_back();
  app.footer(text);
  addProgram(app, given);
  app.add_option("-o", options.output, "The file to write (default: named after the program, in the current folder)")
      ->type_name("FILE");
  std::vector<std::string> kinds;
  for (const auto &[name, emit] : emitNames())
    kinds.emplace_back(name);
  app.add_option("--emit", given.emit,
                 "What to write: exe (default), source, object, library (a C++ header), shared (a shared library with "
                 "a C header and a manifest), ast, graph-ir or exec-ir")
      ->type_name(alternatives(kinds));
  app.add_flag("--explain{text}", given.explanation,
               "Write nothing but an explanation of each data-parallel statement, to standard output unless -o names a "
               "file; --explain=short: in one line; --explain=json: for tools")
      ->type_name("text|short|json");
  app.add_option("--vertex-bits", given.vertexBits, "The width of vertices in a shared library (default 32)")
      ->type_name("32|64");
  app.add_flag("--keep", options.keep, "Keep the generated C++ beside the output");
  app.add_option("--MF", options.depFile, "Write a depfile for make or ninja")->type_name("FILE");
  app.add_option("--MT", options.depTarget, "The target named in the depfile (default: the output)")->type_name("NAME");
  addBuildOptions(app, given);
  addProgramOptions(app, given);
}

static void declareRun(CLI::App &app, Given &given) {
  app.description("Compiles a graph program, unless that has been done before, and runs it.");
  app.footer("Everything after FILE.gdsl is for the program: the graph and the program's options.\n"
             "'gcompile run FILE.gdsl --help' lists them.");
  addProgram(app, given);
  app.add_option_function<std::string>(
         "--ranks", [&given](const std::string &text) { given.options.ranks = gc::detail::positive("--ranks", text); },
         "Processes of this machine that run a program of --target=mpi together: started by mpirun")
      ->type_name("N");
  addBuildOptions(app, given);
  addProgramOptions(app, given);
}

static void declareInterpret(CLI::App &app, Given &given) {
  app.description("Runs a graph program serially and without compiling it, for comparison.");
  app.footer(
      "Everything after FILE.gdsl is for the program: the graph and the program's options. --verify compares two\n"
      "orders of the iterations. Functions of C++ are compiled first.");
  addProgram(app, given);
  addCompilerOptions(app, given.options);
  addProgramOptions(app, given);
}

static void declareCheck(CLI::App &app, Given &given) {
  app.description("Reports the errors and warnings of graph programs.");
  app.add_option("programs", given.options.inputs, "The programs")->type_name("FILE.gdsl");
  app.add_flag(
      "--test", given.options.test,
      "Also try what declared reductions promise, on random values: the functions of C++ are compiled for that");
  addProgramOptions(app, given);
}

static void declareConvert(CLI::App &app, Given &given) {
  Options &options = given.options;
  app.description("Reads a graph, or generates one, and writes it as .gcsr (binary) or .el (edge list).");
  app.add_option("files", given.files, "The graph to read (a file or a generator) and the file to write")
      ->type_name("GRAPH FILE");
  app.add_flag("--directed", options.directed, "Read the graph as directed");
  app.add_flag("--undirected", options.undirected, "Read the graph as undirected");
  app.add_option("--format", options.format, "The input's format (default: by its name)")->type_name("NAME");
  app.add_option("--self-loops", options.selfLoops, "keep (default for files) or drop self-loops")
      ->type_name("keep|drop");
  app.add_option("--duplicates", options.duplicates, "keep or drop (default) repeated edges")->type_name("keep|drop");
  app.add_option("--header", options.header, "Whether the first line of an edge list names its columns (default: auto)")
      ->type_name("yes|no|auto");
  app.add_option("--memory", options.memory,
                 "Stay below so much memory, as in 2GiB: a .gcsr file is then built in temporary files beside it if "
                 "need be")
      ->type_name("SIZE");
  app.add_flag("--in-edges", options.inEdges,
               "Also write the edges of a directed graph by the vertices that they lead to, for programs that pull");
  app.add_option(
         "--adjacency", options.adjacency,
         "packed: drop the bits of the lists of neighbours that they do not need, for programs with packed lists "
         "(default: plain)")
      ->type_name("plain|packed");
  app.add_option("--weights", options.weights, "Give every edge a random weight in this range")->type_name("LO..HI");
  app.add_option("--column", options.columns,
                 "An edge property to read, in the order of the columns; the type is int, long, float or double "
                 "(default: every column)")
      ->type_name("NAME:TYPE")
      ->allow_extra_args(false);
}

static void declareCache(CLI::App &app, Given &given) {
  app.description("Shows or removes the compiled programs that 'gcompile run' keeps.");
  app.footer(
      "The folder is $XDG_CACHE_HOME/gcompile, or ~/.cache/gcompile. When it is full, the programs leave that have\n"
      "not been used for the longest time. GCOMPILE_CACHE_SIZE is the size in MiB at which it is full (512).");
  app.add_flag("--stats", given.options.cacheStats, "Print the folder, the number of programs and their size");
  app.add_flag("--clear", given.options.cacheClear, "Remove all programs");
}

static void declareDescribe(CLI::App &app, Given &given) {
  app.description("Prints the manual page of gcompile, or the completions for a shell, made from its options.");
  app.footer("bash: source <(gcompile describe bash). zsh: a file _gcompile in a folder of $fpath.\n"
             "fish: ~/.config/fish/completions/gcompile.fish. An installed gcompile has all of them in their places.");
  app.add_option("form", given.files, "man, bash, zsh or fish")->type_name("man|bash|zsh|fish");
}

const std::vector<CommandRow> &commandTable() {
  static const std::vector<CommandRow> rows = {
      {"", Command::Compile, "gcompile FILE.gdsl", "compile a program to an executable in the current folder",
       declareCompile},
      {"run", Command::Run, "gcompile run FILE.gdsl GRAPH ...", "compile (once) and run it on a graph", declareRun,
       true},
      {"interpret", Command::Interpret, "gcompile interpret FILE.gdsl GRAPH ..",
       "run it step by step, serially, as the language defines it: slow", declareInterpret, true},
      {"check", Command::Check, "gcompile check FILE.gdsl...", "report errors only", declareCheck},
      {nullptr, Command::Compile, "gcompile --explain FILE.gdsl",
       "say what runs in parallel, why that is safe, and how it is run"},
      {"convert", Command::Convert, "gcompile convert GRAPH FILE",
       "read a graph and write it as .gcsr (binary, fast to load) or .el (text)", declareConvert},
      {"cache", Command::Cache, "gcompile cache --stats | --clear",
       "show, or remove, the programs that 'gcompile run' keeps", declareCache},
      {"describe", Command::Describe, "gcompile describe man|bash|zsh|fish",
       "print the manual page, or completions for a shell", declareDescribe}};
  return rows;
}

void declareOptions(CLI::App &app, Given &given, const CommandRow &row) {
  app.name(*row.name ? fmt::format("gcompile {}", row.name) : "gcompile");
  app.set_version_flag("--version", "gcompile " GCOMPILE_VERSION, "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  given.options.command = row.command;
  row.declare(app, given);
}

const CommandRow &rowOf(Command command) {
  for (const CommandRow &row : commandTable())
    if (row.name && row.command == command)
      return row;
  failBug("a command has no row");
}

} // namespace gcompile
