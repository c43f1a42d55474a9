#include "tools/gcompile/describe.h"
#include "tools/gcompile/command_line.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/option_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace gcompile {

namespace {

/// What a value is, as far as a shell can help with it.
enum class Completion { None, Words, File, Program, Folder, Command, Other };

/// An option, or what stands without one.
struct Described {
  std::vector<std::string> longNames, shortNames; // without dashes; none: what stands without an option
  std::string type, text;
  Completion value;
  std::vector<std::string> words; // that the value may be
  bool isOptional = false;        // whether the value may be left out
};

/// A command with its options.
struct DescribedCommand {
  const CommandRow *row;
  std::string title, footer;
  std::vector<Described> options;
};

Completion valueOf(const std::string &type, const std::vector<std::string> &words) {
  if (type.empty())
    return Completion::None;
  if (!words.empty())
    return Completion::Words;
  if (type == "FILE.gdsl")
    return Completion::Program;
  if (type == "FILE" || type == "GRAPH FILE")
    return Completion::File;
  return type == "DIR" ? Completion::Folder : type == "PROGRAM" ? Completion::Command : Completion::Other;
}

Described describe(const CLI::Option &option) {
  Described result;
  result.longNames = option.get_lnames();
  result.shortNames = option.get_snames();
  result.text = option.get_description();
  result.type = option.get_type_name();
  bool isFlag = option.get_items_expected_max() == 0;
  if (result.type.find('|') != std::string::npos)
    result.words = CLI::detail::split(result.type, '|');
  else if (isFlag)
    result.type.clear();
  result.isOptional = isFlag && !result.type.empty();
  result.value = valueOf(result.type, result.words);
  return result;
}

std::vector<DescribedCommand> describedCommands() {
  std::vector<DescribedCommand> result;
  for (const CommandRow &row : commandTable()) {
    if (!row.name)
      continue;
    CLI::App app;
    Given given;
    declareOptions(app, given, row);
    DescribedCommand &command =
        result.emplace_back(DescribedCommand{&row, app.get_description(), app.get_footer(), {}});
    for (const CLI::Option *option : app.get_options())
      command.options.push_back(describe(*option));
  }
  return result;
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string joined(const std::vector<std::string> &words, const char *between) {
  return fmt::format("{}", fmt::join(words, between));
}

/// The spellings of an option that take no value, or one in the next word: --target, -o.
std::vector<std::string> spellings(const Described &option) {
  std::vector<std::string> result;
  for (const std::string &name : option.shortNames)
    result.push_back("-" + name);
  for (const std::string &name : option.longNames)
    result.push_back("--" + name);
  return result;
}

/// The spellings with the start of a value: --target=, and those of a flag's values whole.
std::vector<std::string> offered(const Described &option) {
  if (option.value == Completion::None)
    return spellings(option);
  std::vector<std::string> result;
  for (const std::string &name : option.shortNames)
    result.push_back("-" + name);
  for (const std::string &name : option.longNames) {
    if (option.isOptional)
      result.push_back("--" + name);
    result.push_back("--" + name + "=");
  }
  return result;
}

bool isPositional(const Described &option) { return option.longNames.empty() && option.shortNames.empty(); }

// --- the manual page

std::string roff(const std::string &text) {
  std::string escaped = replaced(replaced(replaced(text, "\\", "\\e"), "-", "\\-"), "'", "\\(aq");
  return !escaped.empty() && escaped[0] == '.' ? "\\&" + escaped : escaped;
}

std::string manualOption(const Described &option) {
  std::vector<std::string> names;
  for (const std::string &name : option.shortNames)
    names.push_back(fmt::format("\\fB{}\\fR{}", roff("-" + name),
                                option.type.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.type))));
  for (const std::string &name : option.longNames)
    names.push_back(fmt::format("\\fB{}\\fR{}{}{}", roff("--" + name), option.isOptional ? "[" : "",
                                option.type.empty() ? "" : fmt::format("=\\fI{}\\fR", roff(option.type)),
                                option.isOptional ? "]" : ""));
  return fmt::format(".TP\n{}\n{}.\n", joined(names, ", "), roff(option.text));
}

/// Lines of text, each kept as it is.
std::string manualLines(const std::string &text) {
  std::string result = ".nf\n";
  for (const std::string &line : CLI::detail::split(text, '\n'))
    result += roff(line) + "\n";
  return result + ".fi\n";
}

std::string manual(const std::vector<DescribedCommand> &commands) {
  std::string text = ".TH GCOMPILE 1 \"\" \"gcompile " GCOMPILE_VERSION "\" \"User Commands\"\n"
                     ".SH NAME\ngcompile \\- compile graph programs to parallel C++\n.SH SYNOPSIS\n.nf\n";
  for (const CommandRow &row : commandTable())
    text += fmt::format("{}\n", roff(row.usage));
  text +=
      ".fi\n.SH DESCRIPTION\n"
      "gcompile is a compiler for a small graph language. A program says what each vertex and edge computes; the "
      "compiler\nproves that it is free of races, chooses how it runs, and writes parallel C++ with OpenMP, or CUDA "
      "C++ for a GPU.\n.SH COMMANDS\n";
  for (const CommandRow &row : commandTable())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(row.usage), roff(row.purpose));
  for (const DescribedCommand &command : commands) {
    text += fmt::format(".SH OPTIONS OF '{}'\n{}\n", roff(command.row->usage), roff(command.title));
    for (const Described &option : command.options)
      if (!isPositional(option))
        text += manualOption(option);
    // The footer of the first one lists what has sections here.
    if (*command.row->name && !command.footer.empty())
      text += ".PP\n" + manualLines(command.footer);
  }
  text += ".SH EXIT STATUS\nThat of gcompile, and of the programs that it makes:\n";
  for (const ExitMeaning &exit : exitMeanings())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", exit.code, roff(exit.meaning));
  return text + ".SH ENVIRONMENT\n"
                ".TP\n\\fBXDG_CACHE_HOME\\fR, \\fBGCOMPILE_CACHE_SIZE\\fR\n"
                "Where compiled programs are kept, and how many MiB of them.\n"
                ".TP\n\\fBCUDA_HOME\\fR, \\fBCUDA_PATH\\fR\nWhere CUDA is installed, if nvcc is not on the PATH.\n"
                ".TP\n\\fBTMPDIR\\fR\nWhere programs are compiled.\n"
                ".TP\n\\fBOMP_NUM_THREADS\\fR\nThe number of threads of a program without \\-\\-threads.\n";
}

// --- bash

std::string bashQuoted(const std::vector<std::string> &words) { return "'" + joined(words, " ") + "'"; }

std::string bashValue(const Described &option) {
  switch (option.value) {
  case Completion::Words:
    return fmt::format("_gcompile_words {} \"$word\"", bashQuoted(option.words));
  case Completion::File:
    return "_gcompile_files -f \"$word\"";
  case Completion::Program:
    return "_gcompile_files -f -X '!*.gdsl' \"$word\"";
  case Completion::Folder:
    return "_gcompile_files -d \"$word\"";
  case Completion::Command:
    return "_gcompile_files -c \"$word\"";
  default:
    return ":"; // nothing that could be offered
  }
}

std::string bash(const std::vector<DescribedCommand> &commands) {
  std::vector<std::string> names;
  std::string values, lists, passing, alone;
  for (const DescribedCommand &command : commands) {
    const std::string name = command.row->name;
    std::vector<std::string> options;
    if (!name.empty())
      names.push_back(name);
    if (command.row->hasProgramArguments)
      passing += (passing.empty() ? "" : "|") + name;
    for (const Described &option : command.options) {
      if (isPositional(option)) {
        alone += fmt::format("    '{}') {} ;;\n", name, bashValue(option));
        continue;
      }
      for (const std::string &each : offered(option))
        options.push_back(each);
      if (option.value != Completion::None) {
        std::vector<std::string> patterns;
        for (const std::string &each : spellings(option))
          patterns.push_back(fmt::format("'{} {}'", name, each));
        values += fmt::format(option.isOptional ? "    {}) if [[ $attached ]]; then {}; return; fi ;;\n"
                                                : "    {}) {}; return ;;\n",
                              joined(patterns, "|"), bashValue(option));
      }
    }
    lists += fmt::format("    '{}') options={} ;;\n", name, bashQuoted(options));
  }
  return fmt::format(R"(# Completions of gcompile for bash.
_gcompile_words() {{ # WORDS BEGINNING
  local each
  COMPREPLY=()
  for each in $1; do
    if [[ $each == "$2"* ]]; then COMPREPLY+=("$each"); fi
  done
  if [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}}

_gcompile_files() {{ # OPTION-OF-COMPGEN... BEGINNING
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "${{@:1:$#-1}}" -- "${{@: -1}}"; if [[ $2 == -X ]]; then compgen -d -- "${{@: -1}}"; fi)
}}

_gcompile() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD - 1]}} command='' options='' attached='' each
  COMPREPLY=()
  # Bash takes "--target=omp" for three words.
  if [[ $word == '=' ]]; then
    word='' attached=1
  elif [[ $option == '=' ]]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}} attached=1
  fi
  if [[ $COMP_CWORD -gt 1 ]]; then
    case ${{COMP_WORDS[1]}} in {0}) command=${{COMP_WORDS[1]}} ;; esac
  fi
  # What follows the program is for the program.
  case $command in {1})
    for each in "${{COMP_WORDS[@]:2:COMP_CWORD-2}}"; do
      if [[ $each == *.gdsl ]]; then _gcompile_files -f "$word"; return; fi
    done ;;
  esac
  case "$command $option" in
{2}  esac
  case $command in
{3}  esac
  if [[ $word == -* ]]; then
    _gcompile_words "$options" "$word"
    return
  fi
  case $command in
{4}  esac
  if [[ $COMP_CWORD -eq 1 ]]; then
    for each in {5}; do
      if [[ $each == "$word"* ]]; then COMPREPLY+=("$each"); fi
    done
  fi
}}
complete -F _gcompile gcompile
)",
                     joined(names, "|"), passing, values, lists, alone, joined(names, " "));
}

// --- zsh

std::string zshText(const std::string &text) {
  std::string escaped = replaced(replaced(text, "\\", "\\\\"), "'", "'\\''");
  for (const char *special : {"[", "]", ":"})
    escaped = replaced(escaped, special, std::string("\\") + special);
  return escaped;
}

std::string zshValue(const Described &option) {
  switch (option.value) {
  case Completion::Words:
    return fmt::format("({})", joined(option.words, " "));
  case Completion::File:
    return "_files";
  case Completion::Program:
    return "_files -g \"*.gdsl\"";
  case Completion::Folder:
    return "_files -/";
  case Completion::Command:
    return "_command_names -e";
  default:
    return " ";
  }
}

std::string zsh(const std::vector<DescribedCommand> &commands) {
  std::string cases, names;
  for (const DescribedCommand &command : commands) {
    const std::string name = command.row->name;
    if (!name.empty())
      names += fmt::format("    '{}:{}'\n", name, zshText(command.row->purpose));
    cases += fmt::format("  {}) _arguments", name.empty() ? "*" : name);
    for (const Described &option : command.options) {
      std::string value =
          option.value == Completion::None ? "" : fmt::format(":{}:{}", zshText(option.type), zshValue(option));
      if (isPositional(option)) {
        // A second kind of word, where the program's own arguments follow, is a file too.
        cases += fmt::format(" \\\n    '{}{}'", command.row->hasProgramArguments ? "1" : "*", value);
        if (command.row->hasProgramArguments)
          cases += " \\\n    '*::arguments of the program:_files'";
      }
      for (const std::string &each : spellings(option)) {
        bool isLong = each.rfind("--", 0) == 0;
        std::string mark = option.value == Completion::None ? "" : isLong ? "=" : "+";
        if (option.isOptional)
          mark = "=-";
        cases += fmt::format(" \\\n    '*{}{}[{}]{}{}'", each, mark, zshText(option.text), option.isOptional ? ":" : "",
                             value);
      }
    }
    cases += " ;;\n";
  }
  // The case without a command matches everything, and comes last.
  std::size_t next = cases.find(" ;;\n") + 4;
  cases = cases.substr(next) + cases.substr(0, next);
  return fmt::format(R"(#compdef gcompile
# Completions of gcompile for zsh.
local -a commands
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  commands=(
{0}  )
  _describe -t commands command commands
fi
local command=
case $words[2] in
  {1})
    if (( CURRENT > 2 )); then
      command=$words[2]
      words=("$words[1]" "${{(@)words[3,-1]}}")
      (( CURRENT-- ))
    fi ;;
esac
case $command in
{2}esac
)",
                     names,
                     [&] {
                       std::vector<std::string> all;
                       for (const DescribedCommand &command : commands)
                         if (*command.row->name)
                           all.emplace_back(command.row->name);
                       return joined(all, "|");
                     }(),
                     cases);
}

// --- fish

std::string fishQuoted(const std::string &text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish(const std::vector<DescribedCommand> &commands) {
  std::string names, lines;
  for (const DescribedCommand &command : commands)
    if (*command.row->name)
      names += std::string(names.empty() ? "" : " ") + command.row->name;
  for (const DescribedCommand &command : commands) {
    const std::string name = command.row->name;
    std::string when =
        fishQuoted(name.empty() ? "not __fish_seen_subcommand_from " + names : "__fish_seen_subcommand_from " + name);
    if (!name.empty())
      lines += fmt::format("complete -c gcompile -n __fish_use_subcommand -a {} -d {}\n", name,
                           fishQuoted(command.row->purpose));
    for (const Described &option : command.options) {
      std::string value;
      if (option.value == Completion::Words && option.isOptional)
        value = fmt::format(" -a {}", fishQuoted(joined(option.words, " ")));
      else if (option.value == Completion::Words)
        value = fmt::format(" -x -a {}", fishQuoted(joined(option.words, " ")));
      else if (option.value == Completion::Folder)
        value = " -x -a '(__fish_complete_directories)'";
      else if (option.value == Completion::Command)
        value = " -x -a '(__fish_complete_command)'";
      else if (option.value == Completion::File || option.value == Completion::Program)
        value = " -r -F";
      else if (option.value != Completion::None)
        value = " -x";
      if (isPositional(option)) {
        if (option.value == Completion::Words)
          lines += fmt::format("complete -c gcompile -n {} -f -a {}\n", when, fishQuoted(joined(option.words, " ")));
        continue;
      }
      std::string spelt;
      for (const std::string &each : option.shortNames)
        spelt += " -s " + each;
      for (const std::string &each : option.longNames)
        spelt += " -l " + each;
      lines += fmt::format("complete -c gcompile -n {}{}{} -d {}\n", when, spelt, value, fishQuoted(option.text));
    }
  }
  return "# Completions of gcompile for fish.\n" + lines;
}

} // namespace

std::string describeOptions(const std::string &form) {
  const std::pair<const char *, std::string (*)(const std::vector<DescribedCommand> &)> forms[] = {
      {"man", manual}, {"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  std::vector<std::string> names;
  for (const auto &[name, print] : forms) {
    if (form == name)
      return print(describedCommands());
    names.emplace_back(name);
  }
  failUsage("'{}' is no form of a description{}; there are {}", form, didYouMean(form, names), listed(names, "and"));
}

} // namespace gcompile
