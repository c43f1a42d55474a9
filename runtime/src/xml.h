// Reading XML tag by tag: what GraphML needs of it. A file in UTF-8 without entities of its own. A library for XML
// would be linked into every program, and slow the start of all for a format of few.
#ifndef GCOMPILE_SRC_XML_H
#define GCOMPILE_SRC_XML_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gc::detail {

/// Goes from tag to tag; problems are ParseErrors. An element without content counts as one that begins and ends.
class XmlReader {
public:
  XmlReader(const char *begin, const char *end) : p_(begin), end_(end) {}

  enum class Tag { begin, end, none };
  /// The next tag; `none`: the file ends, and all elements have ended.
  Tag next();
  /// Passes the rest of the element that has begun.
  void skip();

  /// Of the tag: where it is, and the element's name without the prefix of its namespace.
  const char *at() const { return at_; }
  std::string_view name() const { return name_; }
  /// The attribute's value as the file writes it.
  std::optional<std::string_view> attribute(std::string_view name) const;
  /// What stands before the tag, up to the tag before it, without blanks around it.
  std::string_view text() const { return text_; }

  /// A value without references to characters: `&amp;` is &.
  static std::string decoded(std::string_view text);

private:
  void read_attributes();
  void skip_declaration();
  std::string_view take_name();
  void skip_space();
  const char *find(std::string_view what, const char *from) const;
  bool starts_with(std::string_view what) const;

  const char *p_, *end_;
  const char *at_ = nullptr;
  std::string_view name_, text_;
  std::vector<std::pair<std::string_view, std::string_view>> attributes_;
  std::vector<std::string_view> open_; ///< names of the elements that have begun, with prefixes
  bool ends_at_once_ = false;          ///< the tag that was read ends its element, too
};

} // namespace gc::detail

#endif
