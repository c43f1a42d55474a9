#include "group_steps.h"

#include <algorithm>
#include <limits>

namespace gc::detail {

std::vector<std::int64_t> stretches(ProcessGroup &group, const std::vector<std::int64_t> &samples) {
  std::vector<std::uint64_t> all = group.all({samples.begin(), samples.end()});
  std::sort(all.begin(), all.end(), [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  });
  const std::size_t parts = static_cast<std::size_t>(group.size());
  std::vector<std::int64_t> begins(parts, std::numeric_limits<std::int64_t>::min());
  for (std::size_t r = 1; r < parts && !all.empty(); ++r)
    begins[r] = static_cast<std::int64_t>(all[all.size() * r / parts]);
  return begins;
}

int stretch_of(const std::vector<std::int64_t> &begins, std::int64_t value) {
  return static_cast<int>(std::upper_bound(begins.begin(), begins.end(), value) - begins.begin()) - 1;
}

std::vector<std::int64_t> united(ProcessGroup &group, const std::vector<std::int64_t> &own) {
  constexpr std::size_t wanted = 256; // samples of each process
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < own.size(); i += own.size() / wanted + 1)
    samples.push_back(own[i]);
  const std::vector<std::int64_t> begins = stretches(group, samples);
  Deal deal(group);
  auto first = own.begin();
  for (int r = 0; r < group.size(); ++r) {
    const auto end =
        r + 1 < group.size() ? std::lower_bound(first, own.end(), begins[static_cast<std::size_t>(r) + 1]) : own.end();
    deal.put(r, own.data() + (first - own.begin()), static_cast<std::size_t>(end - first));
    first = end;
  }
  std::vector<std::uint64_t> stretch;
  for (const Bytes &bytes : deal.exchange())
    for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;)
      stretch.push_back(take_value<std::uint64_t>(at));
  const auto less = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  };
  std::sort(stretch.begin(), stretch.end(), less);
  stretch.erase(std::unique(stretch.begin(), stretch.end()), stretch.end());
  const std::vector<std::uint64_t> all = group.all(stretch);
  return {all.begin(), all.end()};
}

std::string told(ProcessGroup &group, const std::string &text) {
  std::vector<std::uint64_t> own;
  if (group.speaks()) {
    own.assign(1 + (text.size() + 7) / 8, 0);
    own[0] = text.size();
    std::memcpy(own.data() + 1, text.data(), text.size());
  }
  const std::vector<std::uint64_t> words = group.all(own);
  return {reinterpret_cast<const char *>(words.data() + 1), words[0]};
}

void agree_on_error(ProcessGroup &group, const std::string &own) {
  // Each process says how long its text is, and then has it in words of 8 bytes.
  std::vector<std::uint64_t> words(own.size() / 8 + (own.empty() ? 0 : 1), 0);
  if (!own.empty())
    std::memcpy(words.data(), own.data(), own.size());
  const std::vector<std::uint64_t> lengths = group.all({own.size()}), all = group.all(words);
  for (const std::uint64_t length : lengths)
    if (length > 0) {
      std::string text(length, ' ');
      std::memcpy(&text[0], all.data(), length);
      throw Error(ErrorKind::input, text);
    }
}

} // namespace gc::detail
