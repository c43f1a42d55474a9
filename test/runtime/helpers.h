// What the loader's tests share: files in a folder of their own, and graphs as plain edge sets.
#ifndef GCOMPILE_TEST_RUNTIME_HELPERS_H
#define GCOMPILE_TEST_RUNTIME_HELPERS_H

#include <gcompile/program/load.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// A folder that is removed with all its files at the end.
class Folder {
public:
  Folder();
  Folder(const Folder &) = delete;
  ~Folder();
  std::string path(const std::string &name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &content) const;

private:
  std::string path_;
};

std::string gzip(const std::string &text);
std::string zstd(const std::string &text);
std::string xz(const std::string &text);
std::string contents(const std::string &path);

using Arcs = std::multimap<std::pair<std::string, std::string>, double>;

/// All arcs of a graph by the names of their ends, with the first column's value, or 0 if there is none.
Arcs arcs_of(const gc::LoadedGraph &graph);

/// The names of all vertices, in their order.
std::vector<std::string> names_of(const gc::LoadedGraph &graph);

/// The message of the Error that loading ends with, with `folder` cut off paths; "" if there is none.
std::string message(const Folder &folder, const std::string &spec, const gc::LoadOptions &options = {});

/// Options of a program that reads one column.
gc::LoadOptions weighted(gc::ColumnType type);

/// Out-lists, in-lists and in-edges say the same, lists ascend, and an undirected graph is symmetric.
void expect_sound(const gc::LoadedGraph &graph);

} // namespace test

#endif
