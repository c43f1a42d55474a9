// C++ text as it is written: lines, lists, and blocks that close themselves.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <string>
#include <utility>
#include <vector>

namespace gcompile::cpp {

/// The items of a list with something between them: "a, b, c".
class List {
public:
  explicit List(std::string separator = ", ") : separator(std::move(separator)) {}
  void add(llvm::StringRef item) {
    whole += (empty_ ? "" : separator) + item.str();
    empty_ = false;
  }
  bool empty() const { return empty_; }
  const std::string &text() const { return whole; }

private:
  std::string separator, whole;
  bool empty_ = true;
};

/// The list of what `item` makes of each of `items`, in their order.
template <class Items, class Item> std::string listed(Items &&items, Item item) {
  return llvm::join(llvm::map_range(items, item), ", ");
}

/// Lines of C++, each indented by the blocks around it.
class Writer {
public:
  /// What stands between `{` and `}`: open until the object goes, or is closed.
  class Block {
  public:
    Block(Writer &writer, std::string tail) : writer(&writer), tail(std::move(tail)) {}
    Block(Block &&other) noexcept : writer(std::exchange(other.writer, nullptr)), tail(std::move(other.tail)) {}
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    Block &operator=(Block &&) = delete;
    ~Block() { close(); }

    /// Ends the block and begins another one: "} else {" with ` else`.
    void next(const std::string &between);
    /// Ends the block, with `tail` behind its brace.
    void close(const std::string &tail);
    void close() { close(tail); }

  private:
    Writer *writer;
    std::string tail;
  };

  /// One line; without text an empty one.
  void line(const std::string &text = "");
  /// "head {", and when the block ends "}" with `tail` behind it.
  [[nodiscard]] Block block(const std::string &head, std::string tail = "");
  /// What another writer holds, in the blocks that are open here.
  void add(const Writer &other);
  bool empty() const { return lines.empty(); }
  /// Whether this is the last line, in the block that is open here.
  bool endsWith(const std::string &text) const {
    return !lines.empty() && lines.back().depth == depth && lines.back().text == text;
  }
  /// All lines.
  std::string text() const;

private:
  struct Line {
    unsigned depth;
    std::string text;
  };
  std::vector<Line> lines;
  unsigned depth = 0;
};

} // namespace gcompile::cpp
