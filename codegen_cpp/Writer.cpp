#include "codegen_cpp/Writer.h"

#include <cassert>

namespace gcompile::cpp {

void Writer::Block::next(const std::string &between) {
  --writer->depth;
  writer->line("}" + between + " {");
  ++writer->depth;
}

void Writer::Block::close(const std::string &tail) {
  if (!writer)
    return;
  --writer->depth;
  writer->line("}" + tail);
  writer = nullptr;
}

void Writer::line(const std::string &text) {
  assert(text.find('\n') == std::string::npos && "several lines, whose blocks nobody knows");
  lines.push_back({depth, text});
}

Writer::Block Writer::block(const std::string &head, std::string tail) {
  line(head.empty() ? "{" : head + " {");
  ++depth;
  return {*this, std::move(tail)};
}

void Writer::add(const Writer &other) {
  for (const Line &each : other.lines)
    lines.push_back({depth + each.depth, each.text});
}

std::string Writer::text() const {
  std::string whole;
  for (const Line &each : lines)
    whole += (each.text.empty() ? "" : std::string(2 * each.depth, ' ') + each.text) + "\n";
  return whole;
}

} // namespace gcompile::cpp
