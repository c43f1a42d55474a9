// Input that cannot be read: one exact line each.
#include "helpers.h"

#include <cmath>

#include <gtest/gtest.h>

namespace {

using namespace test;
using gc::ColumnType;
using gc::LoadOptions;

const std::string banner = "%%MatrixMarket matrix coordinate ";

TEST(BadInput, Texts) {
  struct Case {
    const char *name;
    std::string text, message;
  };
  const Case cases[] = {
      {"a.mtx", "", "a.mtx: the file is empty"},
      {"a.el.gz", "", "a.el.gz: the file is empty"},
      {"a.el", "1 2\n3 x\n", "a.el:2: expected a vertex id, found 'x'"},
      {"a.el", "1 2\n3\n4 5\n", "a.el:2: expected a vertex id, found the end of the line"},
      {"a.el", "1 2\n3 4x\n", "a.el:2: expected a vertex id, found '4x'"},
      {"a.el", "1 2\n1 99999999999999999999\n", "a.el:2: a vertex id 99999999999999999999 does not fit 64 bits"},
      {"a.el", std::string("1 2\n\0\0\0", 7), "a.el: is not a text file"},
      {"a.csv", "\"a,b\n", "a.csv:1: a quoted field does not end on its line"},
      {"a.csv", "a,b\n\"New\nYork\",c\n", "a.csv:2: a quoted field does not end on its line"},
      {"a.csv", "a,b\n\"c\"d,e\n", "a.csv:2: expected the end of the field after its closing quote, found 'd'"},
      {"a.csv", "a,b\nc\n", "a.csv:2: the second end of the edge is missing: 'c'"},
      {"a.csv", "a,\n", "a.csv:1: the second end of the edge is missing: 'a,'"},
      {"a.csv", "a,b\n,c\n", "a.csv:2: the first end of the edge is missing: ',c'"},
      {"a.csv", "a,b\nc,\"\"\n", "a.csv:2: the second end of the edge is missing: 'c,\"\"'"},
      {"a.csv", "a,b\rc,d\re,f\r",
       "a.csv:1: a carriage return (CR) stands without a line feed (LF); lines end with LF or CR LF"},
      {"a.el", "1 2\n3 4\r5 6\r\n",
       "a.el:2: a carriage return (CR) stands without a line feed (LF); lines end with LF or CR LF"},
      {"a.mtx", "%%MatrixMarket matrix coordinate pattern general\r2 2 1\r1 2\r",
       "a.mtx:1: a carriage return (CR) stands without a line feed (LF); lines end with LF or CR LF"},
      {"a.mtx", "\xEF\xBB\xBF", "a.mtx: the file is empty"},
      {"a.el",
       std::string("\xFF\xFE"
                   "1\0 \0",
                   6),
       "a.el: is a text in UTF-16, not in UTF-8"},
      {"a.konect", "% bip unweighted\n1 2\n",
       "a.konect:1: the graph is bipartite: its two sides have separate vertex ids, which is not supported"},
      {"a.mtx", "1 2\n", "a.mtx:1: expected a Matrix Market banner that starts with '%%MatrixMarket'"},
      {"a.mtx", "%%MatrixMarket matrix array real general\n2 2\n",
       "a.mtx:1: only 'matrix coordinate' files are graphs, not 'matrix array'"},
      {"a.mtx", banner + "complex general\n1 1 0\n",
       "a.mtx:1: values of kind 'complex' are not supported; use pattern, integer or real"},
      {"a.mtx", banner + "real hermitian\n1 1 0\n",
       "a.mtx:1: symmetry 'hermitian' is not supported; use general, symmetric or skew-symmetric"},
      {"a.mtx", banner + "pattern general\n2 3 1\n1 2\n",
       "a.mtx:2: the matrix has 2 rows and 3 columns; a graph needs a square matrix"},
      {"a.mtx", banner + "pattern general\n% c\n", "a.mtx:2: the file ends before the line 'rows columns entries'"},
      {"a.mtx", banner + "pattern general\n3 3 2\n1 2\n1 4\n",
       "a.mtx:4: vertex id 4 is out of range: the file declares 1 to 3"},
      {"a.mtx", banner + "pattern general\n3 3 1\n0 2\n",
       "a.mtx:3: vertex id 0 is out of range: the file declares 1 to 3"},
      {"a.mtx", banner + "pattern general\n3 3 3\n1 2\n2 3\n", "a.mtx:2: the file declares 3 edges, but has 2"},
      {"a.mtx", banner + "real general\n3 3 1\n1 2\n", "a.mtx:3: expected 3 numbers, found 2"},
      {"a.mtx", banner + "pattern general\n3 3 1\n1 2 3\n", "a.mtx:3: expected the end of the line, found '3'"},
      {"a.gr", "c only\n", "a.gr: the file has no edges"},
      {"a.gr", "1 2\n", "a.gr:1: expected a line that starts with 'c', 'p' or 'a', found '1'"},
      {"a.gr", "p flow 2 1\n", "a.gr:1: expected 'p sp', 'p tw', 'p edge' or 'p col', found 'p flow'"},
      {"a.gr", "p sp 2 -1\n", "a.gr:1: expected the number of edges, found '-1'"},
      {"a.gr", "p sp 2 1\n1 2 3\n", "a.gr:2: expected a line that starts with 'a', found '1'"},
      {"a.gr", "p sp 2 1\na 1 2\n", "a.gr:2: expected 3 numbers, found 2"},
      {"a.gr", "p sp 2 1\na 1 3 4\n", "a.gr:2: vertex id 3 is out of range: the file declares 1 to 2"},
      {"a.gr", "p tw 2 2\n1 2\n", "a.gr:1: the file declares 2 edges, but has 1"},
      {"a.graph", "3 1 7\n", "a.graph:1: unknown METIS format '7'; its digits are 0 or 1"},
      {"a.graph", "3 2\n2\n", "a.graph:1: the file declares 3 vertices, but has 1 lines of neighbours"},
      {"a.graph", "3 5\n2\n1 3\n2\n",
       "a.graph:1: the file declares 5 edges, but lists 4 neighbours; expected each edge twice"},
      {"a.graph", "2 1\n2\n1\n2\n", "a.graph:4: the file declares 2 vertices, but has more lines"},
      {"a.graph", "2 1\n3\n1\n", "a.graph:2: vertex id 3 is out of range: the file declares 1 to 2"},
      {"a.graph", "4 2\n2\n3\n4\n1\n",
       "a.graph:1: the neighbours are not symmetric: some edge is not listed equally by both its ends"},
      {"a.graph", "2 1 1\n2\n1 4\n", "a.graph:2: edge 1 2 has no weight"},
      {"a.graph-txt", "x\n", "a.graph-txt:1: expected the number of vertices, found 'x'"},
      {"a.graph-txt", "3\n1\n", "a.graph-txt:1: the file declares 3 vertices, but has 1 lines of successors"},
      {"a.graph-txt", "2\n1\n2\n", "a.graph-txt:3: vertex id 2 is out of range: the file declares 0 to 1"},
      {"a.graph-txt", "2\n1\n0\n1\n", "a.graph-txt:4: the file declares 2 vertices, but has more lines"},
      {"a.adj", "1 2\n2 b\n", "a.adj:2: expected a vertex id, found 'b'"},
      {"a.graph", "0 1\n", "a.graph:1: the file declares 1 edges, but lists 0 neighbours; expected each edge twice"},
      {"a.graph-txt", "0\n1\n", "a.graph-txt:2: the file declares 0 vertices, but has more lines"},
      {"a.xyz", "1 2\n",
       "a.xyz: the name does not tell the format; give --format=NAME with one of el, konect, mtx, gr, metis, webgraph, "
       "adjacency, gml, graphml, ldbc, sg, wsg, gcsr"},
  };
  for (const Case &c : cases) {
    const Folder folder;
    EXPECT_EQ(message(folder, folder.write(c.name, c.text)), c.message) << c.text;
  }
}

TEST(BadInput, Values) {
  struct Case {
    const char *text;
    ColumnType type;
    const char *message;
  };
  const Case cases[] = {
      {"1 2 3\n2 3\n", ColumnType::int32,
       "a.wel:2: edge 2 3 has no weight, which the program reads; add the column or give --weights=LO..HI, as in "
       "--weights=1..255"},
      {"1 2 3\n2 3 3000000000\n", ColumnType::int32, "a.wel:2: weight 3000000000 does not fit an int (overflow)"},
      {"1 2 0.5\n", ColumnType::int32, "a.wel:1: real value 0.5 where the program wants weight to be an int"},
      {"1 2 0.5\n", ColumnType::int64, "a.wel:1: real value 0.5 where the program wants weight to be a long"},
      {"1 2 1e50\n", ColumnType::float32, "a.wel:1: weight 1e50 does not fit a float (overflow)"},
      {"1 2 1e999\n", ColumnType::float64, "a.wel:1: weight 1e999 does not fit a double"},
      {"1 2 nan\n", ColumnType::float64,
       "a.wel:1: weight of edge 1 2 is not a number (nan), which the program does not allow"},
      {"1 2 -inf\n", ColumnType::float64,
       "a.wel:1: weight -inf of edge 1 2 is negative, which the program does not allow"},
      {"1 2 nan\n", ColumnType::int32, "a.wel:1: expected weight, found 'nan'"},
      {"1 2 nano\n", ColumnType::float64, "a.wel:1: expected weight, found 'nano'"},
      {"1 2 3x\n", ColumnType::float64, "a.wel:1: expected weight, found '3x'"},
      {"1 2 3\n2 3 -4\n", ColumnType::int32,
       "a.wel:2: weight -4 of edge 2 3 is negative, which the program does not allow"},
  };
  for (const Case &c : cases) {
    const Folder folder;
    LoadOptions options = weighted(c.type);
    options.nonnegative = {"weight"};
    EXPECT_EQ(message(folder, folder.write("a.wel", c.text), options), c.message) << c.text;
  }
}

TEST(BadInput, FormatsWithoutWeights) {
  const std::string rest =
      " has no weight, which the program reads; add the column or give --weights=LO..HI, as in --weights=1..255";
  const Folder folder;
  const LoadOptions options = weighted(ColumnType::int32);
  EXPECT_EQ(message(folder, folder.write("a.mtx", banner + "pattern general\n2 2 1\n1 2\n"), options),
            "a.mtx:1: the matrix" + rest);
  EXPECT_EQ(message(folder, folder.write("a.gr", "p tw 2 1\n1 2\n"), options), "a.gr:1: the file" + rest);
  EXPECT_EQ(message(folder, folder.write("a.graph", "2 1\n2\n1\n"), options), "a.graph:1: the file" + rest);
  EXPECT_EQ(message(folder, folder.write("a.graph-txt", "2\n1\n0\n"), options), "a.graph-txt:1: the file" + rest);
  EXPECT_EQ(message(folder, folder.write("a.adj", "1 2\n"), options), "a.adj:1: the file" + rest);
  EXPECT_EQ(message(folder, folder.path("a.adj?weights=1..3"), options), "");
}

TEST(BadInput, Ldbc) {
  const Folder folder;
  folder.write("a.v", "1\n2\n3\n");
  EXPECT_EQ(message(folder, folder.write("a.e", "1 2\n2 4\n")), "a.e:2: vertex 4 is not in a.v");
  folder.write("b.v", "1\n2\n1\n");
  EXPECT_EQ(message(folder, folder.write("b.e", "1 2\n")), "b.v:3: vertex 1 is listed twice");
  EXPECT_EQ(message(folder, folder.write("c.e", "1 2\n")), "c.v: no such file");
}

TEST(BadInput, Files) {
  const Folder folder;
  EXPECT_EQ(message(folder, folder.path("no.el")), "no.el: no such file");
  LoadOptions options;
  options.format = "el";
  EXPECT_NE(message(folder, folder.path("."), options).find("is a directory, not a file"), std::string::npos);
  options.format = "mtz";
  EXPECT_EQ(message(folder, folder.write("a.el", "1 2\n"), options), "unknown format 'mtz'; did you mean 'mtx'?");
}

TEST(BadInput, Compression) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += std::to_string(i) + " " + std::to_string(i * 31 % 5000) + "\n";
  EXPECT_EQ(message(folder, folder.write("a.el.gz", gzip(text).substr(0, 5000))), "a.el.gz: truncated gzip data");
  EXPECT_EQ(message(folder, folder.write("a.el.xz", xz(text).substr(0, 2000))), "a.el.xz: truncated xz data");
  EXPECT_EQ(message(folder, folder.write("a.el.zst", zstd(text).substr(0, 2000))), "a.el.zst: truncated zstd data");
  EXPECT_EQ(message(folder, folder.write("a.el.gz", text)), "a.el.gz: not a gzip file");
  EXPECT_EQ(message(folder, folder.write("a.el.xz", text)), "a.el.xz: not an xz file");
  EXPECT_EQ(message(folder, folder.write("a.el.zst", text)), "a.el.zst: not a zstd file");
  std::string bad = gzip(text);
  bad[bad.size() - 6] ^= 1; // the checksum
  EXPECT_EQ(message(folder, folder.write("a.el.gz", bad)), "a.el.gz: corrupt gzip data");
  bad = xz(text);
  bad[bad.size() / 2] ^= 1;
  EXPECT_EQ(message(folder, folder.write("a.el.xz", bad)), "a.el.xz: corrupt xz data");
  EXPECT_EQ(message(folder, folder.write("a.mtx.gz", gzip(""))), "a.mtx.gz: the file is empty");
}

TEST(BadInput, Memory) {
  LoadOptions options;
  options.memory_limit = 1 << 20;
  const Folder folder;
  EXPECT_EQ(message(folder, "kronecker:scale=20,degree=16", options),
            "kronecker:scale=20,degree=16: the graph and the program's data needs about 264.0 MiB of memory, but only "
            "1.0 MiB is available");
  options.bytes_per_pair = 8;
  EXPECT_NE(message(folder, "path:1000000", options).find("of memory, but only 1.0 MiB is available"),
            std::string::npos);
}

TEST(BadInput, Generators) {
  const Folder folder;
  EXPECT_NE(message(folder, "kronacker:scale=4").find("did you mean 'kronecker'?"), std::string::npos);
  EXPECT_EQ(message(folder, "kronecker:scael=4"), "kronecker:scael=4: unknown option 'scael'; did you mean 'scale'?");
  EXPECT_EQ(message(folder, "kronecker:scal=20"), "kronecker:scal=20: unknown option 'scal'; did you mean 'scale'?");
  EXPECT_EQ(message(folder, "grid:3x3,wieghts=1..2"),
            "grid:3x3,wieghts=1..2: unknown option 'wieghts'; did you mean 'weights'?");
  EXPECT_EQ(message(folder, "path:3,xyz=1"), "path:3,xyz=1: unknown option 'xyz'");
  EXPECT_EQ(message(folder, "path:\n\x1b[1m"),
            "path:??[1m: the number of vertices must be an integer from 0 to 1099511627776, not '??[1m'");
  EXPECT_EQ(message(folder, "kronecker:scale=99"),
            "kronecker:scale=99: scale must be an integer from 1 to 40, not '99'");
  EXPECT_EQ(message(folder, "grid:3"), "grid:3: give the size as ROWSxCOLUMNS, as in grid:1500x1500");
  EXPECT_NE(message(folder, "path:-1"), "");
  EXPECT_EQ(message(folder, "path:3", weighted(ColumnType::int32)),
            "path:3: the generated graph has no weight, which the program reads; add weights=LO..HI, as in "
            "weights=1..255");
  EXPECT_NE(message(folder, "path:3,weights=5..1", weighted(ColumnType::int32)), "");
  EXPECT_NE(message(folder, "path:3,weights=0.5..1", weighted(ColumnType::int32)), "");
}

} // namespace
