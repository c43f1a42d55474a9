#include "frontend/Diagnostics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gcompile {

namespace {

constexpr const char *reset = "\033[0m";
constexpr const char *bold = "\033[1m";
constexpr const char *green = "\033[32m";

const char *severityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "";
}

const char *severityColour(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "\033[36m";
  case Severity::Warning:
    return "\033[35m";
  case Severity::Error:
    return "\033[31m";
  }
  return "";
}

/// Whether a byte continues a UTF-8 character, so that it takes no column on the screen.
bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

auto key(const Diagnostic &d) { return std::make_tuple(d.range.line == 0, d.range.line, d.range.column); }

} // namespace

Diagnostics::Builder &Diagnostics::Builder::note(const Range &range, std::string text) {
  if (owner)
    owner->reported[position].notes.push_back({range, std::move(text)});
  return *this;
}

Diagnostics::Builder &Diagnostics::Builder::fix(const Range &range, std::string replacement) {
  if (owner)
    owner->reported[position].fixes.push_back({range, std::move(replacement)});
  return *this;
}

Diagnostics::Builder &Diagnostics::Builder::suggest(const std::string &name) {
  if (!owner || name.empty())
    return *this;
  owner->reported[position].suggestion = name;
  return fix(owner->reported[position].range, name);
}

void Diagnostics::setSource(std::string fileName, std::string text) {
  file = std::move(fileName);
  source = std::move(text);
  lineStarts.assign(1, 0);
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] == '\n')
      lineStarts.push_back(i + 1);
}

bool Diagnostics::disableWarning(std::string_view name) {
  for (unsigned i = 0; i < diag::count; ++i)
    if (diag::info(i).severity == Severity::Warning && name == diag::info(i).name) {
      disabled.insert(i);
      return true;
    }
  return false;
}

Diagnostics::Builder Diagnostics::add(unsigned index, const Range &range, std::string message) {
  Severity severity = diag::info(index).severity;
  if (severity == Severity::Warning && disabled.count(index))
    return Builder(nullptr, 0);
  if (severity == Severity::Warning && warningsAsErrors)
    severity = Severity::Error;
  if (!known.emplace(index, range.line, range.column, message).second)
    return Builder(nullptr, 0);
  Diagnostic d;
  d.index = index;
  d.severity = severity;
  d.range = range;
  d.message = std::move(message);
  reported.push_back(std::move(d));
  errors += severity == Severity::Error;
  return Builder(this, reported.size() - 1);
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = reported;
  std::stable_sort(result.begin(), result.end(),
                   [](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  return result;
}

std::string_view Diagnostics::line(unsigned number) const {
  if (number == 0 || number > lineStarts.size())
    return {};
  std::size_t begin = lineStarts[number - 1];
  std::size_t end = number < lineStarts.size() ? lineStarts[number] - 1 : source.size();
  if (end > begin && source[end - 1] == '\r')
    --end;
  return std::string_view(source).substr(begin, end - begin);
}

void Diagnostics::renderSource(std::string &out, const Range &range, const std::vector<Diagnostic::Fix> &fixes,
                               bool colour) const {
  if (range.line == 0 || range.line > lineStarts.size())
    return;
  std::string_view text = line(range.line);
  std::size_t column = std::min<std::size_t>(range.column ? range.column - 1 : 0, text.size());
  std::size_t end = range.endLine > range.line ? text.size() : (range.endColumn ? range.endColumn - 1 : 0);
  end = std::clamp(end, std::min(column + 1, text.size()), text.size());

  // Of a very long line only the part around the place is shown.
  constexpr std::size_t longest = 160, before = 60;
  std::size_t first = 0;
  bool cut = text.size() > longest;
  if (cut) {
    first = column > before ? column - before : 0;
    while (first > 0 && continuation(text[first]))
      --first;
    std::size_t last = std::min(text.size(), first + longest);
    while (last < text.size() && continuation(text[last]))
      ++last;
    text = text.substr(0, last);
    end = std::min(end, last);
  }
  auto pad = [&](std::size_t to) {
    std::string blank = "  ";
    for (std::size_t i = first; i < to; ++i)
      if (!continuation(text[i]))
        blank += text[i] == '\t' ? '\t' : ' ';
    return blank;
  };
  out += "  ";
  for (char c : text.substr(first)) // never a control character on somebody's terminal
    out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? ' ' : c;
  out += '\n';
  out += pad(column);
  if (colour)
    out += std::string(bold) + green;
  out += '^';
  for (std::size_t i = column + 1; i < end; ++i)
    if (!continuation(text[i]))
      out += '~';
  if (colour)
    out += reset;
  out += '\n';
  // Replacements and insertions that belong to this place, each under its column.
  std::vector<const Diagnostic::Fix *> here;
  for (const Diagnostic::Fix &fix : fixes)
    if (fix.range.line == range.line && !fix.replacement.empty() && fix.range.column >= column + 1 &&
        fix.range.column <= std::max(end, column + 1) + 1)
      here.push_back(&fix);
  std::sort(here.begin(), here.end(), [](auto *a, auto *b) { return a->range.column < b->range.column; });
  std::string fixLine;
  for (const Diagnostic::Fix *fix : here) {
    std::string blank = pad(std::min<std::size_t>(fix->range.column - 1, text.size()));
    if (!fixLine.empty() && fixLine.size() >= blank.size())
      fixLine += ' ';
    else
      fixLine += fixLine.empty() ? blank : blank.substr(fixLine.size());
    fixLine += diag::shortened(fix->replacement);
  }
  if (!fixLine.empty())
    out += colour ? green + fixLine + reset + '\n' : fixLine + '\n';
}

std::string Diagnostics::render(bool colour) const {
  std::string out;
  auto head = [&](const Range &range, Severity severity, const char *code, const std::string &message) {
    if (colour)
      out += bold;
    out += range.line ? fmt::format("{}:{}:{}: ", file, range.line, range.column) : file + ": ";
    if (colour)
      out += severityColour(severity);
    out += severityName(severity);
    if (code)
      out += fmt::format("[{}]", code);
    out += ": ";
    if (colour)
      out += std::string(reset) + bold;
    out += message;
    if (colour)
      out += reset;
    out += '\n';
  };
  std::size_t shown = 0;
  for (const Diagnostic &d : sorted()) {
    if (d.severity == Severity::Error && ++shown > maxErrors) {
      out += fmt::format("{}: error: too many errors: {} more are not shown\n", file, errors - maxErrors);
      break;
    }
    std::string message = d.message;
    if (!d.suggestion.empty())
      message += fmt::format("; did you mean '{}'?", diag::shortened(d.suggestion));
    head(d.range, d.severity, diag::info(d.index).code, message);
    renderSource(out, d.range, d.fixes, colour);
    for (const Diagnostic::Note &note : d.notes) {
      head(note.range, Severity::Note, nullptr, note.text);
      bool own = std::none_of(d.fixes.begin(), d.fixes.end(), [&](const Diagnostic::Fix &fix) {
        return fix.range.line == d.range.line && fix.range.column >= d.range.column;
      });
      renderSource(out, note.range, own ? d.fixes : std::vector<Diagnostic::Fix>(), colour);
    }
  }
  return out;
}

std::string Diagnostics::renderJson() const {
  using nlohmann::ordered_json;
  auto place = [](ordered_json &object, const Range &range) {
    object["line"] = range.line;
    object["column"] = range.column;
    object["endLine"] = range.endLine;
    object["endColumn"] = range.endColumn;
  };
  std::string lines;
  for (const Diagnostic &d : sorted()) {
    const diag::Info &info = diag::info(d.index);
    ordered_json object;
    object["file"] = file;
    place(object, d.range);
    object["severity"] = severityName(d.severity);
    object["code"] = info.code;
    object["name"] = info.name;
    object["message"] = d.message;
    if (!d.suggestion.empty())
      object["suggestion"] = d.suggestion;
    object["notes"] = ordered_json::array();
    for (const Diagnostic::Note &note : d.notes) {
      ordered_json entry;
      place(entry, note.range);
      entry["message"] = note.text;
      object["notes"].push_back(std::move(entry));
    }
    object["fixes"] = ordered_json::array();
    for (const Diagnostic::Fix &fix : d.fixes) {
      ordered_json entry;
      place(entry, fix.range);
      entry["replacement"] = fix.replacement;
      object["fixes"].push_back(std::move(entry));
    }
    // Bytes that are not UTF-8 (from a message that quotes the source) become replacement characters.
    lines += object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return lines;
}

} // namespace gcompile
