// The checkpoints of a run: what --checkpoint, --every and --resume ask for.
#ifndef GCOMPILE_SRC_CHECKPOINT_H
#define GCOMPILE_SRC_CHECKPOINT_H

#include "runtime/tool_support/command_line.h"

#include <gcompile/program/kept_rounds.h>
#include <gcompile/program/process_group.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace gc::detail {

/// Throws Error (argument) where the options do not go together, or the program has no rounds that could be kept.
void require_checkpoint_options(const CommandLine &line, const ProgramInfo &info, const ProcessGroup *group);

/// Keeps the states of a run in a folder. A process has the file STATEMENT.ROUND.RANK for each statement, where ROUND
/// is `end` behind the last one; the file `manifest` says which of them count, and of which run they are. Each process
/// calls each function.
class Checkpoint final : public RoundKeeper {
public:
  /// Before the graph is loaded. Throws Error naming the folder if it cannot be used, or if its checkpoint is of
  /// another program, other arguments or another number of ranks.
  Checkpoint(const CommandLine &line, const ProgramInfo &info, ProcessGroup &group);
  Checkpoint(const Checkpoint &) = delete;
  ~Checkpoint() override { round_keeper = nullptr; }

  /// From here on rounds are kept. Throws Error if the checkpoint is of another graph.
  void begin(const LoadedGraph &graph);
  /// The run is complete: removes what was kept.
  void finish();

  /// What is said to the user before the run.
  std::string text() const;
  /// For the report.
  nlohmann::ordered_json report() const;

  const KeptRound *found(int statement) const override;
  void restore(int statement, const Pass &pass) override;
  std::int64_t every() const override { return every_; }
  void keep(int statement, const KeptRound &round, const Pass &pass) override;

private:
  std::string path(int statement, const nlohmann::ordered_json &kept) const;
  [[noreturn]] void refuse(const std::string &why) const;
  void read_manifest(bool resumes);
  void compare(const std::string &what, const nlohmann::ordered_json &before, const nlohmann::ordered_json &now) const;
  void remove_strays() const;

  const ProgramInfo &info_;
  ProcessGroup &group_;
  const std::string folder_;
  const std::int64_t every_;
  nlohmann::ordered_json manifest_; ///< of this run: what it is, and what is kept
  nlohmann::ordered_json graph_;    ///< the graph in the manifest that was found
  std::map<int, KeptRound> found_;
  std::uint64_t written_ = 0, bytes_ = 0; ///< checkpoints, and bytes of all processes
  double seconds_ = 0;
};

} // namespace gc::detail

#endif
