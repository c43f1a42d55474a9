// Bytes that are collected to be sent.
#ifndef GCOMPILE_CORE_BYTES_H
#define GCOMPILE_CORE_BYTES_H

#include <gcompile/core/property.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace gc {

/// The bytes of a message. They keep their memory when they are cleared, and what is added is not initialised.
class Bytes {
public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  char *data() { return room_.data(); }
  const char *data() const { return room_.data(); }
  void clear() { size_ = 0; }
  /// Where so many more begin, behind those that there are.
  char *add(std::size_t count) {
    if (room_.size() - size_ < count)
      grow(count);
    char *const at = room_.data() + size_;
    size_ += count;
    return at;
  }

private:
  void grow(std::size_t count) {
    Array<char> larger(std::max(2 * room_.size(), size_ + count));
    std::copy_n(room_.data(), size_, larger.data());
    room_ = std::move(larger);
  }

  Array<char> room_;
  std::size_t size_ = 0;
};

/// The value at a place in bytes, which moves behind it.
template <class T> T take_value(const char *&at) {
  T value;
  std::memcpy(static_cast<void *>(&value), at, sizeof value);
  at += sizeof value;
  return value;
}

} // namespace gc

#endif
