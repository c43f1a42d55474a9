// The files of a checkpoint: what is read is what was written, or it is refused.
#include "helpers.h"
#include "runtime/src/checkpoint_file.h"

#include <gcompile/core/error.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

struct State {
  double number = 0;
  std::vector<std::uint32_t> list, empty;
  std::vector<char> large;

  void pass(gc::StateStream &stream) {
    stream.value(number);
    stream.list(list);
    stream.list(empty);
    stream.list(large);
  }
  bool operator==(const State &other) const {
    return number == other.number && list == other.list && empty == other.empty && large == other.large;
  }
};

State written() {
  State state;
  state.number = 0.1;
  state.list.resize(1001);
  std::iota(state.list.begin(), state.list.end(), 7U);
  state.large.assign((std::size_t(3) << 20) + 5, 'x'); // longer than a buffer
  return state;
}

gc::detail::PartSummary write(const std::string &path, State state) {
  return gc::detail::write_part(path, [&](gc::StateStream &stream) { state.pass(stream); });
}

/// What reading ends with; "" if the state is the one that was written.
std::string reading(const std::string &path, const gc::detail::PartSummary &summary) {
  State state;
  try {
    gc::detail::read_part(path, summary, [&](gc::StateStream &stream) { state.pass(stream); });
  } catch (const gc::Error &error) {
    return error.what();
  }
  return state == written() ? "" : "another state";
}

TEST(Checkpoints, StatesComeBack) {
  const test::Folder folder;
  const std::string path = folder.path("part");
  const gc::detail::PartSummary summary = write(path, written());
  EXPECT_EQ(summary.bytes, std::filesystem::file_size(path));
  EXPECT_EQ(summary.checksum, gc::detail::checksum_of_file(path));
  EXPECT_EQ(reading(path, summary), "");
}

TEST(Checkpoints, DamagedPartsAreRefused) {
  const test::Folder folder;
  const std::string path = folder.path("part");
  const gc::detail::PartSummary summary = write(path, written());
  const std::string bytes = test::contents(path);
  for (const std::size_t at : {std::size_t(0), std::size_t(8), bytes.size() / 2, bytes.size() - 1}) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_NE(reading(folder.write("damaged", damaged), summary).find("damaged: is damaged"), std::string::npos) << at;
  }
  EXPECT_NE(reading(folder.write("short", bytes.substr(0, bytes.size() - 1)), summary), "");
  EXPECT_NE(reading(folder.write("long", bytes + std::string(1, '\0')), summary), "");
  EXPECT_NE(reading(folder.path("nowhere"), summary).find("nowhere: cannot be read"), std::string::npos);
}

TEST(Checkpoints, ChecksumsGoByBytesAlone) {
  const std::string text = "a text of some words, whose length is no multiple of 8";
  gc::detail::Checksum whole;
  whole.add(text.data(), text.size());
  for (std::size_t step = 1; step < 20; ++step) {
    gc::detail::Checksum pieces;
    for (std::size_t at = 0; at < text.size(); at += step)
      pieces.add(text.data() + at, std::min(step, text.size() - at));
    EXPECT_EQ(pieces.value(), whole.value()) << step;
  }
  gc::detail::Checksum longer = whole;
  longer.add("", 1); // a zero
  EXPECT_NE(longer.value(), whole.value());
}

TEST(Checkpoints, AFailedWriteLeavesWhatWasThere) {
  const test::Folder folder;
  const std::string path = folder.path("part");
  const gc::detail::PartSummary summary = write(path, written());
  EXPECT_THROW(gc::detail::write_part(path,
                                      [](gc::StateStream &stream) {
                                        double number = 2;
                                        stream.value(number);
                                        throw gc::Error(gc::ErrorKind::resource, "full");
                                      }),
               gc::Error);
  EXPECT_EQ(reading(path, summary), "");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);
}

} // namespace
