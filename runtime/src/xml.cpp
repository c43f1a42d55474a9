#include "xml.h"

#include "scan.h"

#include <algorithm>
#include <charconv>

namespace gc::detail {

namespace {

bool is_space(char c) { return is_blank(c) || c == '\n'; }

bool ends_name(char c) { return is_space(c) || c == '=' || c == '/' || c == '>' || c == '<' || c == '"' || c == '\''; }

std::string shown(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

std::string_view without_prefix(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

void append_character(std::uint32_t code, std::string &out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static constexpr unsigned char marks[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(marks[more] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i)
    out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
}

/// The number of a reference `#65` or `#x41`, or 0.
std::uint32_t code_of(std::string_view reference) {
  const bool hex = reference.size() > 1 && (reference[1] == 'x' || reference[1] == 'X');
  reference.remove_prefix(hex ? 2 : 1);
  std::uint32_t code = 0;
  const char *end = reference.data() + reference.size();
  const auto result = std::from_chars(reference.data(), end, code, hex ? 16 : 10);
  const bool good =
      result.ec == std::errc() && result.ptr == end && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return good ? code : 0;
}

} // namespace

std::string XmlReader::decoded(std::string_view text) {
  static constexpr std::pair<std::string_view, char> names[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '&') {
      out += text[at];
      continue;
    }
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string_view reference = text.substr(at + 1, end - at - 1);
    const auto known =
        std::find_if(std::begin(names), std::end(names), [&](const auto &entry) { return entry.first == reference; });
    const std::uint32_t code = known != std::end(names) ? static_cast<unsigned char>(known->second)
                               : !reference.empty() && reference.front() == '#' ? code_of(reference)
                                                                                : 0;
    if (code == 0 || end == text.size())
      throw ParseError{text.data() + at, "'&' begins no character that is known: " + shown(text.substr(at, 12))};
    append_character(code, out);
    at = end;
  }
  return out;
}

bool XmlReader::starts_with(std::string_view what) const {
  return static_cast<std::size_t>(end_ - p_) >= what.size() && std::string_view(p_, what.size()) == what;
}

const char *XmlReader::find(std::string_view what, const char *from) const {
  const std::size_t found = std::string_view(from, static_cast<std::size_t>(end_ - from)).find(what);
  if (found == std::string_view::npos)
    throw ParseError{p_, "expected '" + std::string(what) + "' before the end of the file"};
  return from + found;
}

void XmlReader::skip_space() {
  while (p_ < end_ && is_space(*p_))
    ++p_;
}

std::string_view XmlReader::take_name() {
  const char *first = p_;
  while (p_ < end_ && !ends_name(*p_))
    ++p_;
  if (p_ == first)
    throw ParseError{first, "expected a name, found " + quoted_field(first, end_)};
  return {first, static_cast<std::size_t>(p_ - first)};
}

std::optional<std::string_view> XmlReader::attribute(std::string_view name) const {
  for (const auto &[key, value] : attributes_)
    if (key == name)
      return value;
  return std::nullopt;
}

void XmlReader::read_attributes() {
  attributes_.clear();
  for (skip_space(); p_ < end_ && *p_ != '>' && *p_ != '/' && *p_ != '?'; skip_space()) {
    const std::string_view key = take_name();
    skip_space();
    if (p_ == end_ || *p_ != '=')
      throw ParseError{key.data(), "attribute " + shown(key) + " has no value"};
    ++p_;
    skip_space();
    const char *open = p_;
    if (p_ == end_ || (*p_ != '"' && *p_ != '\''))
      throw ParseError{key.data(), "attribute " + shown(key) + " has no value in quotes"};
    const char *close = std::find(p_ + 1, end_, *p_);
    if (close == end_)
      throw ParseError{open, "the value of attribute " + shown(key) + " has no closing quote"};
    attributes_.emplace_back(key, std::string_view(open + 1, static_cast<std::size_t>(close - open - 1)));
    p_ = close + 1;
  }
}

/// Passes a comment, `<?xml ...?>` or `<!DOCTYPE ...>`.
void XmlReader::skip_declaration() {
  if (starts_with("<!--")) {
    p_ = find("-->", p_ + 4) + 3;
  } else if (starts_with("<![CDATA[")) {
    p_ = find("]]>", p_) + 3;
  } else if (starts_with("<?xml") && p_ + 5 < end_ && is_space(p_[5])) {
    const char *begin = p_;
    p_ += 5;
    read_attributes();
    const std::string encoding(attribute("encoding").value_or("UTF-8"));
    std::string upper = encoding;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    if (upper != "UTF-8" && upper != "US-ASCII" && upper != "ASCII")
      throw ParseError{begin, "the file is in " + encoding.substr(0, 40) + ", not in UTF-8"};
    p_ = find("?>", p_) + 2;
  } else if (starts_with("<?")) {
    p_ = find("?>", p_) + 2;
  } else {
    const char *close = find(">", p_);
    if (std::find(p_, close, '[') != close)
      throw ParseError{p_, "a document type with declarations of its own is not supported"};
    p_ = close + 1;
  }
}

XmlReader::Tag XmlReader::next() {
  if (ends_at_once_) {
    ends_at_once_ = false;
    text_ = {};
    open_.pop_back();
    return Tag::end;
  }
  const char *first = p_;
  const void *found = nullptr;
  for (;;) {
    found = p_ < end_ ? std::memchr(p_, '<', static_cast<std::size_t>(end_ - p_)) : nullptr;
    p_ = found ? static_cast<const char *>(found) : end_;
    if (!found || !(starts_with("<!") || starts_with("<?")))
      break;
    const bool blank = std::all_of(first, p_, is_space);
    skip_declaration();
    if (blank)
      first = p_;
  }
  at_ = p_;
  const char *last = p_;
  while (first < last && is_space(*first))
    ++first;
  while (last > first && is_space(last[-1]))
    --last;
  text_ = {first, static_cast<std::size_t>(last - first)};
  if (!found) {
    if (!open_.empty())
      throw ParseError{open_.back().data(), "the element " + shown(open_.back()) + " does not end"};
    return Tag::none;
  }
  ++p_;
  const bool closes = p_ < end_ && *p_ == '/';
  p_ += closes;
  const std::string_view name = take_name();
  name_ = without_prefix(name);
  if (closes) {
    skip_space();
    if (open_.empty() || open_.back() != name)
      throw ParseError{at_, "</" + std::string(name.substr(0, 40)) + "> ends no element that has begun" +
                                (open_.empty() ? "" : ": expected </" + std::string(open_.back().substr(0, 40)) + ">")};
    open_.pop_back();
  } else {
    read_attributes();
    ends_at_once_ = p_ < end_ && *p_ == '/';
    p_ += ends_at_once_;
    open_.push_back(name);
  }
  if (p_ == end_ || *p_ != '>')
    throw ParseError{at_, "the tag of " + shown(name) + " has no '>'"};
  ++p_;
  return closes ? Tag::end : Tag::begin;
}

void XmlReader::skip() {
  for (const std::size_t depth = open_.size(); open_.size() >= depth;)
    next();
}

} // namespace gc::detail
