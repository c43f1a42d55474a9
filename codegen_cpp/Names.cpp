#include "codegen_cpp/Names.h"

#include "ir/exec/ExecDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace gcompile::cpp {

/// Keywords, and the names that generated code itself relies on.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> words = {
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
      "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
      "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
      "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
      "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short",
      "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
      "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using",
      "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // of generated code
      "gc", "std", "V", "graph", "graph_", "frontier", "frontier_", "ranks_", "arcs_", "profile_", "main", "run",
      "outputs", "arguments", "set_arguments", "witness", "visit", "device_outputs"};
  return words.contains(name);
}

/// Whether a header that generated code includes may define the name as a macro: what looks like a constant of a
/// library, AB_... and A_..., the errors (E...) and wait states (W...) of the system, the prefixes of libraries, and
/// few words. No such macro ends in "_v" (test/e2e/test_names.py tries all that the compilers define).
static bool mayBeMacro(StringRef name) {
  static const llvm::StringSet<> words = {"I",
                                          "BUFSIZ",
                                          "CSIGNAL",
                                          "CUDARTAPI",
                                          "FAPPEND",
                                          "FASYNC",
                                          "FFSYNC",
                                          "FNDELAY",
                                          "FNONBLOCK",
                                          "INFINITY",
                                          "MAXFLOAT",
                                          "NAN",
                                          "NFDBITS",
                                          "NULL",
                                          "NZERO",
                                          "alloca",
                                          "assert",
                                          "assert_perror",
                                          "be16toh",
                                          "be32toh",
                                          "be64toh",
                                          "errno",
                                          "htobe16",
                                          "htobe32",
                                          "htobe64",
                                          "htole16",
                                          "htole32",
                                          "htole64",
                                          "isascii",
                                          "issubnormal",
                                          "le16toh",
                                          "le32toh",
                                          "le64toh",
                                          "linux",
                                          "major",
                                          "makedev",
                                          "math_errhandling",
                                          "minor",
                                          "offsetof",
                                          "sched_priority",
                                          "st_atime",
                                          "st_ctime",
                                          "st_mtime",
                                          "stderr",
                                          "stdin",
                                          "stdout",
                                          "strdupa",
                                          "strndupa",
                                          "timeradd",
                                          "timerclear",
                                          "timercmp",
                                          "timerisset",
                                          "timersub",
                                          "toascii",
                                          "unix"};
  auto startsWith = [&](ArrayRef<StringRef> prefixes) {
    return llvm::any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
  };
  bool shouts = llvm::none_of(name, llvm::isLower) && llvm::count_if(name, llvm::isUpper) > 1;
  bool constant =
      name.size() > 1 && llvm::isUpper(name[0]) && (name[1] == '_' || (llvm::isUpper(name[1]) && name.contains('_')));
  return constant || (shouts && startsWith({"E", "W", "SNAN"})) || words.contains(name) || name.ends_with("_l") ||
         startsWith({"cuda", "Cub", "nvtx", "omp_", "pthread_"});
}

bool NameScope::taken(StringRef name) const {
  for (const NameScope *scope = this; scope; scope = scope->outer)
    if (scope->names.contains(name))
      return true;
  return false;
}

std::string NameScope::fresh(StringRef wanted) {
  std::string base = wanted.ltrim('_').str();
  for (std::size_t at; (at = base.find("__")) != std::string::npos;)
    base.erase(at, 1);
  if (base.empty())
    base = "value";
  // A member's name ends in "_": what stands before it is the name.
  bool member = base.size() > 1 && StringRef(base).ends_with("_");
  if (mayBeMacro(member ? StringRef(base).drop_back() : StringRef(base)))
    base = member ? base + "v_" : base + "_v";
  std::string name = base;
  for (unsigned i = 2; isReserved(name) || taken(name); ++i)
    name = base + (StringRef(base).ends_with("_") ? "" : "_") + std::to_string(i);
  names.insert(name);
  return name;
}

/// What the program calls the arguments of the operation's regions; null if it does not say.
static ArrayAttr namesOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, ArrayAttr>(op)
      .Case([](exec::Kernel o) { return o.getNamesAttr(); })
      .Case<exec::ForOp, exec::BatchForOp, exec::BestForOp, exec::PullByArcsOp, graph::ForOp, graph::SetFilterOp,
            graph::ReduceOp, graph::PropagateOp, graph::FuncOp, graph::ReductionOp>(
          [](auto o) { return o.getNamesAttr(); })
      .Default([](Operation *) { return ArrayAttr(); });
}

static std::string givenName(Operation *op, unsigned index) {
  if (ArrayAttr names = namesOf(op))
    if (index < names.size())
      if (auto name = dyn_cast<StringAttr>(names[index]))
        return name.str();
  return "";
}

std::string argumentName(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (isa<exec::PropagateOp>(op)) {
    unsigned region = argument.getOwner()->getParent()->getRegionNumber();
    bool vertex = isa<graph::VertexType>(argument.getType());
    std::string given = givenName(op, !vertex ? 3 : region == 0 ? 0 : 1);
    return !given.empty() ? given : !vertex ? "round" : region == 0 ? "u" : "v";
  }
  if (std::string given = givenName(op, index); !given.empty())
    return given;
  if (isa<graph::EdgeType>(argument.getType()))
    return "e";
  if (isa<graph::SetType>(argument.getType()))
    return "level";
  if (isa<exec::OrderedOp, exec::AsynchronousOp>(op))
    return "u";
  auto domain = llvm::TypeSwitch<Operation *, std::optional<graph::Domain>>(op)
                    .Case([](exec::ParallelOp o) { return o.getDomain(); })
                    .Case([](exec::ReduceOp o) { return o.getDomain(); })
                    .Case([](exec::ForOp o) { return o.getDomain(); })
                    .Case([](graph::ForOp o) { return o.getDomain(); })
                    .Default([](Operation *) { return std::optional<graph::Domain>(); });
  if (domain == graph::Domain::Pairs)
    return index == 0 ? "i" : "j";
  if (domain == graph::Domain::Into)
    return "u";
  if (domain == graph::Domain::EdgesInto)
    return index == 0 ? "v" : "u";
  if (domain == graph::Domain::Edges || domain == graph::Domain::EdgesBoth)
    return index == 0 ? "u" : "v";
  return isa<graph::VertexType>(argument.getType()) ? "v" : "value";
}

std::string suggestName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argumentName(argument);
  return llvm::TypeSwitch<Operation *, std::string>(value.getDefiningOp())
      .Case([](graph::LetOp o) { return o.getName().str(); })
      .Case([](graph::StateOp o) { return o.getName().str(); })
      .Case<exec::SnapshotOp, exec::ByTargetOp>([](auto o) { return o.getName().str(); })
      .Case<exec::FilterOp, exec::BucketSelectOp>([](auto) { return "members"; })
      .Case([](exec::BucketsOp o) { return o.getName().str(); })
      .Case([](exec::BucketMinOp) { return "minimum"; })
      .Case([](exec::KeepIndexOp o) { return o.getName().str(); })
      .Case([](exec::IndexBestOp) { return "best"; })
      .Case([](exec::ReduceOp o) -> std::string { return std::string(graph::traits(o.getKind()).name); })
      .Case([](graph::ReadOp o) -> std::string {
        Operation *state = o.getState().getDefiningOp();
        if (state)
          return suggestName(o.getState()) + (o.getIndices().empty() ? "" : "_value");
        return "value";
      })
      .Case([](exec::OwnerValueOp o) { return suggestName(o.getState()) + "_value"; })
      .Case([](graph::DegreeOp) { return "degree"; })
      .Case([](graph::HashOp) { return "hash"; })
      .Case([](graph::SetSizeOp) { return "size"; })
      .Case([](graph::NeighborsOp) { return "neighbors"; })
      .Case<graph::SetOfOp, graph::AllVerticesOp>([](auto) { return "vertices"; })
      .Case([](graph::SetAlgebraOp) { return "vertices"; })
      .Case<graph::LogicOp, graph::ContainsOp>([](auto) { return "condition"; })
      .Case([](graph::EndpointOp) { return "endpoint"; })
      .Case([](graph::EdgeBetweenOp) { return "edge"; })
      .Case([](graph::ForeignCallOp o) { // the last name, of a class of a template too
        if (o.getCallee() == "operator as")
          return std::string("restated");
        StringRef last = o.getCallee().substr(o.getCallee().rfind(':') + 1);
        return last.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str();
      })
      .Case([](graph::NeighborAtOp) { return "neighbor"; })
      .Case([](exec::ClaimOp) { return "won"; })
      .Case([](exec::ReadTogetherOp) { return "now"; })
      .Case([](exec::TakeOp) { return "taken"; })
      .Case<exec::UpdateOp, exec::UpdateTupleOp>([](auto) { return "changed"; })
      .Case([](exec::PropagateOp) { return "levels"; })
      .Case([](exec::CountTrianglesOp) { return "triangles"; })
      .Case([](exec::SegmentsPayOp) { return "pays"; })
      .Default(std::string("value"));
}

std::string className(StringRef algorithm) {
  std::string name;
  bool upper = true;
  for (auto [i, c] : llvm::enumerate(algorithm)) {
    if (c == '_') {
      upper = true;
      // Between digits it stays: p2_1 is not p21.
      if (!name.empty() && llvm::isDigit(name.back()) && i + 1 < algorithm.size() && llvm::isDigit(algorithm[i + 1]))
        name += c;
      continue;
    }
    name += upper ? llvm::toUpper(c) : c;
    upper = false;
  }
  if (name.empty() || llvm::isDigit(name[0]) || name.size() == 1)
    name = "Algorithm" + name;
  return name;
}

std::string functionSpace(StringRef source) {
  std::string text = llvm::sys::path::stem(source).str() + "_functions";
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return llvm::isDigit(text[0]) ? "program_" + text : text;
}

std::string functionName(StringRef function) {
  std::string name = NameScope().fresh(function);
  // A name that C++ does not allow becomes one that no other function of the file has.
  return name == function ? name : name + "_" + llvm::utohexstr(llvm::xxh3_64bits(function), /*LowerCase=*/true);
}

std::string besideAlgorithm(Operation *user, StringRef function) {
  auto algorithm = user->getParentOfType<graph::AlgorithmOp>();
  return (algorithm ? functionSpace(algorithm.getSource()) + "::" : "") + functionName(function);
}

std::string place(Location location) {
  const graph::Place found = graph::placeOf(location);
  return found.file ? (llvm::sys::path::filename(found.file.getValue()) + ":" + std::to_string(found.line)).str() : "";
}

} // namespace gcompile::cpp
