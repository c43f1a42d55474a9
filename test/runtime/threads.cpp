// How many processors control groups, and other ranks on the machine, leave to a process.
#include "helpers.h"
#include "runtime/tool_support/thread_count.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

class Groups : public testing::Test {
protected:
  void write(const std::string &file, const std::string &text) {
    std::filesystem::create_directories(std::filesystem::path(root() + file).parent_path());
    std::ofstream(root() + file) << text;
  }
  double granted(const std::string &membership) {
    write("/membership", membership);
    return gc::detail::granted_processors(root() + "/membership", root());
  }
  std::string root() const { return folder_.path("groups"); }
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

private:
  test::Folder folder_;
};

TEST_F(Groups, OfVersion2) {
  write("/cpu.max", "max 100000\n");
  write("/a/cpu.max", "150000 100000\n");
  write("/a/b/cpu.max", "max 100000\n");
  write("/a/b/c/cpu.max", "400000 100000\n");
  write("/half/cpu.max", "50000 100000\n");
  EXPECT_EQ(granted("0::/\n"), unlimited);
  EXPECT_EQ(granted("0::/a\n"), 1.5);
  EXPECT_EQ(granted("0::/a/b/c\n"), 1.5); // the least of all above
  EXPECT_EQ(granted("0::/half\n"), 0.5);
}

TEST_F(Groups, OfVersion1) {
  write("/cpu,cpuacct/job/cpu.cfs_quota_us", "200000\n");
  write("/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  write("/cpu,cpuacct/free/cpu.cfs_quota_us", "-1\n");
  write("/cpu,cpuacct/free/cpu.cfs_period_us", "100000\n");
  write("/memory/job/cpu.cfs_quota_us", "1000\n"); // of no processor
  write("/memory/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(granted("5:memory:/job\n4:cpu,cpuacct:/job\n0::/\n"), 2);
  EXPECT_EQ(granted("4:cpu,cpuacct:/free\n"), unlimited);
}

TEST_F(Groups, SeenFromInsideOfAContainer) {
  // The path is that outside of the container; the files are mounted without it.
  write("/cpu.max", "300000 100000\n");
  EXPECT_EQ(granted("0::/docker/0123456789abcdef\n"), 3);
}

TEST_F(Groups, ThatAreNotThereOrSayNothing) {
  EXPECT_EQ(granted(""), unlimited);
  EXPECT_EQ(granted("nonsense\n0::\n"), unlimited);
  write("/cpu.max", "nonsense");
  EXPECT_EQ(granted("0::/\n"), unlimited);
  write("/cpu.max", "0 0");
  EXPECT_EQ(granted("0::/\n"), unlimited);
}

using gc::detail::Companions;
using gc::detail::companions_of;
using gc::detail::default_threads;

TEST(Companions, AreOfOneMachine) {
  // Two words each: the machine, and bits of its processors.
  const std::vector<std::uint64_t> places = {7, 0b0011, 9, 0b0011, 7, 0b0110, 7, 0b1000};
  const auto at = [&](std::size_t own) {
    const Companions companions = companions_of(places, 2, own);
    return std::vector<int>{companions.on_machine, companions.on_processors};
  };
  EXPECT_EQ(at(0), (std::vector<int>{3, 2}));
  EXPECT_EQ(at(1), (std::vector<int>{1, 1}));
  EXPECT_EQ(at(2), (std::vector<int>{3, 2}));
  EXPECT_EQ(at(3), (std::vector<int>{3, 1}));
}

TEST(Companions, WithoutKnownProcessorsShareAll) {
  const Companions companions = companions_of({7, 0, 0, 7, 0, 1}, 3, 1);
  EXPECT_EQ(companions.on_processors, 2);
}

TEST(DefaultThreads, AreDividedAmongCompanions) {
  const double unlimited = std::numeric_limits<double>::infinity();
  EXPECT_EQ(default_threads(16, unlimited, {1, 1}), 16);
  EXPECT_EQ(default_threads(16, unlimited, {4, 4}), 4);
  EXPECT_EQ(default_threads(16, unlimited, {8, 1}), 16); // bound to others
  EXPECT_EQ(default_threads(2, unlimited, {3, 3}), 1);
  EXPECT_EQ(default_threads(16, 1.5, {1, 1}), 2);
  EXPECT_EQ(default_threads(16, 8, {3, 1}), 2);
  EXPECT_EQ(default_threads(16, 0.5, {2, 2}), 1);
}

} // namespace
