#include "ir/explain/Explain.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <fmt/format.h>

namespace gcompile {

namespace {

/// Bytes without superfluous digits: 4, 8.25.
std::string number(double value) { return fmt::format("{:g}", value); }

std::string memory(double perVertex, double perEdge, double perPair) {
  std::string text;
  for (auto [bytes, what] : {std::pair(perVertex, "vertex"), {perEdge, "edge"}, {perPair, "pair of vertices"}})
    if (bytes > 0)
      text += fmt::format("{}{} bytes per {}", text.empty() ? "" : ", ", number(bytes), what);
  return text.empty() ? "none" : text;
}

void accesses(std::string &out, const char *title, const std::vector<AccessFacts> &list) {
  if (list.empty())
    return;
  out += fmt::format("    {}\n", title);
  std::size_t width = 0;
  for (const AccessFacts &access : list)
    width = std::max(width, std::min<std::size_t>(access.text.size(), 40));
  for (const AccessFacts &access : list) {
    out += fmt::format("      {:<{}}  {}", access.text, width, access.place);
    out += access.role.empty() ? "\n" : fmt::format("; {}\n", access.role);
    if (!access.pushed.empty())
      out += fmt::format("        {}{}\n", access.pulled.empty() ? "" : "push: ", access.pushed);
    if (!access.pulled.empty())
      out += fmt::format("        pull: {}\n", access.pulled);
  }
}

void ways(std::string &out, const char *title, const std::vector<WayFacts> &list, const char *yes, const char *no) {
  if (list.empty())
    return;
  out += fmt::format("    {}\n", title);
  std::size_t width = 0;
  for (const WayFacts &way : list)
    width = std::max(width, way.name.size());
  for (const WayFacts &way : list) {
    out += fmt::format("      {:<{}}  {}", way.name, width, way.chosen ? "chosen" : way.legal ? yes : no);
    out += way.reason.empty() ? "\n" : fmt::format(": {}\n", way.reason);
  }
}

void statement(std::string &out, const StatementFacts &facts) {
  out += fmt::format("\n  line {}: {}{}\n", facts.line, facts.label.empty() ? "" : facts.label + ": ", facts.text);
  accesses(out, "reads", facts.reads);
  accesses(out, "writes", facts.writes);
  if (!facts.snapshots.empty())
    out += "    copies\n";
  for (const SnapshotFacts &snapshot : facts.snapshots)
    out +=
        fmt::format("      {}: {}: {}\n", snapshot.state, snapshot.copied ? "two" : "one is enough", snapshot.reason);
  ways(out, "ways to run it", facts.ways, "legal", "not legal");
  ways(out, "what schedules may use", facts.freedoms, "yes", "no");
  if (!facts.device.empty())
    out += "    on the GPU\n";
  for (const std::string &line : facts.device)
    out += fmt::format("      {}\n", line);
  if (!facts.sent.empty())
    out += "    what the parts send\n";
  for (const std::string &line : facts.sent)
    out += fmt::format("      {}\n", line);
  if (facts.onOneThread)
    out += "    one thread of each part runs it: it visits vertices that the program lists\n";
  double own = facts.bytesPerVertex + facts.bytesPerEdge + facts.bytesPerPair;
  if (own > 0)
    out += fmt::format("    memory of its own: {}\n",
                       memory(facts.bytesPerVertex, facts.bytesPerEdge, facts.bytesPerPair));
}

llvm::json::Object bytes(double perVertex, double perEdge, double perPair) {
  return llvm::json::Object{{"perVertex", perVertex}, {"perEdge", perEdge}, {"perPair", perPair}};
}

llvm::json::Array accesses(const std::vector<AccessFacts> &list, bool writes) {
  llvm::json::Array result;
  for (const AccessFacts &access : list) {
    llvm::json::Object object{
        {"text", access.text}, {"line", access.line}, {"state", access.state}, {"place", access.place}};
    if (!access.role.empty())
      object["role"] = access.role;
    if (writes)
      object[access.pulled.empty() ? "sync" : "push"] = access.pushed;
    if (!access.pulled.empty())
      object["pull"] = access.pulled;
    result.push_back(std::move(object));
  }
  return result;
}

llvm::json::Array ways(const std::vector<WayFacts> &list, bool choice) {
  llvm::json::Array result;
  for (const WayFacts &way : list) {
    llvm::json::Object object{{"name", way.name}, {"legal", way.legal}, {"reason", way.reason}};
    if (choice)
      object["chosen"] = way.chosen;
    result.push_back(std::move(object));
  }
  return result;
}

llvm::json::Object statement(const StatementFacts &facts) {
  llvm::json::Array copies;
  for (const SnapshotFacts &snapshot : facts.snapshots)
    copies.push_back(llvm::json::Object{{"state", snapshot.state},
                                        {"second", snapshot.copied},
                                        {"reason", snapshot.reason},
                                        {"bytes", snapshot.bytes}});
  llvm::json::Object object{{"line", facts.line},
                            {"label", facts.label},
                            {"text", facts.text},
                            {"reads", accesses(facts.reads, false)},
                            {"writes", accesses(facts.writes, true)},
                            {"copies", std::move(copies)},
                            {"ways", ways(facts.ways, true)},
                            {"freedoms", ways(facts.freedoms, true)},
                            {"device", llvm::json::Array(facts.device)},
                            {"bytes", bytes(facts.bytesPerVertex, facts.bytesPerEdge, facts.bytesPerPair)}};
  if (!facts.sent.empty())
    object["sent"] = llvm::json::Array(facts.sent);
  if (facts.onOneThread)
    object["onOneThread"] = true;
  return object;
}

} // namespace

std::string explanationText(const std::string &file, const std::vector<AlgorithmFacts> &algorithms) {
  std::string out;
  for (const AlgorithmFacts &facts : algorithms) {
    out += fmt::format("{}{}: algorithm {}\n", out.empty() ? "" : "\n", file, facts.name);
    out += fmt::format("  memory besides the graph: {}\n",
                       memory(facts.bytesPerVertex, facts.bytesPerEdge, facts.bytesPerPair));
    out += fmt::format("  of the graph: the edges out of every vertex{}\n",
                       facts.inEdges ? ", and the edges into every vertex" : "");
    for (const std::string &edges : facts.loaded)
      out += fmt::format("  beside its part, each part has {}\n", edges);
    if (!facts.divided.empty())
      out += fmt::format("  runs with --partition=grid: {}\n", facts.divided);
    for (const std::string &side : facts.sides)
      out += fmt::format("  runs on: {}\n", side);
    for (const std::string &function : facts.foreign)
      out += fmt::format("  a function of C++ without effects: {}\n", function);
    for (const std::string &reduction : facts.reductions)
      out += fmt::format("  a reduction that the program declares: {}\n", reduction);
    for (const std::string &order : facts.layout)
      out += fmt::format("  laid out after loading, as the schedule says: {}\n", order);
    for (const std::string &input : facts.nonnegative)
      out += fmt::format("  checked before it runs: no '{}' is negative\n", input);
    for (const std::string &rounds : facts.kept)
      out += fmt::format("  kept by a checkpoint between rounds of {}\n", rounds);
    for (const std::string &value : facts.asked)
      out += fmt::format("  sent outside of statements, in {}\n", value);
    if (!facts.once.empty())
      out += "  written outside of statements, by a kernel of one thread each, beginning with\n";
    for (const std::string &line : facts.once)
      out += fmt::format("    {}\n", line);
    if (!facts.removed.empty())
      out += "  not carried out\n";
    for (const std::string &line : facts.removed)
      out += fmt::format("    {}\n", line);
    for (const StatementFacts &s : facts.statements)
      statement(out, s);
  }
  return out;
}

std::string explanationShort(const std::string &file, const std::vector<AlgorithmFacts> &algorithms) {
  std::string out;
  for (const AlgorithmFacts &facts : algorithms)
    for (const StatementFacts &s : facts.statements) {
      std::string parts;
      auto add = [&](const std::string &part) { parts += (parts.empty() ? ": " : "; ") + part; };
      for (const WayFacts &way : s.ways)
        if (way.chosen)
          add(way.name);
        else if (way.wanted && !way.legal)
          add("not " + way.name + ", because " + way.reason);
      for (const AccessFacts &write : s.writes)
        add(fmt::format("{} {}{}", write.state, write.pushed.substr(0, write.pushed.find(':')),
                        write.pulled.empty() || write.pulled == write.pushed
                            ? ""
                            : " (pull: " + write.pulled.substr(0, write.pulled.find(':')) + ")"));
      for (const SnapshotFacts &snapshot : s.snapshots)
        if (snapshot.copied)
          add("two copies of " + snapshot.state);
      out += fmt::format("{}:{}: {}: {}{}{}\n", file, s.line, facts.name, s.label.empty() ? "" : s.label + ": ", s.text,
                         parts);
    }
  return out;
}

std::string explanationJson(const std::string &file, const std::vector<AlgorithmFacts> &algorithms) {
  llvm::json::Array list;
  for (const AlgorithmFacts &facts : algorithms) {
    llvm::json::Array statements;
    for (const StatementFacts &s : facts.statements)
      statements.push_back(statement(s));
    llvm::json::Object object{{"name", facts.name},
                              {"bytes", bytes(facts.bytesPerVertex, facts.bytesPerEdge, facts.bytesPerPair)},
                              {"inEdges", facts.inEdges},
                              {"foreign", llvm::json::Array(facts.foreign)},
                              {"reductions", llvm::json::Array(facts.reductions)},
                              {"layout", llvm::json::Array(facts.layout)},
                              {"nonnegative", llvm::json::Array(facts.nonnegative)},
                              {"once", llvm::json::Array(facts.once)},
                              {"removed", llvm::json::Array(facts.removed)},
                              {"statements", std::move(statements)}};
    if (!facts.kept.empty())
      object["kept"] = llvm::json::Array(facts.kept);
    if (!facts.divided.empty())
      object["grid"] = facts.divided;
    if (!facts.loaded.empty())
      object["loaded"] = llvm::json::Array(facts.loaded);
    if (!facts.asked.empty())
      object["asked"] = llvm::json::Array(facts.asked);
    if (!facts.sides.empty())
      object["sides"] = llvm::json::Array(facts.sides);
    list.push_back(std::move(object));
  }
  std::string out;
  llvm::raw_string_ostream stream(out);
  stream << llvm::formatv("{0:2}",
                          llvm::json::Value(llvm::json::Object{{"file", file}, {"algorithms", std::move(list)}}));
  return out + "\n";
}

} // namespace gcompile
