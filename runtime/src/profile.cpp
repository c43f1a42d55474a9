#include "profile.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

namespace gc {

Profile::Profile() = default;
Profile::Profile(const Profile &) = default;
Profile &Profile::operator=(const Profile &) = default;
Profile::~Profile() = default;

void Profile::start() {
  calls_.clear();
  seconds_ = 0;
  moved_ = 0;
  begin_ = Clock::now();
}
void Profile::finish() {
  if (moved_ > 0)
    enter("", "moved", 0);
  seconds_ = now();
}

Profile::Entry::~Entry() {
  Call &call = profile_.calls_.back();
  call.seconds = profile_.now() - call.start;
  call.edges = profile_.edges_;
  call.moved += std::exchange(profile_.moved_, 0);
}

Profile::Entry Profile::enter(const char *statement, const char *kernel, std::uint64_t active) {
  return enter_round(statement, kernel, "", 0, active);
}
Profile::Entry Profile::enter_round(const char *statement, const char *kernel, const char *state, std::int32_t round,
                                    std::uint64_t active) {
  Call call{statement, kernel, state, round, active};
  call.start = now();
  calls_.push_back(call);
  edges_ = 0;
  return Entry(*this);
}

void Profile::append(const Profile &later, const char *side, std::uint64_t moved) {
  for (Call call : later.calls_) {
    call.start += seconds_;
    call.side = side;
    if (call.round > 0)
      call.moved += std::exchange(moved, 0);
    calls_.push_back(call);
  }
  seconds_ += later.seconds_;
}
void Profile::merge(const Profile &beside, const char *side) {
  for (Call call : beside.calls_) {
    call.side = side;
    calls_.push_back(call);
  }
  std::stable_sort(calls_.begin(), calls_.end(), [](const Call &a, const Call &b) { return a.start < b.start; });
  seconds_ = std::max(seconds_, beside.seconds_);
}
void Profile::note_round(std::int32_t round, const char *state, std::uint64_t copies) {
  Call &call = calls_.back();
  call.round = round;
  call.state = state;
  call.copies = copies;
}

double Profile::now() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

namespace detail {

namespace {

constexpr std::size_t most_rounds = 40; // that the text shows

/// What all calls of one kernel sum to.
struct Sum {
  const Profile::Call *first = nullptr;
  std::uint64_t calls = 0, active = 0, edges = 0, copies = 0, messages = 0, sent = 0;
  double seconds = 0, busy = 0, busiest = 0;
};

/// Columns that are as wide as their widest cell; the first ones to the left, numbers to the right.
class Table {
public:
  Table(std::size_t texts, std::vector<std::string> head) : texts_(texts) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> widths(rows_[0].size());
    for (const auto &row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    std::string result;
    for (const auto &row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string space(widths[i] - row[i].size(), ' ');
        line += ' ' + (i < texts_ ? row[i] + space : space + row[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      result += line + "\n";
    }
    return result;
  }

private:
  std::size_t texts_;
  std::vector<std::vector<std::string>> rows_;
};

std::string format(const char *form, double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, form, value);
  return buffer;
}
std::string milliseconds(double seconds) { return format("%.3f", seconds * 1e3); }

/// The cells of what several processes have done, behind the others.
template <class Done> std::vector<std::string> shared_cells(const Done &done) {
  return {std::to_string(done.messages), std::to_string(done.sent),
          done.busy > 0 ? format("%.2f", done.busiest / done.busy) : ""};
}
const std::vector<std::string> shared_titles = {"messages", "bytes", "imbalance"};

void append(std::vector<std::string> &row, const std::vector<std::string> &cells) {
  row.insert(row.end(), cells.begin(), cells.end());
}

/// One cell for each column of the first table.
std::vector<std::string> cells(const char *statement, const char *kernel, const Sum &sum, double whole) {
  const bool counts = sum.edges > 0 && sum.seconds > 0;
  return {statement,
          kernel,
          std::to_string(sum.calls),
          std::to_string(sum.active),
          counts ? std::to_string(sum.edges) : "",
          counts ? format("%.1f", static_cast<double>(sum.edges) / sum.seconds / 1e6) : "",
          milliseconds(sum.seconds),
          whole > 0 ? format("%.1f %%", 100 * sum.seconds / whole) : ""};
}

} // namespace

std::string profile_text(const Profile &profile) {
  std::map<std::string, Sum> sums;
  double inside = 0;
  std::vector<const Profile::Call *> rounds;
  for (const Profile::Call &call : profile.calls()) {
    Sum &sum = sums[call.kernel];
    if (!sum.first)
      sum.first = &call;
    ++sum.calls;
    sum.active += call.active;
    sum.edges += call.edges;
    sum.copies += call.copies;
    sum.seconds += call.seconds;
    sum.messages += call.messages;
    sum.sent += call.sent;
    sum.busy += call.busy;
    sum.busiest += call.busiest;
    inside += call.seconds;
    if (call.round > 0)
      rounds.push_back(&call);
  }
  std::vector<const Sum *> order;
  for (const auto &entry : sums)
    order.push_back(&entry.second);
  std::stable_sort(order.begin(), order.end(), [](const Sum *a, const Sum *b) { return a->seconds > b->seconds; });

  const double whole = profile.seconds();
  const bool shared = profile.processes() > 0;
  std::vector<std::string> kernel_titles = {"statement", "kernel",    "calls", "active",
                                            "edges",     "M edges/s", "ms",    "share"};
  if (shared)
    append(kernel_titles, shared_titles);
  Table kernels(2, kernel_titles);
  for (const Sum *sum : order) {
    std::vector<std::string> row = cells(sum->first->statement, sum->first->kernel, *sum, whole);
    if (shared)
      append(row, shared_cells(*sum));
    kernels.add(row);
  }
  Sum outside;
  outside.seconds = std::max(whole - inside, 0.0);
  std::vector<std::string> last = cells("", "between kernels", outside, whole);
  last[2] = last[3] = "";
  if (shared)
    append(last, {"", "", ""});
  kernels.add(last);
  std::string text = "profile of the last run, " + milliseconds(whole) + " ms:\n" + kernels.text();
  for (const Sum *sum : order)
    if (sum->copies > 0)
      text += std::string("  ") + sum->first->kernel + ": " + std::to_string(sum->copies) + " of what was active, " +
              format("%.2f %%", 100 * static_cast<double>(sum->copies) / static_cast<double>(sum->active)) +
              ", were copies of vertices that were there already\n";
  if (rounds.empty())
    return text;

  const bool sides = std::any_of(rounds.begin(), rounds.end(), [](const Profile::Call *call) { return *call->side; });
  std::vector<std::string> titles = {"kernel", "state", "round", "active", "edges", "ms"};
  if (sides)
    append(titles, {"moved", "side"});
  if (shared)
    append(titles, shared_titles);
  Table table(2, titles);
  const std::size_t head = rounds.size() > most_rounds ? most_rounds / 2 : rounds.size();
  const std::size_t tail = rounds.size() > most_rounds ? rounds.size() - most_rounds / 2 : rounds.size();
  auto add = [&](std::size_t i) {
    const Profile::Call &call = *rounds[i];
    std::vector<std::string> row = {call.kernel,
                                    call.state,
                                    std::to_string(call.round),
                                    std::to_string(call.active),
                                    std::to_string(call.edges),
                                    milliseconds(call.seconds)};
    if (sides)
      append(row, {std::to_string(call.moved), call.side});
    if (shared)
      append(row, shared_cells(call));
    table.add(row);
  };
  for (std::size_t i = 0; i < head; ++i)
    add(i);
  if (tail > head) {
    std::vector<std::string> gap(titles.size());
    gap[0] = "...";
    table.add(gap);
  }
  for (std::size_t i = tail; i < rounds.size(); ++i)
    add(i);
  return text + "rounds:\n" + table.text();
}

nlohmann::ordered_json profile_json(const Profile &profile) {
  nlohmann::ordered_json calls = nlohmann::ordered_json::array();
  for (const Profile::Call &call : profile.calls()) {
    nlohmann::ordered_json entry;
    entry["statement"] = call.statement;
    entry["kernel"] = call.kernel;
    if (call.round > 0) {
      entry["round"] = call.round;
      entry["state"] = call.state;
    }
    entry["active"] = call.active;
    entry["edges"] = call.edges;
    if (call.copies > 0)
      entry["copies"] = call.copies;
    if (*call.side) {
      entry["side"] = call.side;
      entry["moved_bytes"] = call.moved;
    }
    if (profile.processes() > 0) {
      entry["messages"] = call.messages;
      entry["sent_bytes"] = call.sent;
      entry["imbalance"] = call.busy > 0 ? call.busiest / call.busy : 1;
    }
    entry["start_seconds"] = call.start;
    entry["seconds"] = call.seconds;
    calls.push_back(std::move(entry));
  }
  nlohmann::ordered_json result;
  if (profile.processes() > 0)
    result["ranks"] = profile.processes();
  result["seconds"] = profile.seconds();
  result["calls"] = std::move(calls);
  return result;
}

} // namespace detail

} // namespace gc
