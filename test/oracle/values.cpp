#include "values.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

namespace oracle {

namespace {

std::string show(double value) {
  std::ostringstream text;
  text.precision(12);
  text << value;
  return text.str();
}

double number(const std::string &word, const std::string &path) {
  if (word == "inf" || word == "Infinity" || word == "9223372036854775807")
    return infinity;
  if (word == "-inf")
    return -infinity;
  std::size_t end = 0;
  double value = 0;
  try {
    value = std::stod(word, &end);
  } catch (const std::exception &) {
    end = 0;
  }
  if (end != word.size() || word.empty())
    throw Mismatch(path + ": '" + word + "' is no number");
  return value;
}

/// Calls `take(vertex, word)` for every line, and checks that each vertex has exactly one.
void readLines(const std::string &path, const Graph &graph, const std::function<void(int, const std::string &)> &take) {
  std::ifstream file(path);
  if (!file)
    throw Mismatch(path + " cannot be read");
  std::vector<bool> seen(graph.size());
  std::size_t lines = 0;
  std::int64_t id;
  for (std::string word; file >> id >> word; ++lines) {
    int v = graph.find(id);
    if (seen[v])
      throw Mismatch(path + ": vertex " + std::to_string(id) + " appears twice");
    seen[v] = true;
    take(v, word);
  }
  if (lines != graph.ids.size() || !file.eof())
    throw Mismatch(path + ": " + std::to_string(lines) + " good lines for " + std::to_string(graph.size()) +
                   " vertices");
}

} // namespace

double readScalar(const std::string &path) {
  std::ifstream file(path);
  std::string word, rest;
  if (!(file >> word) || (file >> rest))
    throw Mismatch(path + ": does not hold one value");
  return number(word, path);
}

std::vector<double> readArray(const std::string &path) {
  std::ifstream file(path);
  std::vector<double> values;
  std::size_t index = 0;
  for (std::string word; file >> index >> word; values.push_back(number(word, path)))
    if (index != values.size())
      throw Mismatch(path + ": the index " + std::to_string(index) + " stands at place " +
                     std::to_string(values.size()));
  if (!file.eof())
    throw Mismatch(path + ": does not hold an index and a value on each line");
  return values;
}

std::vector<double> readNumbers(const std::string &path, const Graph &graph) {
  std::vector<double> values(graph.size());
  readLines(path, graph, [&](int v, const std::string &word) { values[v] = number(word, path); });
  return values;
}

std::vector<int> readVertices(const std::string &path, const Graph &graph) {
  std::vector<int> values(graph.size());
  readLines(path, graph, [&](int v, const std::string &word) {
    values[v] = word == "none" ? nothing : graph.find(std::stoll(word));
  });
  return values;
}

std::vector<bool> readFlags(const std::string &path, const Graph &graph) {
  std::vector<bool> values(graph.size());
  readLines(path, graph, [&](int v, const std::string &word) {
    if (word != "true" && word != "false")
      throw Mismatch(path + ": '" + word + "' is neither true nor false");
    values[v] = word == "true";
  });
  return values;
}

std::map<std::pair<int, int>, double> readArcs(const std::string &path, const Graph &graph) {
  std::ifstream file(path);
  if (!file)
    throw Mismatch(path + " cannot be read");
  std::map<std::pair<int, int>, double> values;
  std::int64_t u, v;
  for (std::string word; file >> u >> v >> word;) {
    const std::pair<int, int> ends(graph.find(u), graph.find(v));
    if (!graph.arc(ends.first, ends.second) || !values.emplace(ends, number(word, path)).second)
      throw Mismatch(path + ": no arc, or one that appears twice: " + std::to_string(u) + " " + std::to_string(v));
  }
  for (int from = 0; from < graph.size(); ++from)
    for (const Arc &arc : graph.out[from])
      if (values.count({from, arc.target}) == 0)
        fail("an arc", graph, from, "has no value");
  return values;
}

std::vector<std::vector<double>> readMatrix(const std::string &path, const Graph &graph) {
  std::ifstream file(path);
  if (!file)
    throw Mismatch(path + " cannot be read");
  std::vector<std::vector<double>> values(graph.size(), std::vector<double>(graph.size()));
  std::size_t lines = 0;
  std::int64_t u, v;
  for (std::string word; file >> u >> v >> word; ++lines)
    values[graph.find(u)][graph.find(v)] = word == "true" ? 1 : word == "false" ? 0 : number(word, path);
  if (lines != graph.ids.size() * graph.ids.size())
    throw Mismatch(path + ": " + std::to_string(lines) + " lines for " + std::to_string(graph.size()) + " vertices");
  return values;
}

std::vector<std::vector<int>> readVertexMatrix(const std::string &path, const Graph &graph) {
  std::ifstream file(path);
  if (!file)
    throw Mismatch(path + " cannot be read");
  std::vector<std::vector<int>> values(graph.size(), std::vector<int>(graph.size()));
  std::size_t lines = 0;
  std::int64_t u, v;
  for (std::string word; file >> u >> v >> word; ++lines)
    values[graph.find(u)][graph.find(v)] = word == "none" ? nothing : graph.find(std::stoll(word));
  if (lines != graph.ids.size() * graph.ids.size())
    throw Mismatch(path + ": " + std::to_string(lines) + " lines for " + std::to_string(graph.size()) + " vertices");
  return values;
}

bool close(double a, double b, double tolerance) {
  if (a == b)
    return true;
  return std::abs(a - b) <= tolerance * std::max({1e-6, std::abs(a), std::abs(b)});
}

void compare(const std::string &name, const Graph &graph, const std::vector<double> &expected,
             const std::vector<double> &found, double tolerance) {
  for (int v = 0; v < graph.size(); ++v)
    if (!close(expected[v], found[v], tolerance))
      fail(name, graph, v, "expected " + show(expected[v]) + ", found " + show(found[v]));
}

void fail(const std::string &name, const Graph &graph, int vertex, const std::string &text) {
  throw Mismatch(name + " of vertex " + std::to_string(graph.ids[vertex]) + ": " + text);
}

void compareFiles(const std::string &expectedPath, const std::string &foundPath, double tolerance) {
  std::map<std::string, std::string> values[2];
  const std::string *paths[2] = {&expectedPath, &foundPath};
  for (int i = 0; i < 2; ++i) {
    std::ifstream file(*paths[i]);
    if (!file)
      throw Mismatch(*paths[i] + " cannot be read");
    for (std::string vertex, value; file >> vertex >> value;)
      if (!values[i].emplace(vertex, value).second)
        throw Mismatch(*paths[i] + ": vertex " + vertex + " appears twice");
  }
  if (values[0].empty())
    throw Mismatch(expectedPath + " is empty");
  for (const auto &[vertex, value] : values[0]) {
    auto found = values[1].find(vertex);
    if (found == values[1].end())
      throw Mismatch(foundPath + ": vertex " + vertex + " is missing");
    if (!close(number(value, expectedPath), number(found->second, foundPath), tolerance))
      throw Mismatch("vertex " + vertex + ": expected " + value + ", found " + found->second);
  }
  if (values[0].size() != values[1].size())
    throw Mismatch(foundPath + ": " + std::to_string(values[1].size()) + " vertices instead of " +
                   std::to_string(values[0].size()));
}

} // namespace oracle
