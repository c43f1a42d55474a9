// GraphML: <node id="a"/> and <edge source="a" target="b"><data key="w">3</data></edge>; ids are texts.
#include "listed_graph.h"
#include "runtime/tool_support/fields.h"
#include "xml.h"

#include <algorithm>

namespace gc::detail {

namespace {

/// A number that edges have.
struct Key {
  std::string id;
  ColumnInfo column;
  std::string_view otherwise; ///< the value of an edge that gives none; empty: there is none
};

class GraphMlReader {
public:
  GraphMlReader(const InputFile &file, const ReadContext &context)
      : xml_(file.text.begin(), file.text.end()), context_(context), graph_(context) {}

  RawGraph read() {
    const XmlReader::Tag first = xml_.next();
    if (first != XmlReader::Tag::begin || xml_.name() != "graphml" || !xml_.text().empty())
      throw ParseError{xml_.text().empty() ? xml_.at() : xml_.text().data(), "expected the element 'graphml'"};
    bool found = false;
    while (xml_.next() == XmlReader::Tag::begin) {
      if (xml_.name() == "key") {
        read_key();
      } else if (xml_.name() == "graph") {
        if (found)
          throw ParseError{xml_.at(), "the file holds a second graph"};
        found = true;
        read_graph();
      } else {
        xml_.skip();
      }
    }
    if (!found)
      throw ParseError{nullptr, "the file has no element 'graph'"};
    if (xml_.next() != XmlReader::Tag::none)
      throw ParseError{xml_.at(), "expected the end of the file behind </graphml>"};
    return graph_.finish(context_.options.ids == IdKind::integer, directed_);
  }

private:
  std::string text(std::string_view attribute) const {
    return XmlReader::decoded(xml_.attribute(attribute).value_or(std::string_view()));
  }

  /// Notes a key if edges may have it and it is a number.
  void read_key() {
    static constexpr std::pair<std::string_view, ColumnType> types[] = {{"int", ColumnType::int32},
                                                                        {"long", ColumnType::int64},
                                                                        {"float", ColumnType::float32},
                                                                        {"double", ColumnType::float64}};
    const std::string type = text("attr.type"), whose = text("for");
    Key key{text("id"), {text("attr.name"), ColumnType::float64}, {}};
    if (key.id.empty())
      throw ParseError{xml_.at(), "the key has no id"};
    if (key.column.name.empty())
      key.column.name = key.id;
    while (xml_.next() == XmlReader::Tag::begin)
      if (xml_.name() == "default" && xml_.next() == XmlReader::Tag::end)
        key.otherwise = xml_.text();
      else
        xml_.skip();
    const auto known = std::find_if(std::begin(types), std::end(types), [&](const auto &t) { return t.first == type; });
    if (known == std::end(types) || (whose != "edge" && whose != "all" && !whose.empty()))
      return;
    key.column.type = known->second;
    keys_.push_back(std::move(key));
  }

  void read_graph() {
    const std::string standard = text("edgedefault");
    if (standard != "directed" && standard != "undirected")
      throw ParseError{xml_.at(), "edgedefault is directed or undirected, not '" + standard.substr(0, 40) + "'"};
    default_ = directed_ = standard == "directed";
    std::vector<ColumnInfo> columns;
    for (const Key &key : keys_)
      columns.push_back(key.column);
    columns_at_ = xml_.at();
    while (xml_.next() == XmlReader::Tag::begin) {
      if (xml_.name() == "node") {
        read_node();
      } else if (xml_.name() == "edge") {
        if (!graph_.has_columns())
          graph_.set_columns(columns, /*typed=*/true, columns_at_);
        read_edge();
      } else if (xml_.name() == "hyperedge") {
        throw ParseError{xml_.at(), "edges with more than two ends are not supported"};
      } else {
        xml_.skip();
      }
    }
  }

  void read_node() {
    const char *at = xml_.at();
    const std::string_view id = id_of("node", "id");
    graph_.add_vertex(id, id, at);
    while (xml_.next() == XmlReader::Tag::begin) {
      if (xml_.name() == "graph")
        throw ParseError{xml_.at(), "a graph inside of a node is not supported"};
      xml_.skip();
    }
  }

  void read_edge() {
    const char *at = xml_.at();
    const std::string_view source = id_of("edge", "source"), target = id_of("edge", "target");
    const std::string own = text("directed");
    if (!own.empty() && own != "true" && own != "false")
      throw ParseError{at, "directed is true or false, not '" + own.substr(0, 40) + "'"};
    const bool directed = own.empty() ? default_ : own == "true";
    if (has_edges_ && directed != directed_)
      throw ParseError{at, "some edges are directed and some are not; a graph has one kind"};
    directed_ = directed;
    has_edges_ = true;
    values_.clear();
    for (const Key &key : keys_)
      values_.push_back(key.otherwise);
    while (xml_.next() == XmlReader::Tag::begin) {
      const std::string key = xml_.name() == "data" ? text("key") : "";
      const auto known = std::find_if(keys_.begin(), keys_.end(), [&](const Key &k) { return k.id == key; });
      if (known == keys_.end()) {
        xml_.skip();
        continue;
      }
      const char *data = xml_.at();
      if (xml_.next() != XmlReader::Tag::end)
        throw ParseError{data, "expected a number as " + known->column.name};
      values_[static_cast<std::size_t>(known - keys_.begin())] = xml_.text();
    }
    graph_.add_edge(source, target, values_, at);
  }

  std::string_view id_of(const char *element, const char *attribute) {
    const std::string_view raw = xml_.attribute(attribute).value_or(std::string_view());
    if (raw.empty())
      throw ParseError{xml_.at(), "the " + std::string(element) + " has no " + attribute};
    return raw.find('&') == std::string_view::npos ? raw : graph_.keep(XmlReader::decoded(raw));
  }

  XmlReader xml_;
  const ReadContext &context_;
  ListedGraph graph_;
  std::vector<Key> keys_;
  bool default_ = true, directed_ = true, has_edges_ = false;
  const char *columns_at_ = nullptr;
  std::vector<std::string_view> values_; ///< of the edge that is read, in the order of `keys_`
};

} // namespace

RawGraph read_graphml(const InputFile &file, const ReadContext &context) {
  try {
    refuse_bare_returns(file.text.begin(), file.text.end());
    return GraphMlReader(file, context).read();
  } catch (const ParseError &error) {
    if (!error.at)
      fail_file(file.path, error.reason);
    fail_at(file, error.at, error.reason);
  }
}

} // namespace gc::detail
