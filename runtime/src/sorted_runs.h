// Sorting of more records than fit into memory: runs in a temporary file, which are merged.
#ifndef GCOMPILE_SRC_SORTED_RUNS_H
#define GCOMPILE_SRC_SORTED_RUNS_H

#include "runtime/tool_support/temporary.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace gc::detail {

/// A temporary file beside `path`, which is written from its beginning to its end and then read anywhere.
class SpoolFile {
public:
  explicit SpoolFile(const std::string &path);

  void append(const void *data, std::uint64_t bytes);
  /// Writes what append still holds.
  void flush();
  /// Reads bytes that have been written. Throws Error if the disk fails.
  void read(std::uint64_t at, void *data, std::uint64_t bytes) const;
  std::uint64_t size() const { return size_; }

private:
  void write(const void *data, std::uint64_t bytes);

  std::string path_;
  Temporary file_;
  std::vector<char> buffer_;
  std::uint64_t size_ = 0;
};

/// Records of `words` numbers, in the order of these numbers.
template <std::size_t words> class SortedRuns {
public:
  using Record = std::array<std::uint64_t, words>;

  /// Sorts in `memory` bytes, beside some for each run.
  SortedRuns(const std::string &path, std::uint64_t memory) : path_(path), memory_(memory), file_(path) {}

  /// What one thread adds; `threads` of them share the memory.
  class Writer {
  public:
    Writer(SortedRuns &runs, int threads) : runs_(runs) {
      most_ = std::max<std::size_t>(runs.memory_ / sizeof(Record) / static_cast<std::size_t>(threads), 1024);
    }
    void add(const Record &record) {
      if (records_.empty())
        records_.reserve(most_);
      records_.push_back(record);
      if (records_.size() == most_)
        flush();
    }
    void flush() {
      std::sort(records_.begin(), records_.end());
      runs_.append(records_);
      records_.clear();
    }

  private:
    SortedRuns &runs_;
    std::size_t most_;
    std::vector<Record> records_;
  };

  /// Calls f with all records, in their order.
  template <class F> void merge(const F &f) {
    file_.flush();
    if (runs_.empty())
      return;
    const std::size_t room = std::max<std::size_t>(memory_ / runs_.size() / sizeof(Record), 64);
    std::vector<Cursor> cursors;
    for (const Run &run : runs_)
      cursors.push_back({run.begin, run.size, {}, 0});
    std::vector<std::uint32_t> heap; // of cursors, the least record first
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return cursors[b].front() < cursors[a].front(); };
    for (std::uint32_t i = 0; i < cursors.size(); ++i)
      if (cursors[i].fill(file_, room))
        heap.push_back(i);
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Cursor &cursor = cursors[heap.back()];
      bool more = true; // of this run, and before the others: often
      do {
        f(cursor.front());
        more = cursor.advance(file_, room);
      } while (more && (heap.size() == 1 || !(cursors[heap.front()].front() < cursor.front())));
      if (more)
        std::push_heap(heap.begin(), heap.end(), later);
      else
        heap.pop_back();
    }
  }

private:
  struct Run {
    std::uint64_t begin, size; ///< a byte of the file, and records
  };
  struct Cursor {
    std::uint64_t at, left;
    std::vector<Record> records;
    std::size_t next;

    const Record &front() const { return records[next]; }
    bool fill(const SpoolFile &file, std::size_t room) {
      records.resize(static_cast<std::size_t>(std::min<std::uint64_t>(room, left)));
      file.read(at, records.data(), records.size() * sizeof(Record));
      at += records.size() * sizeof(Record);
      left -= records.size();
      next = 0;
      if (records.empty())
        std::vector<Record>().swap(records);
      return !records.empty();
    }
    bool advance(const SpoolFile &file, std::size_t room) { return ++next < records.size() || fill(file, room); }
  };

  void append(const std::vector<Record> &records) {
    if (records.empty())
      return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if ((runs_.size() + 1) * 64 * sizeof(Record) > memory_)
      throw Error(ErrorKind::resource, path_ + ": so many edges cannot be sorted in so little memory; give more");
    runs_.push_back({file_.size(), records.size()});
    file_.append(records.data(), records.size() * sizeof(Record));
  }

  std::string path_;
  std::uint64_t memory_;
  SpoolFile file_;
  std::vector<Run> runs_;
  std::mutex mutex_;
};

} // namespace gc::detail

#endif
