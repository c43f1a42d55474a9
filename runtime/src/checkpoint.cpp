#include "checkpoint.h"

#include "checkpoint_file.h"
#include "group_steps.h"
#include "storage.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

namespace gc::detail {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr int format = 2;
constexpr const char *executable = "/proc/self/exe";

/// The arguments as they are compared: texts, and of files what they hold.
Json arguments_of(const CommandLine &line, const ProgramInfo &info) {
  Json arguments = Json::object();
  for (const ParameterInfo &parameter : info.parameters) {
    const std::string *given = given_text(line, parameter);
    const std::string text = given ? *given : parameter.default_text;
    arguments[parameter.name] =
        text.rfind('@', 0) == 0 ? "a file of the checksum " + hexadecimal(checksum_of_file(text.substr(1))) : text;
  }
  return arguments;
}

/// What the processes divide the vertices by, as it is compared.
std::string partition_of(const CommandLine &line) {
  return line.load.divides_lists           ? "grid"
         : line.load.partition.empty()     ? "blocks"
         : line.load.partition == "scotch" ? "scotch"
                                           : "a file of the checksum " + hexadecimal(checksum_of_file(line.partition));
}

/// A checksum of the vertices that a process owns: their names, the edges out of them and the properties of these.
template <class V>
std::uint64_t block_checksum(const LoadedGraph &loaded, const ProgramInfo &info, const ProcessGroup &group) {
  const Graph<V> &graph = loaded.view<V>();
  const VertexBlock block = group.block(graph);
  Checksum sum;
  std::string name;
  for (std::uint64_t v = block.begin; v < block.end; ++v) {
    name.clear();
    loaded.ids().append(v, name);
    sum.add(name.c_str(), name.size() + 1);
  }
  const auto [lists, rows] = own_lists(graph, &group);
  const ArcId first = lists.out_begin(static_cast<V>(rows.begin)), last = lists.out_begin(static_cast<V>(rows.end));
  sum.add(lists.out_offsets + rows.begin, (rows.end - rows.begin + 1) * sizeof(ArcId));
  if (last > first)
    sum.add(lists.out_targets + first, (last - first) * sizeof(V));
  for (std::size_t k = 0; k < info.edge_columns.size() && last > first; ++k) {
    const std::size_t width = width_of(info.edge_columns[k].type);
    sum.add(static_cast<const char *>(lists.columns[k]) + first * width, (last - first) * width);
  }
  return sum.value();
}

/// A number at the begin of a text, which goes on behind it; -1 if there is none.
std::int64_t leading_number(std::string_view &text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : -1;
}

/// The rank in the name of a part; -1 for another name.
std::int64_t rank_of(std::string_view name) {
  constexpr std::string_view end = "end";
  if (leading_number(name) < 0 || name.substr(0, 1) != ".")
    return -1;
  name.remove_prefix(1);
  if (name.substr(0, end.size()) == end)
    name.remove_prefix(end.size());
  else if (leading_number(name) < 0)
    return -1;
  if (name.substr(0, 1) != ".")
    return -1;
  name.remove_prefix(1);
  const std::int64_t rank = leading_number(name);
  return name.empty() ? rank : -1;
}

PartSummary summary_of(const Json &part) { return {part.at(0).get<std::uint64_t>(), part.at(1).get<std::uint64_t>()}; }

} // namespace

void require_checkpoint_options(const CommandLine &line, const ProgramInfo &info, const ProcessGroup *group) {
  const auto fail = [](const std::string &why) { throw Error(ErrorKind::argument, why); };
  if (line.checkpoint.empty()) {
    if (line.every > 0 || line.resume)
      fail(std::string(line.resume ? "--resume" : "--every") + " goes with --checkpoint=DIR");
    return;
  }
  if (!group)
    fail("--checkpoint: this program runs in one process; compile it with gcompile --target=mpi");
  if (info.rounds.empty())
    fail("--checkpoint: this program has no rounds behind which it could be resumed");
  if (line.every == 0)
    fail("--checkpoint needs --every=N: the state is written behind each N-th round");
  if (line.trials > 1 || !line.each.empty())
    fail(std::string("--checkpoint excludes ") + (line.trials > 1 ? "--trials" : "--each") +
         ", which runs more than once");
}

Checkpoint::Checkpoint(const CommandLine &line, const ProgramInfo &info, ProcessGroup &group)
    : info_(info), group_(group), folder_(line.checkpoint), every_(line.every) {
  manifest_["format"] = format;
  manifest_["program"] = info.name;
  manifest_["executable"] = hexadecimal(checksum_of_file(executable));
  manifest_["ranks"] = group.size();
  manifest_["partition"] = partition_of(line);
  manifest_["arguments"] = arguments_of(line, info);
  manifest_["graph"] = nullptr;
  manifest_["statements"] = Json::object();
  if (group.speaks()) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error)
      throw Error(ErrorKind::resource, folder_ + ": cannot be made: " + error.message());
  }
  read_manifest(line.resume);
  require_writable_folder(folder_);
  remove_strays();
}

void Checkpoint::refuse(const std::string &why) const {
  throw Error(ErrorKind::argument, folder_ + ": its checkpoint " + why);
}

void Checkpoint::compare(const std::string &what, const Json &before, const Json &now) const {
  const auto text = [](const Json &value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
  if (before != now)
    refuse("has " + what + text(before) + ", and this run has " + text(now));
}

void Checkpoint::read_manifest(bool resumes) {
  const std::string file = folder_ + "/manifest";
  std::string text;
  std::error_code error;
  if (group_.speaks() && std::filesystem::exists(file, error)) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream all;
    all << stream.rdbuf();
    text = all.str();
    if (!stream || text.empty())
      throw Error(ErrorKind::input, file + ": cannot be read");
  }
  text = told(group_, text);
  if (text.empty())
    return;
  if (!resumes)
    refuse("is one that --resume goes on from; remove the folder, or name another one, to begin anew");
  const auto damaged = [&] { throw Error(ErrorKind::input, file + ": is damaged, or no file of a checkpoint"); };
  const Json found = Json::parse(text, nullptr, false);
  if (!found.is_object() || !found.contains("format"))
    damaged();
  compare("the format ", found["format"], format);
  try {
    compare("the program ", found.at("program"), info_.name);
    compare("an executable of the checksum ", found.at("executable"), manifest_["executable"]);
    compare("this number of ranks: ", found.at("ranks"), manifest_["ranks"]);
    compare("the partition ", found.at("partition"), manifest_["partition"]);
    for (const auto &[name, value] : manifest_["arguments"].items())
      compare("--" + name + "=", found.at("arguments").at(name), value);
    graph_ = found.at("graph");
    for (const auto &[number, kept] : found.at("statements").items()) {
      const int statement = std::stoi(number);
      static_cast<void>(info_.rounds.at(static_cast<std::size_t>(statement)));
      static_cast<void>(summary_of(kept.at("parts").at(static_cast<std::size_t>(group_.rank()))));
      found_[statement] = {kept.at("round").get<std::int64_t>(), kept.at("ended").get<bool>()};
    }
    manifest_["statements"] = found.at("statements");
  } catch (const nlohmann::json::exception &) {
    damaged();
  } catch (const std::logic_error &) { // no number
    damaged();
  }
}

/// Removes what this process wrote and no manifest names, and what ranks wrote that there are no more.
void Checkpoint::remove_strays() const {
  std::vector<std::string> wanted;
  for (const auto &[number, kept] : manifest_["statements"].items())
    wanted.push_back(path(std::stoi(number), kept));
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder_, error)) {
    const std::int64_t rank = rank_of(entry.path().filename().string());
    const bool own = rank == group_.rank() || (rank >= group_.size() && group_.speaks());
    std::error_code ignored;
    if (own && std::find(wanted.begin(), wanted.end(), entry.path().string()) == wanted.end())
      std::filesystem::remove(entry.path(), ignored);
  }
}

void Checkpoint::begin(const LoadedGraph &graph) {
  const std::uint64_t own = graph.vertex_bits() == 32 ? block_checksum<std::uint32_t>(graph, info_, group_)
                                                      : block_checksum<std::uint64_t>(graph, info_, group_);
  Json &now = manifest_["graph"];
  now["vertices"] = graph.num_vertices();
  now["arcs"] = graph.num_arcs();
  now["vertex_bits"] = graph.vertex_bits();
  now["directed"] = graph.directed();
  for (const std::uint64_t sum : group_.all({own}))
    now["parts"].push_back(hexadecimal(sum));
  if (!graph_.is_null()) {
    const auto value = [&](const char *name) {
      return graph_.is_object() && graph_.contains(name) ? graph_[name] : Json();
    };
    compare("a graph of this many vertices: ", value("vertices"), now["vertices"]);
    compare("a graph of this many arcs: ", value("arcs"), now["arcs"]);
    compare("this width of vertex ids: ", value("vertex_bits"), now["vertex_bits"]);
    if (graph_ != now)
      refuse("has a graph of as many vertices and arcs, with other edges, properties or names");
  }
  round_keeper = this;
}

std::string Checkpoint::text() const {
  if (found_.empty())
    return folder_ + ": there is no checkpoint yet; the run begins from its first round\n";
  const auto &[statement, round] = *found_.rbegin();
  return folder_ + ": the run goes on behind " + (round.ended ? "" : "round " + std::to_string(round.done) + " of ") +
         info_.rounds.at(static_cast<std::size_t>(statement)) + "\n";
}

Json Checkpoint::report() const {
  Json report = {{"written", written_}, {"bytes", bytes_}, {"seconds", seconds_}};
  if (!found_.empty())
    report["resumed"] = {{"statement", info_.rounds.at(static_cast<std::size_t>(found_.rbegin()->first))},
                         {"round", found_.rbegin()->second.done}};
  return report;
}

const KeptRound *Checkpoint::found(int statement) const {
  const auto kept = found_.find(statement);
  return kept == found_.end() ? nullptr : &kept->second;
}

std::string Checkpoint::path(int statement, const Json &kept) const {
  const std::string round = kept["ended"].get<bool>() ? "end" : std::to_string(kept["round"].get<std::int64_t>());
  return folder_ + "/" + std::to_string(statement) + "." + round + "." + std::to_string(group_.rank());
}

void Checkpoint::restore(int statement, const Pass &pass) {
  const Json &kept = manifest_["statements"][std::to_string(statement)];
  read_part(path(statement, kept), summary_of(kept["parts"][static_cast<std::size_t>(group_.rank())]), pass);
}

void Checkpoint::keep(int statement, const KeptRound &round, const Pass &pass) {
  const Clock::time_point start = Clock::now();
  Json kept = {{"round", round.done}, {"ended", round.ended}, {"parts", Json::array()}};
  const std::string number = std::to_string(statement), file = path(statement, kept);
  const PartSummary own = write_part(file, pass);
  const std::vector<std::uint64_t> all = group_.all({own.bytes, own.checksum});
  for (std::size_t i = 0; i < all.size(); i += 2) {
    kept["parts"].push_back({all[i], all[i + 1]});
    bytes_ += all[i];
  }
  Json &statements = manifest_["statements"];
  const std::string before = statements.contains(number) ? path(statement, statements[number]) : file;
  statements[number] = std::move(kept);
  if (group_.speaks())
    write_durably(folder_ + "/manifest", manifest_.dump(2) + "\n");
  group_.all({}); // from here on it counts
  std::error_code ignored;
  if (before != file)
    std::filesystem::remove(before, ignored);
  ++written_;
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

void Checkpoint::finish() {
  std::error_code ignored;
  if (group_.speaks())
    std::filesystem::remove(folder_ + "/manifest", ignored);
  group_.all({});
  for (const auto &[number, kept] : manifest_["statements"].items())
    std::filesystem::remove(path(std::stoi(number), kept), ignored);
}

} // namespace gc::detail
