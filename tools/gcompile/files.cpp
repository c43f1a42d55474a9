#include "tools/gcompile/files.h"
#include "tools/gcompile/failure.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// A program is written by hand: anything larger is some other file.
constexpr std::uintmax_t largestProgram = 16u << 20;

std::string reason(int error) { return std::error_code(error, std::generic_category()).message(); }

void writeAll(std::FILE *file, std::string_view text, const std::string &path) {
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good = std::fflush(file) == 0 && good;
  if (!good)
    failUsage("{}: cannot be written: {}", path, reason(errno));
}

bool holds(const std::string &path, std::string_view text) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) != text.size())
    return false;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer && (*buffer)->getBuffer() == llvm::StringRef(text.data(), text.size());
}

/// A name beside `path` that no other process uses.
std::string besides(const std::string &path) { return fmt::format("{}.tmp{}", path, getpid()); }

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
  if (path == "-")
    return writeAll(stdout, text, "standard output");
  if (holds(path, text))
    return;
  checkWritable(path);
  // A device or a pipe is written to, not replaced.
  std::error_code error;
  bool special = fs::exists(path, error) && !fs::is_regular_file(path, error);
  std::string target = special ? path : besides(path);
  std::FILE *file = std::fopen(target.c_str(), "wb");
  if (!file)
    failUsage("{}: cannot be written: {}", path, reason(errno));
  try {
    writeAll(file, text, path);
  } catch (const Failure &) {
    std::fclose(file);
    if (!special)
      std::remove(target.c_str());
    throw;
  }
  std::fclose(file);
  if (!special && std::rename(target.c_str(), path.c_str()) != 0) {
    int why = errno;
    std::remove(target.c_str());
    failUsage("{}: cannot be written: {}", path, reason(why));
  }
}

void installFile(const std::string &from, const std::string &to) {
  std::error_code error;
  if (fs::is_regular_file(to, error) && holds(to, readFile(from))) {
    fs::permissions(to, fs::status(from).permissions(), error);
    return;
  }
  std::string temporary = besides(to);
  fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, error);
  if (!error)
    fs::rename(temporary, to, error);
  if (error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    failUsage("{}: cannot be written: {}", to, error.message());
  }
}

void checkWritable(const std::string &path) {
  if (path == "-")
    return;
  std::error_code error;
  if (fs::is_directory(path, error))
    failUsage("{}: cannot be written: it is a folder", path);
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty())
    folder = ".";
  if (!fs::is_directory(folder, error))
    failUsage("{}: cannot be written: there is no folder {}", path, folder.string());
  // A regular file is replaced, so what counts is its folder.
  bool special = fs::exists(path, error) && !fs::is_regular_file(path, error);
  if (access(special ? path.c_str() : folder.c_str(), W_OK) != 0)
    failUsage("{}: cannot be written: {}", path, reason(errno));
}

std::string baseName(const std::string &path) { return fs::path(path).filename().string(); }

std::string stem(const std::string &path) { return fs::path(path).stem().string(); }

std::string executableFolder() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    failUsage("cannot find the folder of gcompile: {}", error.message());
  return self.parent_path().string();
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  fs::path base = fs::temp_directory_path(error);
  if (error)
    failUsage("there is no folder for temporary files: {}", error.message());
  std::string pattern = (base / "gcompile-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    failUsage("{}: cannot make a temporary folder: {}", base.string(), reason(errno));
  folder = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!kept)
    fs::remove_all(folder, ignored);
}

} // namespace gcompile
