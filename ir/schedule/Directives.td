// Every directive that a schedule may hold, one record each. The front end checks programs against these records
// (frontend/SemaSchedule.cpp), passes read what a program says through classes generated from them (Schedule.h), and
// docs/reference/directives.md is printed from them. generate.py turns the records into C++ and into that page.
//
// docs/contributing/add-a-directive.md says how to add one.

// A section of a schedule: `cpu { ... }`. Each target has one; `layout` is for all of them.
class Section<string sectionName, string heldThings, string sentence> {
  string name = sectionName;
  string holds = heldThings; // "this version has no ... 'sideways'"
  string means = sentence;
}
def Cpu : Section<"cpu", "schedule", "programs for CPUs">;
def Cuda : Section<"cuda", "schedule", "programs for NVIDIA GPUs">;
def Hybrid : Section<"hybrid", "schedule", "programs for a CPU and a GPU">;
def Layout : Section<"layout", "layout", "how the graph lies in memory, for every target">;

// What a directive speaks of. Resolve.cpp finds the statements.
class Subject<string pageWords, string errorWords> {
  string means = pageWords;
  string missing = errorWords; // "'bfs' has no ..."
}
def EdgeStatement : Subject<"an edge statement", "edge statement">;
// Without a label: the `propagate`s alone, where there are any.
def Propagate : Subject<"a `propagate`", "edge statement">;
// Without a label: the statements with rounds or turns alone, where there are any.
def Rounds : Subject<"a `propagate`, `repeat` or `while`", "edge statement or loop">;
def GatheringLoop : Subject<"a loop over vertices that computes over their edges",
                            "loop that computes over the edges into a vertex">;
def ClosingLoop : Subject<"a sequential loop over vertices that updates all pairs", "sequential loop over all pairs">;
def Algorithm : Subject<"the whole algorithm", "">;
def Stage : Subject<"the whole algorithm, or the statement that a label names", "statement">;

// What an option takes. TableGen has no real numbers: bounds and defaults are written as text.
class Number<string cppType, string numberWords, string from, string to, bit power = 0> {
  string type = cppType;
  string words = numberWords;
  string least = from;
  string greatest = to;
  bit powerOfTwo = power;
}
class Real<string words, string from> : Number<"double", words, from, "1e18">;
class Whole<string words, string from, string to, bit power = 0> : Number<"std::int64_t", words, from, to, power>;
def Positive : Real<"a positive number", "std::numeric_limits<double>::min()">;
def NotNegative : Real<"zero or a positive number", "0">;
def PositiveWhole : Whole<"a positive whole number", "1", "1e18">;
def AnyCount : Whole<"a whole number from 0 on", "0", "1e18">;
def Share : Number<"double", "a number above 0, up to 1", "std::numeric_limits<double>::min()", "1">;
class WholeFrom<int from, int to> : Whole<"a whole number from " # from # " to " # to, "" # from, "" # to>;
class PowerOfTwo<int to> : Whole<"a power of two up to " # to, "1", "" # to, 1>;

// `alpha = 15`. Without a default (""), the compiler chooses.
class Option<string optionName, Number taken, string fallbackText, string sentence, list<Section> absentSections = [],
             string absentWords = ""> {
  string name = optionName;
  Number number = taken;
  string fallback = fallbackText;
  string means = sentence;
  list<Section> absent = absentSections; // where it is known but cannot run yet (E0506), which is told in these words
  string absentAs = absentWords;
}

// A keyword after the directive.
class Value<string valueName, string sentence, list<Option> valueOptions = []> {
  string name = valueName;
  string means = sentence;
  list<Option> options = valueOptions;
  list<Section> sections = []; // empty: those of the directive
  Subject subject = ?;         // unset: that of the directive
  list<Section> absent = [];
  string absentAs = "";
}
// The one value of a directive that stands alone. It has no name.
class Alone<list<Option> options = []> : Value<"", "", options>;
// A value that speaks of another subject, or that cannot run yet in some sections (E0506).
class ValueOf<Subject of, string name, string sentence, list<Option> options = []> : Value<name, sentence, options> {
  let subject = of;
}
class ValueWithout<list<Section> where, string words, string name, string sentence, list<Option> options = []>
    : Value<name, sentence, options> {
  let absent = where;
  let absentAs = words;
}

class Directive<string directiveName, string sentence> {
  string name = directiveName;
  string means = sentence;
  list<Section> sections = ?;
  Subject subject = ?;
  bit by = 0;                      // it is followed by the word `by`
  list<Value> values = ?;
  list<list<string>> together = []; // the values that may be joined by `+`, in any order
  // Directives with the same decision exclude each other. Where there are several, an error says that a statement
  // cannot WOULD, since it IS.
  string decision = directiveName;
  string would = "";
  string is = "";
  list<Section> absent = []; // where it is known but cannot run yet (E0506), which is told in these words
  string absentAs = "";
}

// ---- which way, and in which order

defvar hybridOptions = [
  Option<"alpha", Positive, "", "pull once the frontier has more than 1/alpha of the edges that are left">,
  Option<"beta", Positive, "", "push again once the frontier has fewer than 1/beta of the vertices">];
defvar growthOptions = [
  Option<"alpha", Positive, "64", "pull once a growing frontier looks at more than 1/alpha of what is left">,
  Option<"beta", Positive, "2", "push once a shrinking frontier is smaller than 1/beta of what is left">];

def Direction : Directive<"direction", "From which end a statement goes along its edges."> {
  let sections = [Cpu, Cuda];
  let subject = Propagate;
  let values = [
    ValueOf<EdgeStatement, "push", "Along the edges out of the active vertices; with `into`, along those into them.">,
    ValueOf<EdgeStatement, "pull", "Every vertex looks at the edges into it; with `into`, at those out of it.">,
    Value<"hybrid", "Each round pushes or pulls, by the size of the frontier.", hybridOptions>,
    Value<"growth", "Each round pushes or pulls, by the growth of the frontier.", growthOptions>];
}

def Ordered : Directive<"ordered", "How a `propagate ... ordered by` follows its order."> {
  let sections = [Cpu, Cuda];
  let subject = Propagate;
  let values = [
    Value<"buckets", "In buckets of equally urgent values (delta-stepping).", [
      Option<"delta", PositiveWhole, "", "values less than delta apart are equally urgent">,
      Option<"fusion", AnyCount, "",
             "a thread goes on with up to this many vertices that it adds to the present bucket",
             [Cuda], "the fusion of buckets">]>,
    ValueWithout<[Cuda], "an asynchronous schedule",
                 "obim", "Without rounds, the most urgent values first where possible (OBIM).", [
      Option<"chunk", WholeFrom<8, 64>, "16", "how many vertices one thread hands to another at a time">,
      Option<"shift", WholeFrom<0, 60>, "",
             "values that differ in no more than this many last bits are equally urgent">]>];
  let decision = "order";
  let would = "have an order of its own";
  let is = "its order is chosen";
}

def Asynchronous : Directive<"asynchronous",
    "Without rounds: threads take active vertices from one bag as they come free. "
    "With `ordered by`, the most urgent values first where possible."> {
  let sections = [Cpu];
  let subject = Propagate;
  let values = [Alone<[
    Option<"chunk", WholeFrom<8, 64>, "", "how many vertices one thread hands to another at a time">,
    Option<"tolerance", Positive, "", "by how much sums that are handed on may differ from those after rounds">,
    Option<"levels", WholeFrom<1, 64>, "",
           "vertices that have the most to hand on for each edge first, by so many levels for each doubling">]>];
  let decision = "order";
  let would = "run asynchronously";
  let is = "it is asynchronous";
  let absent = [Cuda];
  let absentAs = "an asynchronous schedule";
}

// ---- the frontier and the edges of its vertices

def Frontier : Directive<"frontier", "The form of the frontier in rounds that push."> {
  let sections = [Cpu];
  let subject = Propagate;
  let values = [
    Value<"serial", "One thread, from a queue of vertices.">,
    Value<"queue", "All threads, from a queue of vertices.", [
      Option<"T1", NotNegative, "",
             "one thread works alone up to this many vertices; else up to 511, or fewer where vertices take long">,
      Option<"flush", WholeFrom<1, 4096>, "4096",
             "a thread collects so many vertices before it adds them to the next queue, 16 KiB at most">]>,
    Value<"read", "Each vertex has a mark, and every round reads all marks in order.">,
    Value<"hybrid", "One of these in each round, by the size of the frontier and its growth.", [
      Option<"T1", NotNegative, "64", "`serial` up to this many vertices">,
      Option<"T2", Positive, "0.01", "`read` above this many vertices; a number below 1 is a part of all vertices">,
      Option<"T3", Positive, "2048", "`read` also above this many vertices while the frontier grows">,
      Option<"alpha", Positive, "2",
             "the frontier grows if it has more than alpha times the vertices of the round before">,
      Option<"beta", Positive, "2", "growth ends below beta times the vertices of the round before">,
      Option<"least", Positive, "",
             "T2, where it is a part of all vertices, is at least so many; else at least 2^18 or a sixteenth of all">]>];
}

def Gather : Directive<"gather",
    "How the edges of active vertices are dealt out to the threads of a GPU, in rounds that push."> {
  let sections = [Cuda];
  let subject = Propagate;
  let values = [
    Value<"serial", "One thread has all edges of a vertex.">,
    Value<"warp", "A warp shares the edges of a vertex.">,
    Value<"cta", "A block of threads shares the edges of a vertex.">,
    Value<"scan", "All threads share all edges evenly.">,
    Value<"block_scan", "The threads of a block share the edges of as many vertices evenly.">];
  let together = [["scan", "warp", "cta"], ["block_scan", "warp", "cta"]];
}

def Phases : Directive<"phases",
    "How a round that pushes on a GPU goes through its two phases: it expands vertices to the edges out of them, and "
    "contracts these edges to the vertices that they activate."> {
  let sections = [Cuda];
  let subject = Propagate;
  let values = [
    Value<"expand_contract", "Both at once: the frontier goes through memory as vertices.">,
    Value<"contract_expand", "The frontier goes through memory as edges.">,
    Value<"two_phase", "First one, then the other: the frontier goes through memory as vertices and as edges.">,
    Value<"hybrid", "`contract_expand` for small frontiers, `two_phase` for large ones.", [
      Option<"edges", AnyCount, "1048576", "small: up to this many edges">]>];
}

def Status : Directive<"status", "What a push asks of a vertex that it may claim."> {
  let sections = [Cpu, Cuda];
  let subject = Propagate;
  let values = [
    Value<"exact", "The value that it would claim.">,
    Value<"bitmap", "A bitmap of the vertices that are claimed; on a GPU then the value.">];
}

def Cull : Directive<"cull",
    "A push claims without atomic operations, and keeps copies of vertices out of the next frontier."> {
  let sections = [Cuda];
  let subject = Propagate;
  // Sizes that shared memory has room for beside what else a kernel of rounds keeps there, in vertex ids of 64 bits.
  let values = [
    Value<"warp", "Each warp has a table of what it adds.", [
      Option<"size", PowerOfTwo<128>, "128", "how many vertices the table holds">]>,
    Value<"history", "Each block remembers what it has added.", [
      Option<"size", PowerOfTwo<2048>, "1024", "how many vertices the history holds">]>];
  let together = [["warp", "history"]];
}

// ---- loops

def Loop : Directive<"loop", "What starts the rounds of a `propagate`, or the turns of a loop, on a GPU."> {
  let sections = [Cuda];
  let subject = Rounds;
  let values = [
    Value<"device", "One kernel runs all of them.">,
    Value<"host", "The host starts each of them.">];
}

def Segments : Directive<"segments",
    "Whether a loop takes the edges into its vertices in segments whose sources fit into the cache."> {
  let sections = [Cpu, Cuda];
  let subject = GatheringLoop;
  let values = [
    Value<"sources", "In segments: each has the edges from as many sources as fit, a power of two.", [
      Option<"KiB", Whole<"a positive whole number", "1", "1073741824">, "1024",
             "what is read of the sources of one segment takes up to this many KiB">]>,
    Value<"none", "The loop never takes them in segments.">];
}

def Closure : Directive<"closure", "How a loop runs that updates every pair `[i, j]` by `[i, k]` and `[k, j]`."> {
  let sections = [Cpu, Cuda];
  let subject = ClosingLoop;
  let values = [
    Value<"blocked", "Many steps k at a time, for a block of pairs that stays in the cache.", [
      Option<"tile", WholeFrom<1, 4096>, "", "a block has this many steps, rounded up to whole tiles of registers",
             [Cuda], "a closure in blocks of another size">]>,
    Value<"plain", "One step k after the other, for all pairs.">];
}

// ---- the CPU and the GPU of one machine

def On : Directive<"on", "Where a program runs that has a form for the CPU and one for the GPU."> {
  let sections = [Hybrid];
  let subject = Propagate;
  let values = [
    ValueOf<Stage, "cpu", "On the CPU, whatever the graph.">,
    ValueOf<Stage, "gpu", "On the GPU, whatever the graph.">,
    Value<"migrate",
            "The first rounds on the CPU. Once the frontier is large and grows, this and all that follows on the GPU.", [
      Option<"T4", Positive, "16384", "large: more than this many vertices">,
      Option<"alpha", Positive, "2", "it grows: more than alpha times the vertices of the round before">]>];
  let decision = "side";
}

// ---- the graph in memory

def Vertices : Directive<"vertices", "How the vertices are numbered inside of the program."> {
  let sections = [Layout];
  let subject = Algorithm;
  let by = 1;
  let values = [
    Value<"degree", "Vertices with more outgoing edges have smaller numbers.">,
    Value<"bfs", "In breadth-first order from the vertex with the most outgoing edges, then from the heaviest one left.">];
}

def Neighbors : Directive<"neighbors", "The order of each list of neighbours."> {
  let sections = [Layout];
  let subject = Algorithm;
  let by = 1;
  let values = [Value<"degree", "Those with more outgoing edges come first.">];
}

def Adjacency : Directive<"adjacency", "How programs keep the lists of neighbours."> {
  let sections = [Layout];
  let subject = Algorithm;
  let values = [
    Value<"packed", "On a CPU: without the bits that they do not need.">,
    Value<"aligned", "On a GPU: pulls read the k-th neighbours of 32 vertices with lists of like length side by side.", [
      Option<"part", Share, "0.4", "so large a share of the vertices, those with the longest lists first">]>];
}
