// GML: "graph [ directed 1 node [ id 1 label "a" ] edge [ source 1 target 2 weight 3 ] ]"; ids are whole numbers.
#include "listed_graph.h"
#include "runtime/tool_support/fields.h"

#include <algorithm>

namespace gc::detail {

namespace {

/// What stands in a file: a bracket, a word, or a text between quotes.
struct Token {
  enum class Kind { open, close, word, text, end } kind = Kind::end;
  std::string_view text; ///< without quotes
  const char *at = nullptr;
};

class TokenReader {
public:
  TokenReader(const char *begin, const char *end) : p_(begin), end_(end) {}

  Token next() {
    while (p_ < end_ && (is_blank(*p_) || *p_ == '\n' || *p_ == '#'))
      p_ = *p_ == '#' ? line_end(p_, end_) : p_ + 1;
    const char *at = p_;
    if (p_ == end_)
      return {Token::Kind::end, {}, at};
    if (*p_ == '[' || *p_ == ']')
      return {*p_++ == '[' ? Token::Kind::open : Token::Kind::close, {at, 1}, at};
    if (*p_ == '"') {
      const char *close = std::find(p_ + 1, end_, '"');
      if (close == end_)
        throw ParseError{at, "a text has no closing quote"};
      p_ = close + 1;
      return {Token::Kind::text, {at + 1, static_cast<std::size_t>(close - at - 1)}, at};
    }
    while (p_ < end_ && !is_blank(*p_) && *p_ != '\n' && *p_ != '[' && *p_ != ']' && *p_ != '"')
      ++p_;
    return {Token::Kind::word, {at, static_cast<std::size_t>(p_ - at)}, at};
  }

  /// The value that follows a key.
  Token value(const Token &key) {
    const Token value = next();
    if (value.kind == Token::Kind::close || value.kind == Token::Kind::end)
      throw ParseError{key.at, "there is no value of '" + std::string(key.text.substr(0, 40)) + "'"};
    return value;
  }

  /// The list that follows a key.
  void open(const Token &key) {
    if (value(key).kind != Token::Kind::open)
      throw ParseError{key.at, "expected '[' after '" + std::string(key.text) + "'"};
  }

  /// The next key of the list that began at `begin`; false: the list ends.
  bool key(Token &key, const Token &begin) {
    key = next();
    if (key.kind == Token::Kind::close)
      return false;
    if (key.kind == Token::Kind::end)
      throw ParseError{begin.at, "'" + std::string(begin.text) + "' has no closing ']'"};
    require_key(key);
    return true;
  }

  static void require_key(const Token &key) {
    const char first = key.text.empty() ? ' ' : static_cast<char>(key.text[0] | 0x20);
    if (key.kind != Token::Kind::word || first < 'a' || first > 'z')
      throw ParseError{key.at, "expected a key, found " + quoted_field(key.at, end_of(key))};
  }

  /// Passes what follows a value's first token.
  void skip(const Token &value) {
    Token token = value;
    for (std::size_t depth = 0;; token = next()) {
      if (token.kind == Token::Kind::end)
        throw ParseError{value.at, "'[' has no closing ']'"};
      depth += token.kind == Token::Kind::open;
      depth -= token.kind == Token::Kind::close;
      if (depth == 0)
        return;
    }
  }

private:
  static const char *end_of(const Token &token) {
    return token.kind == Token::Kind::text ? token.text.data() + token.text.size() + 1
                                           : token.text.data() + token.text.size();
  }

  const char *p_, *end_;
};

class GmlReader {
public:
  GmlReader(const InputFile &file, const ReadContext &context)
      : tokens_(file.text.begin(), file.text.end()), context_(context), graph_(context) {}

  RawGraph read() {
    bool found = false;
    for (Token key = tokens_.next(); key.kind != Token::Kind::end; key = tokens_.next()) {
      TokenReader::require_key(key);
      if (key.text != "graph") {
        tokens_.skip(tokens_.value(key));
        continue;
      }
      if (found)
        throw ParseError{key.at, "the file holds a second graph"};
      found = true;
      tokens_.open(key);
      read_graph(key);
    }
    if (!found)
      throw ParseError{nullptr, "the file has no 'graph [ ... ]'"};
    return graph_.finish(context_.options.ids != IdKind::text, directed_);
  }

private:
  void read_graph(const Token &graph) {
    for (Token key; tokens_.key(key, graph);) {
      if (key.text == "node") {
        tokens_.open(key);
        read_node(key);
      } else if (key.text == "edge") {
        tokens_.open(key);
        read_edge(key);
      } else {
        const Token value = tokens_.value(key);
        if (key.text == "directed") {
          if (value.text != "0" && value.text != "1")
            throw ParseError{value.at, "directed is 0 or 1, not '" + std::string(value.text.substr(0, 40)) + "'"};
          directed_ = value.text == "1";
        }
        tokens_.skip(value);
      }
    }
  }

  void read_node(const Token &node) {
    std::string_view id, label;
    for (Token key; tokens_.key(key, node);) {
      const Token value = tokens_.value(key);
      if (key.text == "id")
        id = id_of(key, value);
      else if (key.text == "label" && value.kind != Token::Kind::open)
        label = value.text;
      tokens_.skip(value);
    }
    if (id.empty())
      throw ParseError{node.at, "the node has no id"};
    const bool by_label = context_.options.ids == IdKind::text;
    if (by_label && label.empty())
      throw ParseError{node.at, "node " + std::string(id) + " has no label, which --ids=text asks for"};
    graph_.add_vertex(id, by_label ? label : id, node.at);
  }

  void read_edge(const Token &edge) {
    std::string_view source, target;
    names_.clear();
    numbers_.clear();
    for (Token key; tokens_.key(key, edge);) {
      const Token value = tokens_.value(key);
      if (key.text == "source")
        source = id_of(key, value);
      else if (key.text == "target")
        target = id_of(key, value);
      else if (value.kind == Token::Kind::word && key.text != "id") {
        names_.push_back(key.text);
        numbers_.push_back(value.text);
      }
      tokens_.skip(value);
    }
    if (source.empty() || target.empty())
      throw ParseError{edge.at, std::string("the edge has no ") + (source.empty() ? "source" : "target")};
    if (!graph_.has_columns())
      begin_columns(edge);
    values_.assign(columns_.size(), {});
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto found = std::find(names_.begin(), names_.end(), columns_[k]);
      if (found != names_.end())
        values_[k] = numbers_[static_cast<std::size_t>(found - names_.begin())];
    }
    graph_.add_edge(source, target, values_, edge.at);
  }

  /// The first edge shows which numbers edges have.
  void begin_columns(const Token &edge) {
    std::vector<ColumnInfo> available;
    for (std::string_view name : names_) {
      columns_.push_back(name);
      available.push_back({std::string(name), ColumnType::float64});
    }
    graph_.set_columns(available, /*typed=*/false, edge.at);
  }

  /// An id in its shortest form: `007` is 7.
  std::string_view id_of(const Token &key, const Token &value) {
    const char *p = value.text.data(), *end = p + value.text.size();
    if (value.kind != Token::Kind::word)
      throw ParseError{value.at, "expected a whole number after '" + std::string(key.text) + "'"};
    p += p + 1 < end && *p == '+' && is_digit(p[1]);
    const std::int64_t id = scan_integer(p, end, "a vertex id");
    if (p != end)
      fail_number(value.text.data(), end, "a vertex id");
    const std::string text = std::to_string(id);
    return text == value.text ? value.text : graph_.keep(text);
  }

  TokenReader tokens_;
  const ReadContext &context_;
  ListedGraph graph_;
  bool directed_ = false;
  std::vector<std::string_view> columns_;         ///< the numbers of edges
  std::vector<std::string_view> names_, numbers_; ///< of the edge that is read
  std::vector<std::string_view> values_;          ///< the same, in the order of `columns_`
};

} // namespace

RawGraph read_gml(const InputFile &file, const ReadContext &context) {
  try {
    refuse_bare_returns(file.text.begin(), file.text.end());
    return GmlReader(file, context).read();
  } catch (const ParseError &error) {
    if (!error.at)
      fail_file(file.path, error.reason);
    fail_at(file, error.at, error.reason);
  }
}

} // namespace gc::detail
