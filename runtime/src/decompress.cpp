// gzip, zstd and xz files, decompressed in memory.
#include "text.h"

#include <algorithm>
#include <memory>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace gc::detail {

namespace {

constexpr std::size_t step = std::size_t(4) << 20;

/// Room for the next step of decompressed bytes; refuses when memory would run out.
char *next_room(const MemoryBudget &budget, const std::string &path, TextBuffer &out) {
  if (out.size() % (64 * step) < step)
    budget.require(static_cast<double>(out.size()) / 2 + 2 * step, path + ": decompressing the file");
  return out.room(step);
}

void gunzip(std::string_view input, const std::string &path, MemoryBudget &budget, TextBuffer &out) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK)
    throw Error(ErrorKind::resource, "out of memory: cannot start decompression");
  const std::unique_ptr<z_stream, int (*)(z_stream *)> guard(&stream, inflateEnd);
  const char *next = input.data();
  std::size_t left = input.size();
  bool first = true;
  while (left > 0) { // one gzip member after the other
    if (!first && std::all_of(next, next + left, [](char c) { return c == 0; }))
      break; // padding
    while (true) {
      const uInt in = static_cast<uInt>(std::min<std::size_t>(left, std::size_t(1) << 30));
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(next));
      stream.avail_in = in;
      stream.next_out = reinterpret_cast<Bytef *>(next_room(budget, path, out));
      stream.avail_out = static_cast<uInt>(step);
      const int status = inflate(&stream, Z_NO_FLUSH);
      const std::size_t used = in - stream.avail_in, made = step - stream.avail_out;
      next += used;
      left -= used;
      out.filled(made);
      if (status == Z_STREAM_END)
        break;
      if (status == Z_MEM_ERROR)
        throw Error(ErrorKind::resource, "out of memory: cannot decompress " + path);
      if (status != Z_OK && status != Z_BUF_ERROR)
        fail_file(path, first && out.size() == 0 ? "not a gzip file" : "corrupt gzip data");
      if (left == 0 && made < step)
        fail_file(path, "truncated gzip data");
    }
    first = false;
    if (left > 0)
      inflateReset(&stream);
  }
}

void unzstd(std::string_view input, const std::string &path, MemoryBudget &budget, TextBuffer &out) {
  const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream *)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (!stream)
    throw Error(ErrorKind::resource, "out of memory: cannot start decompression");
  ZSTD_inBuffer in{input.data(), input.size(), 0};
  std::size_t hint = 1;
  while (true) {
    ZSTD_outBuffer room{next_room(budget, path, out), step, 0};
    hint = ZSTD_decompressStream(stream.get(), &room, &in);
    out.filled(room.pos);
    if (ZSTD_isError(hint))
      fail_file(path, out.size() == 0 && in.pos == 0 ? "not a zstd file" : "corrupt zstd data");
    if (in.pos == in.size && room.pos < step)
      break;
  }
  if (hint != 0)
    fail_file(path, "truncated zstd data");
}

void unxz(std::string_view input, const std::string &path, MemoryBudget &budget, TextBuffer &out) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    throw Error(ErrorKind::resource, "out of memory: cannot start decompression");
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream *)> guard(&stream, lzma_end);
  stream.next_in = reinterpret_cast<const std::uint8_t *>(input.data());
  stream.avail_in = input.size();
  while (true) {
    stream.next_out = reinterpret_cast<std::uint8_t *>(next_room(budget, path, out));
    stream.avail_out = step;
    const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    out.filled(step - stream.avail_out);
    if (status == LZMA_STREAM_END)
      return;
    if (status == LZMA_FORMAT_ERROR)
      fail_file(path, "not an xz file");
    if (status == LZMA_BUF_ERROR)
      fail_file(path, "truncated xz data");
    if (status == LZMA_MEM_ERROR)
      throw Error(ErrorKind::resource, "out of memory: cannot decompress " + path);
    if (status != LZMA_OK)
      fail_file(path, "corrupt xz data");
  }
}

} // namespace

void decompress(Compression compression, std::string_view compressed, const std::string &path, MemoryBudget &budget,
                TextBuffer &out) {
  switch (compression) {
  case Compression::gzip:
    return gunzip(compressed, path, budget, out);
  case Compression::zstd:
    return unzstd(compressed, path, budget, out);
  case Compression::xz:
    return unxz(compressed, path, budget, out);
  case Compression::none:
    break;
  }
  char *room = out.room(compressed.size());
  std::copy(compressed.begin(), compressed.end(), room);
  out.filled(compressed.size());
}

} // namespace gc::detail
