// Edges on their way from an input to the CSR arrays.
#ifndef GCOMPILE_SRC_EDGES_H
#define GCOMPILE_SRC_EDGES_H

#include "memory.h"
#include "progress.h"
#include "text.h"

#include <gcompile/program/load.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gc::detail {

/// Some edges: source, target, source, target, ...; and the values of all columns, edge by edge (see scan_value).
struct EdgeChunk {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint64_t> values;

  std::size_t size() const { return ends.size() / 2; }
};

/// A read-only stretch of edges in the layout of EdgeChunk.
struct EdgeView {
  const std::uint64_t *ends = nullptr;
  const std::uint64_t *values = nullptr;
  std::size_t size = 0;
};

/// Where the CSR builder takes edges from; every chunk is read twice, from any thread, and must be the same both times.
class EdgeSource {
public:
  virtual ~EdgeSource() = default;
  virtual std::size_t chunks() const = 0;
  /// The edges of a chunk, perhaps stored in `scratch`.
  virtual EdgeView chunk(std::size_t i, EdgeChunk &scratch) const = 0;
  /// The edges of a chunk, which will not be read again; any thread may take one. As it is here: for sources that make
  /// chunks without values in `scratch`.
  virtual EdgeChunk take(std::size_t i) {
    EdgeChunk edges;
    const EdgeView view = chunk(i, edges);
    edges.ends.resize(2 * view.size);
    return edges;
  }
  /// Frees the edges: they will not be read again.
  virtual void release() {}
};

/// A graph as a reader returns it.
struct RawGraph {
  std::vector<EdgeChunk> chunks;   ///< with ids 0..n-1; of a text in ranges, those of this process
  VertexIds ids;                   ///< of the n vertices
  bool directed = true;            ///< what the file says; an undirected edge is listed once
  std::vector<ColumnInfo> columns; ///< columns in the chunks
  bool in_ranges = false;          ///< a text of which each of ReadContext::readers reads a range

  std::uint64_t num_entries() const {
    std::uint64_t entries = 0;
    for (const EdgeChunk &chunk : chunks)
      entries += chunk.size();
    return entries;
  }
};

class ChunkSource final : public EdgeSource {
public:
  explicit ChunkSource(std::vector<EdgeChunk> chunks) : chunks_(std::move(chunks)) {}
  std::size_t chunks() const override { return chunks_.size(); }
  EdgeView chunk(std::size_t i, EdgeChunk &) const override {
    return {chunks_[i].ends.data(), chunks_[i].values.data(), chunks_[i].size()};
  }
  EdgeChunk take(std::size_t i) override { return std::move(chunks_[i]); }
  void release() override { std::vector<EdgeChunk>().swap(chunks_); }

private:
  std::vector<EdgeChunk> chunks_;
};

/// What readers need to know besides the file.
struct ReadContext {
  const LoadOptions &options;
  std::vector<ColumnInfo> columns; ///< to be read from the file
  std::uint32_t nonnegative = 0;   ///< the columns whose values must not be negative, a bit each
  MemoryBudget &budget;
  Progress &progress;
  ProcessGroup *readers = nullptr; ///< each of these processes calls the reader, which may give it the edges of one
                                   ///< range of the lines; null: the reader gives all edges

  bool must_not_be_negative(std::size_t column) const { return (nonnegative >> column & 1) != 0; }
};

/// How the edge lines of a text format look: two ids, then values.
struct LineSyntax {
  bool comments = false;   ///< lines that start with #, % or // are skipped
  char comment_letter = 0; ///< and those that start with this letter
  char prefix = 0;         ///< the letter that starts every edge line, or 0
  bool bounded = false;    ///< ids are first_id..last_id; they are stored relative to first_id
  std::int64_t first_id = 0;
  std::int64_t last_id = 0;
  int exact_values = -1;   ///< number of values on each line, or -1: any
  std::vector<int> fields; ///< for each column, which value it is (0: the first after the ids)
};

/// Parses the lines between two places in the file, in parallel, in the order of the file. Throws Error naming the
/// first bad line.
std::vector<EdgeChunk> parse_edge_lines(const InputFile &file, const char *from, const char *end,
                                        const LineSyntax &syntax, const ReadContext &context);

/// The same edges, parsed anew each time that they are read, with ids from 0; their pages leave memory when they have
/// been read. Nothing is kept of them but `ids` and the number of `entries`. `narrow`: see narrow_columns, which is
/// done to `context.columns`. Throws Error naming the first bad line. Refers to the file, which must be mapped, and to
/// the context.
std::unique_ptr<EdgeSource> edges_of_lines(const InputFile &file, const char *from, const LineSyntax &syntax,
                                           ReadContext &context, bool narrow, VertexIds &ids, double &entries);

/// Some lines of a text.
struct LineRange {
  const char *begin, *end;
};
/// Of the lines from a place in the file on those that this process reads: all, or a range of about as many bytes as
/// the other readers have. A line belongs to the range in which it begins.
LineRange own_lines(const InputFile &file, const char *from, const ReadContext &context);

/// The bounds of pieces of about equal size that end at line ends; pieces + 1 pointers.
std::vector<const char *> split_lines(const char *begin, const char *end, std::size_t piece_bytes);

/// Throws ParseError if value `k`-th column forbids it.
void check_nonnegative(std::uint64_t bits, const ReadContext &context, std::size_t column, const char *at,
                       const std::string &edge);

/// The message for an edge without a column that the program reads.
std::string missing_column(const ColumnInfo &column, const std::string &edge);

/// Replaces the arbitrary integer ids in the chunks (bits of std::int64_t) by 0..n-1, keeping their order. Only ids
/// that occur become vertices, those in the chunks of any reader.
VertexIds compact_ids(std::vector<EdgeChunk> &chunks, const ReadContext &context);

/// Where a reader took the file's columns as double (see all_columns): makes int or long of those whose values are all
/// whole.
void narrow_columns(RawGraph &graph);
/// Whether an int or long can hold a value.
bool is_whole(double value);

/// A text with a line for each edge and whole numbers as ids, as its first lines describe it.
struct EdgeText {
  const char *lines = nullptr; ///< where those of edges begin
  LineSyntax syntax;
  std::vector<ColumnInfo> columns; ///< that are read
  bool directed = true;
  const char *header = nullptr; ///< the line that declares so many vertices and lines of edges; null: there is none
  std::uint64_t n = 0, declared = 0; ///< with `header`
  /// Adds the edges that lines stand for besides; may throw Error. Null: there are none.
  void (*complete)(const InputFile &file, std::vector<EdgeChunk> &chunks, const ReadContext &context) = nullptr;
};

/// The graph, read by one process or by several. Throws Error naming the first bad line.
RawGraph read_edge_text(const InputFile &file, const EdgeText &text, const ReadContext &context);

/// Refuses a text that will not fit when one process has parsed all of it, judged by its size and its first lines.
/// `edge_end`: what stands behind an edge.
void require_whole_text(const InputFile &file, char edge_end, const ReadContext &context);

// One reader per format.
RawGraph read_edge_list(const InputFile &file, const ReadContext &context);
RawGraph read_konect(const InputFile &file, const ReadContext &context);
RawGraph read_matrix_market(const InputFile &file, const ReadContext &context);
RawGraph read_dimacs(const InputFile &file, const ReadContext &context);
RawGraph read_metis(const InputFile &file, const ReadContext &context);
RawGraph read_webgraph(const InputFile &file, const ReadContext &context);
RawGraph read_adjacency(const InputFile &file, const ReadContext &context);
RawGraph read_gml(const InputFile &file, const ReadContext &context);
RawGraph read_graphml(const InputFile &file, const ReadContext &context);
RawGraph read_ldbc(const InputFile &vertices, const InputFile &edges, const ReadContext &context);

} // namespace gc::detail

#endif
