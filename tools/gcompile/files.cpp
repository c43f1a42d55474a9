#include "tools/gcompile/files.h"
#include "runtime/tool_support/output_file.h"
#include "tools/gcompile/failure.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// A program is written by hand: anything larger is some other file.
constexpr std::uintmax_t largestProgram = 16u << 20;

bool holds(const std::string &path, std::string_view text) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) != text.size())
    return false;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer && (*buffer)->getBuffer() == llvm::StringRef(text.data(), text.size());
}

} // namespace

std::string readFile(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    failUsage("{}: is a folder, not a file", path);
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    failUsage("{}: cannot be read: {}", path, buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

std::string readProgram(const std::string &path) {
  std::error_code error;
  if (std::uintmax_t size = fs::file_size(path, error); !error && size > largestProgram)
    failUsage("{}: has {} bytes, which is too large for a program", path, size);
  std::string text = readFile(path);
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *position = begin;
  if (!llvm::isLegalUTF8String(&position, begin + text.size())) {
    std::size_t line = 1;
    for (const llvm::UTF8 *at = begin; at != position; ++at)
      line += *at == '\n';
    failUsage("{}:{}: is not UTF-8 text", path, line);
  }
  if (std::size_t zero = text.find('\0'); zero != std::string::npos)
    failUsage("{}: is not a text file", path);
  return text;
}

void writeIfChanged(const std::string &path, std::string_view text) {
  if (path != "-" && holds(path, text))
    return;
  gc::detail::OutputFile file(path);
  file.write(text);
  file.commit();
}

void installFile(const std::string &from, const std::string &to, bool executable) {
  std::string bytes = readFile(from);
  if (holds(to, bytes) && (!executable || access(to.c_str(), X_OK) == 0))
    return;
  gc::detail::OutputFile file(to, executable);
  file.write(bytes);
  file.commit();
}

void checkWritable(const std::string &path) { gc::detail::require_writable(path); }

bool sameFile(const std::string &first, const std::string &second) {
  std::error_code error;
  return fs::is_regular_file(first, error) && fs::equivalent(first, second, error);
}

std::string printable(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      c = '?';
  return text;
}

std::string baseName(const std::string &path) { return fs::path(path).filename().string(); }

std::string folderOf(const std::string &path) { return fs::absolute(path).parent_path().lexically_normal().string(); }

std::string stem(const std::string &path) { return fs::path(path).stem().string(); }

std::string executableFolder() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    failUsage("cannot find the folder of gcompile: {}", error.message());
  return self.parent_path().string();
}

namespace {

std::string folderForTemporaries() {
  std::error_code error;
  fs::path base = fs::temp_directory_path(error);
  if (error)
    failUsage("there is no folder for temporary files: {}", error.message());
  return base.string();
}

} // namespace

TemporaryFolder::TemporaryFolder() : TemporaryFolder(folderForTemporaries()) {}

TemporaryFolder::TemporaryFolder(const std::string &base) : folder(gc::detail::Temporary::folder_in(base, base)) {}

void TemporaryFolder::keep() {
  std::string name = fs::path(path()).filename().string();
  folder.rename_to((fs::path(path()).parent_path() / ("gcompile-report-" + name.substr(name.size() - 6))).string());
}

} // namespace gcompile
