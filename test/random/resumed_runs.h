// Runs on several ranks that end at a random checkpoint, and others that go on from there.
#pragma once

#include <gcompile/mpi.h>
#include <gcompile/program.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Keeps rounds in memory; ends the run at the `last`-th checkpoint.
class KeptInMemory final : public gc::RoundKeeper {
public:
  struct Ended {};

  const gc::KeptRound *found(int statement) const override {
    const auto kept = resumed_.find(statement);
    return kept == resumed_.end() ? nullptr : &kept->second.round;
  }
  void restore(int statement, const Pass &pass) override {
    Stream stream(resumed_.at(statement).bytes, true);
    pass(stream);
  }
  std::int64_t every() const override { return 1; }
  void keep(int statement, const gc::KeptRound &round, const Pass &pass) override {
    Kept &kept = kept_[statement];
    kept = {round, {}};
    Stream stream(kept.bytes, false);
    pass(stream);
    if (++checkpoints_ == last_)
      throw Ended();
  }

  std::uint64_t checkpoints() const { return checkpoints_; }
  /// The next run ends there; 0: nowhere.
  void start(std::uint64_t last) {
    last_ = last;
    checkpoints_ = 0;
    resumed_ = kept_;
  }
  void forget() { kept_.clear(); }

private:
  class Stream final : public gc::StateStream {
  public:
    Stream(std::vector<char> &bytes, bool reads) : bytes_(bytes), reads_(reads) {}
    bool reads() const override { return reads_; }
    void bytes(void *at, std::size_t count) override {
      const char *from = static_cast<const char *>(at);
      if (!reads_)
        bytes_.insert(bytes_.end(), from, from + count);
      else if (count > 0)
        std::memcpy(at, bytes_.data() + at_, count);
      at_ += count;
    }

  private:
    std::vector<char> &bytes_;
    bool reads_;
    std::size_t at_ = 0;
  };
  struct Kept {
    gc::KeptRound round;
    std::vector<char> bytes;
  };

  std::map<int, Kept> kept_, resumed_;
  std::uint64_t checkpoints_ = 0, last_ = 0;
};

/// The bytes of all results that are no tuples, which may have gaps.
inline std::vector<std::string> bytesOf(const std::vector<gc::detail::OutputView> &views) {
  std::vector<std::string> all;
  for (const gc::detail::OutputView &view : views)
    if (view.storage != gc::detail::Storage::tuple)
      all.emplace_back(static_cast<const char *>(view.data), view.count * view.stride);
  return all;
}

/// Ends a run at one of its checkpoints, and lets another one go on, which must give what a whole one gives. Calls
/// `print` with its results. `make` makes an instance.
template <class Make, class Print> void runResumed(const std::string &what, const Make &make, const Print &print) {
  KeptInMemory keeper;
  gc::round_keeper = &keeper;
  auto whole = make();
  whole->run();
  if (const std::uint64_t checkpoints = keeper.checkpoints()) {
    keeper.forget();
    keeper.start(1 + std::hash<std::string>()(what) % checkpoints);
    try {
      make()->run();
    } catch (const KeptInMemory::Ended &) {
    }
    keeper.start(0);
    auto resumed = make();
    resumed->run();
    if (gc::mpi::World::get().speaks() && bytesOf(whole->outputs()) != bytesOf(resumed->outputs())) {
      std::fprintf(stderr, "%s: a resumed run gives something else\n", what.c_str());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    print(resumed->outputs());
  }
  gc::round_keeper = nullptr;
}
