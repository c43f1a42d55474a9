// The files of a checkpoint, which are whole or not there.
#ifndef GCOMPILE_SRC_CHECKPOINT_FILE_H
#define GCOMPILE_SRC_CHECKPOINT_FILE_H

#include <gcompile/program/kept_rounds.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gc::detail {

/// A sum that tells a file from a damaged or another one, however its bytes come in pieces.
class Checksum {
public:
  void add(const void *bytes, std::size_t count);
  std::uint64_t value() const;

private:
  std::uint64_t sum_ = 0, size_ = 0, pending_ = 0; ///< pending: the bytes behind the last whole word
};

/// A number as it is shown where it says nothing but whether two are the same.
std::string hexadecimal(std::uint64_t number);

/// The checksum of a file. Throws Error (input) naming it if it cannot be read.
std::uint64_t checksum_of_file(const std::string &path);

/// What a file holds.
struct PartSummary {
  std::uint64_t bytes = 0, checksum = 0;
};

/// Throws Error (resource) naming the folder if no file can be made in it.
void require_writable_folder(const std::string &folder);

/// Writes a file beside, sees to it that it reaches the disk, and renames it. Throws Error (resource) naming it if that
/// fails; what was there before stays then.
PartSummary write_part(const std::string &path, const RoundKeeper::Pass &pass);
void write_durably(const std::string &path, std::string_view text);

/// Reads a file that write_part wrote. Throws Error (input) naming it if it is not the same any more.
void read_part(const std::string &path, const PartSummary &summary, const RoundKeeper::Pass &pass);

} // namespace gc::detail

#endif
