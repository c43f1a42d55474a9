#include "runtime/tool_support/command_line.h"

#include "runtime/tool_support/memory_size.h"
#include "runtime/tool_support/thread_count.h"
#include "suggest.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>

namespace gc::detail {

namespace {

struct Option {
  const char *name;
  const char *value; ///< placeholder of its value, in brackets if it may be left out; null: a switch
  const char *help;
  std::function<void(CommandLine &, const std::string &)> apply;
};

/// The placeholder without brackets.
std::string placeholder(const Option &option) {
  const std::string text = option.value;
  return text[0] == '[' ? text.substr(1, text.size() - 2) : text;
}

Keep keep(const std::string &option, const std::string &text) {
  if (text == "keep")
    return Keep::keep;
  if (text == "drop")
    return Keep::drop;
  throw Error(ErrorKind::argument, option + " is keep or drop, not '" + text + "'");
}

Side side(const std::string &option, const std::string &text) {
  for (const Side each : {Side::cpu, Side::gpu, Side::migrate, Side::automatic})
    if (text == name_of(each))
      return each;
  throw Error(ErrorKind::argument, option + " is cpu, gpu, migrate or auto, not '" + text + "'");
}

/// `cpu`, or the side of each stage: `cpu,gpu,cpu`.
void run_on(CommandLine &line, const std::string &option, const std::string &text) {
  line.stages.clear();
  if (text.find(',') == std::string::npos) {
    line.on = side(option, text);
    return;
  }
  line.on = Side::mixed;
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(',', begin);
    const std::string each = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (each != "cpu" && each != "gpu")
      throw Error(ErrorKind::argument, option + ": each stage is on cpu or gpu, not '" + each + "'");
    line.stages.push_back(each == "cpu" ? Side::cpu : Side::gpu);
  }
}

HeaderLine header_line(const std::string &text) {
  if (text != "yes" && text != "no" && text != "auto")
    throw Error(ErrorKind::argument, "--header is yes, no or auto, not '" + text + "'");
  return text == "yes" ? HeaderLine::yes : text == "no" ? HeaderLine::no : HeaderLine::standard;
}

RouteChoice route_choice(const std::string &text) {
  if (text != "direct" && text != "grid" && text != "auto")
    throw Error(ErrorKind::argument, "--routes is direct, grid or auto, not '" + text + "'");
  return text == "direct" ? RouteChoice::direct : text == "grid" ? RouteChoice::grid : RouteChoice::automatic;
}

const std::vector<Option> &options() {
  static const std::vector<Option> all = {
      {"output", "NAME=FILE",
       "write a result, a line 'vertex value' each; '-': to standard output; with --each, FILE has {NAME}",
       [](CommandLine &c, const std::string &v) {
         const std::size_t equals = v.find('=');
         if (equals == std::string::npos || equals == 0 || equals + 1 == v.size())
           throw Error(ErrorKind::argument, "--output needs NAME=FILE, not '" + v + "'");
         c.outputs.emplace_back(v.substr(0, equals), v.substr(equals + 1));
       }},
      {"each", "NAME=VALUES", "run for each value of a parameter, A,B,C or @FILE; not with --profile",
       [](CommandLine &c, const std::string &v) {
         const std::size_t equals = v.find('=');
         if (equals == std::string::npos || equals == 0 || equals + 1 == v.size())
           throw Error(ErrorKind::argument, "--each needs NAME=VALUES, not '" + v + "'");
         c.each = v.substr(0, equals);
         c.values = {v.substr(equals + 1)};
       }},
      {"trials", "N", "run N times and report the median",
       [](CommandLine &c, const std::string &v) { c.trials = positive("--trials", v); }},
      {"threads", "N", "use N threads", [](CommandLine &c, const std::string &v) { c.threads = thread_count(v); }},
      {"run-on", "cpu|gpu|migrate|auto", "run a program of --target=hybrid there; cpu,gpu,...: each stage",
       [](CommandLine &c, const std::string &v) { run_on(c, "--run-on", v); }},
      {"calibrate", nullptr, "measure this machine for --run-on=auto, once; without GRAPH",
       [](CommandLine &c, const std::string &) { c.calibrate = true; }},
      {"gpus", "N", "run a program of --target=gpus on N GPUs; on all by default",
       [](CommandLine &c, const std::string &v) { c.gpus = positive("--gpus", v); }},
      {"verify", nullptr, "compare with a serial execution of the same program",
       [](CommandLine &c, const std::string &) { c.verify = true; }},
      {"report", "FILE", "write times and sizes as JSON", [](CommandLine &c, const std::string &v) { c.report = v; }},
      {"profile", "[FILE]", "print what each kernel and each round did; with a FILE, write that as JSON",
       [](CommandLine &c, const std::string &v) {
         c.profile = true;
         c.profile_file = v;
       }},
      {"plan", "[RANKS]",
       "print the memory that a run needs, and do not run; with --target=mpi, of each of RANKS ranks",
       [](CommandLine &c, const std::string &v) { c.plan = v.empty() ? 0 : positive("--plan", v); }},
      {"partition", "blocks|scotch|grid|FILE",
       "divide the graph among the ranks of --target=mpi: vertices by order (default), with few edges between, or as "
       "FILE says; or the edges of a vertex, too",
       [](CommandLine &c, const std::string &v) { c.partition = v; }},
      {"routes", "direct|grid|auto",
       "how ranks of --target=mpi send in rounds: each to each, by way of others, or (default) as is better for so "
       "many",
       [](CommandLine &c, const std::string &v) { c.routes = route_choice(v); }},
      {"stall-timeout", "SECONDS",
       "end a run of --target=mpi where ranks have waited so long for one that does not come",
       [](CommandLine &c, const std::string &v) { c.stall_timeout = positive("--stall-timeout", v); }},
      {"checkpoint", "DIR", "keep the state of a run of --target=mpi there, between rounds",
       [](CommandLine &c, const std::string &v) { c.checkpoint = v; }},
      {"every", "N", "with --checkpoint: write it behind each N-th round",
       [](CommandLine &c, const std::string &v) { c.every = positive("--every", v); }},
      {"resume", nullptr, "with --checkpoint: go on from what is there, if a run was ended",
       [](CommandLine &c, const std::string &) { c.resume = true; }},
      {"quiet", nullptr, "print no summary", [](CommandLine &c, const std::string &) { c.quiet = true; }},
      {"directed", nullptr, "read the graph as directed",
       [](CommandLine &c, const std::string &) { c.load.user = Directedness::directed; }},
      {"undirected", nullptr, "read the graph as undirected: every edge runs both ways",
       [](CommandLine &c, const std::string &) { c.load.user = Directedness::undirected; }},
      {"format", "NAME", "the graph's format, where its name does not tell",
       [](CommandLine &c, const std::string &v) { c.load.format = v; }},
      {"ids", "KIND", "read the ids of an edge list as integer or text",
       [](CommandLine &c, const std::string &v) {
         if (v != "integer" && v != "text")
           throw Error(ErrorKind::argument, "--ids is integer or text, not '" + v + "'");
         c.load.ids = v == "text" ? IdKind::text : IdKind::integer;
       }},
      {"header", "yes|no|auto", "whether the first line of an edge list names its columns",
       [](CommandLine &c, const std::string &v) { c.load.header = header_line(v); }},
      {"weights", "LO..HI", "give every edge a seeded random weight",
       [](CommandLine &c, const std::string &v) { c.load.weights = v; }},
      {"self-loops", "keep|drop", "files keep them by default, generators drop them",
       [](CommandLine &c, const std::string &v) { c.load.self_loops = keep("--self-loops", v); }},
      {"duplicates", "keep|drop", "of duplicate edges the lightest stays by default",
       [](CommandLine &c, const std::string &v) { c.load.duplicates = keep("--duplicates", v); }},
      {"vertex-bits", "32|64", "width of vertex ids; chosen by the graph",
       [](CommandLine &c, const std::string &v) {
         if (v != "32" && v != "64")
           throw Error(ErrorKind::argument, "--vertex-bits is 32 or 64, not '" + v + "'");
         c.load.vertex_bits = v == "32" ? 32 : 64;
       }},
      {"memory", "SIZE", "stay below so much memory, as in 2GiB: the arcs of a .gcsr file then stay there if need be",
       [](CommandLine &c, const std::string &v) { c.load.memory_limit = memory_size("--memory", v); }},
      {"device-memory", "SIZE", "use so much of a GPU's memory: edges that do not fit there stay in the host's",
       [](CommandLine &c, const std::string &v) { c.device_memory = memory_size("--device-memory", v); }},
      {"help", nullptr, "print this", [](CommandLine &c, const std::string &) { c.help = true; }},
      {"version", nullptr, "print the program's name and source",
       [](CommandLine &c, const std::string &) { c.version = true; }},
  };
  return all;
}

const char *type_name(ParameterType type) {
  switch (type) {
  case ParameterType::boolean:
    return "bool";
  case ParameterType::integer32:
    return "int";
  case ParameterType::integer64:
    return "long";
  case ParameterType::real32:
    return "float";
  case ParameterType::real64:
    return "double";
  case ParameterType::vertex:
    return "vertex";
  case ParameterType::vertex_set:
    return "vertex set: all, A,B,C or @FILE";
  }
  return "";
}

/// Checks --each, and splits its values.
void resolve_each(CommandLine &line, const ProgramInfo &info) {
  if (line.each.empty()) {
    line.values = {""};
    return;
  }
  std::vector<std::string> names;
  std::string list;
  for (const ParameterInfo &parameter : info.parameters) {
    names.push_back(parameter.name);
    list += (list.empty() ? "" : ", ") + parameter.name;
  }
  const auto fail = [](const std::string &why) { throw Error(ErrorKind::argument, "--each: " + why); };
  if (names.empty())
    fail("the program has no parameters");
  if (std::find(names.begin(), names.end(), line.each) == names.end())
    fail("there is no parameter '" + line.each + "', the parameters are: " + list + suggestion(line.each, names));
  if (const auto given = line.parameters.find(line.each); given != line.parameters.end())
    fail("--" + line.each + "=" + given->second + " gives the parameter '" + line.each + "' a value already");
  if (line.profile)
    fail("it excludes --profile, which shows a single run");
  const std::string text = line.values[0];
  line.values = listed_words("--each", text);
  if (line.values.empty())
    fail("there is no value in '" + text + "'");
  if (std::find(line.values.begin(), line.values.end(), "") != line.values.end())
    fail("a value is missing in '" + text + "'");

  for (const auto &[name, file] : line.outputs) {
    const std::string place = "{" + line.each + "}";
    if (file.find(place) == std::string::npos)
      throw Error(ErrorKind::argument,
                  "--output: '" + file + "' needs " + place + ", where the value of --each stands");
    for (const std::string &value : line.values)
      if (value.find('/') != std::string::npos || value == "." || value == "..")
        throw Error(ErrorKind::argument,
                    "--output: '" + value + "', a value of --each, cannot be in the name of a file");
  }
}

/// No file is written twice; standard output may be.
void require_own_files(const CommandLine &line) {
  std::map<std::string, std::string> written; // what is written there
  const auto note = [&](const std::string &path, const std::string &what) {
    if (path.empty() || path == "-" || path.compare(0, 5, "/dev/") == 0)
      return;
    const auto [before, is_new] = written.emplace(std::filesystem::path(path).lexically_normal().string(), what);
    if (!is_new)
      throw Error(ErrorKind::argument,
                  "'" + path + "' would be written twice, with " + before->second + " and " + what);
  };
  for (const auto &[name, file] : line.outputs)
    for (const std::string &value : line.values)
      note(output_path(line, file, value), line.each.empty() ? name : name + " of " + value);
  note(line.report, "the report");
  note(line.profile_file, "the profile");
}

const char *words_for(OutputShape shape) {
  switch (shape) {
  case OutputShape::scalar:
    return "one value";
  case OutputShape::vertex:
    return "a value per vertex";
  case OutputShape::edge:
    return "a value per edge";
  case OutputShape::dense:
    return "a value per pair";
  case OutputShape::array:
    return "an array";
  }
  return "";
}

} // namespace

int positive(const std::string &option, const std::string &text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw Error(ErrorKind::argument, option + " needs a positive number, not '" + text + "'");
  return number;
}

const std::string *given_text(const CommandLine &line, const ParameterInfo &parameter) {
  auto given = line.parameters.find(parameter.name);
  if (given == line.parameters.end() && !parameter.joint.empty())
    given = line.parameters.find(parameter.joint);
  return given == line.parameters.end() ? nullptr : &given->second;
}

std::string missing(const ParameterInfo &parameter) {
  return "the parameter --" + parameter.name + "=VALUE is missing" +
         (parameter.joint.empty() ? "" : ", or --" + parameter.joint + "=VALUE, which gives it with others");
}

std::string output_path(const CommandLine &line, const std::string &file, const std::string &value) {
  if (line.each.empty())
    return file;
  const std::string place = "{" + line.each + "}";
  std::string path;
  std::size_t from = 0;
  for (std::size_t at; (at = file.find(place, from)) != std::string::npos; from = at + place.size())
    path += file.substr(from, at - from) + value;
  return path + file.substr(from);
}

bool is_option(const std::string &name) {
  const auto &all = options();
  return std::any_of(all.begin(), all.end(), [&](const Option &option) { return name == option.name; });
}

std::string help_text(const std::string &program, const ProgramInfo &info) {
  std::string text = "usage: " + program + " GRAPH [options]\n\n" + info.name + ", compiled from " + info.source +
                     ". GRAPH is a file, or a generator such as\nkronecker:scale=16,degree=16,seed=1, "
                     "uniform:scale=16,degree=16 or grid:1500x1500.\n";
  auto row = [&](std::string left, const std::string &right) {
    left.resize(std::max<std::size_t>(left.size() + 2, 30), ' ');
    text += "  " + left + right + "\n";
  };
  if (!info.parameters.empty())
    text += "\nparameters:\n";
  for (const ParameterInfo &parameter : info.parameters) {
    if (!parameter.joint.empty() && parameter.column == 0)
      row("--" + parameter.joint + "=VALUE", "the next " + std::to_string(parameter.columns) +
                                                 " parameters: values with commas between them" +
                                                 (parameter.per_vertex ? ", or @FILE" : ""));
    row("--" + parameter.name + "=VALUE",
        std::string(type_name(parameter.type)) +
            (parameter.per_vertex ? " for each vertex: a value for all, or @FILE" : "") +
            (parameter.required ? ", required" : ", default " + parameter.default_text) +
            (parameter.nonnegative ? ", not negative" : "") + (parameter.doc.empty() ? "" : "; " + parameter.doc));
  }
  if (!info.edge_columns.empty()) {
    text += "\nedge values, the columns of the graph after the two ids:\n";
    const std::vector<std::string> &checked = info.nonnegative_weights;
    for (const ColumnInfo &column : info.edge_columns)
      row(column.name,
          std::find(checked.begin(), checked.end(), column.name) != checked.end() ? "must not be negative" : "");
  }
  text += "\nresults:\n";
  for (const OutputInfo &output : info.outputs)
    row(output.name, words_for(output.shape));
  text += "\noptions:\n";
  for (const Option &option : options())
    row(std::string("--") + option.name +
            (!option.value            ? ""
             : option.value[0] == '[' ? "[=" + placeholder(option) + "]"
                                      : "=" + placeholder(option)),
        option.help);
  return text;
}

CommandLine parse_command_line(int argc, char **argv, const ProgramInfo &info) {
  CommandLine line;
  std::vector<std::string> known, parameters;
  for (const ParameterInfo &parameter : info.parameters) {
    parameters.push_back(parameter.name);
    if (!parameter.joint.empty() && parameter.column == 0)
      parameters.push_back(parameter.joint);
  }
  for (const std::string &parameter : parameters)
    known.push_back("--" + parameter);
  for (const Option &option : options())
    known.push_back(std::string("--") + option.name);

  std::map<std::string, std::string> given; // options, and their values
  const auto note = [&](const std::string &name, const std::string &value) {
    const auto [before, is_new] = given.emplace(name, value);
    if (!is_new)
      throw Error(
          ErrorKind::argument,
          name + " is given twice" +
              (value.empty() || before->second.empty() ? "" : ": '" + before->second + "' and '" + value + "'"));
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.empty())
      throw Error(ErrorKind::argument, "the name of the graph is empty");
    if (word.size() < 2 || word[0] != '-' || word == "--") {
      if (!line.graph.empty())
        throw Error(ErrorKind::argument, "one graph is enough: '" + line.graph + "' and '" + word + "' were given");
      line.graph = word;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    bool has_value = equals != std::string::npos;
    std::string value = has_value ? word.substr(equals + 1) : "";
    // `--NAME VALUE` is `--NAME=VALUE`.
    auto take_next = [&] {
      if (!has_value && i + 1 < argc && std::string(argv[i + 1]).rfind("--", 0) != 0) {
        has_value = true;
        value = argv[++i];
      }
    };
    bool found = false;
    for (const std::string &parameter : parameters)
      if (name == "--" + parameter) {
        take_next();
        if (!has_value || value.empty())
          throw Error(ErrorKind::argument, name + " needs a value: " + name + "=VALUE");
        note(name, value);
        line.parameters[parameter] = value;
        found = true;
      }
    for (const Option &option : options())
      if (!found && (name == std::string("--") + option.name || (name == "-h" && std::string(option.name) == "help"))) {
        const bool needed = option.value && option.value[0] != '[';
        if (needed)
          take_next();
        if ((needed || (option.value && has_value)) && (!has_value || value.empty()))
          throw Error(ErrorKind::argument, name + " needs a value: " + name + "=" + placeholder(option));
        if (!option.value && has_value)
          throw Error(ErrorKind::argument, name + " takes no value");
        if (name != "--output")
          note(name, value);
        option.apply(line, value);
        found = true;
      }
    if (!found)
      throw Error(ErrorKind::argument, "unknown option '" + name + "'" + suggestion(name, known));
  }
  if (given.count("--directed") != 0 && given.count("--undirected") != 0)
    throw Error(ErrorKind::argument, "--directed and --undirected exclude each other");
  if (line.calibrate && !line.graph.empty())
    throw Error(ErrorKind::argument, "--calibrate takes no graph, and '" + line.graph + "' was given");
  if (line.graph.empty() && !line.help && !line.version && !line.calibrate)
    throw Error(ErrorKind::argument, "no graph was given; --help lists the options");
  if (!line.help && !line.version && !line.calibrate) {
    resolve_each(line, info);
    require_own_files(line);
  }
  return line;
}

} // namespace gc::detail
