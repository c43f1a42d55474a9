// How many processors control groups leave to a process.
#include "helpers.h"
#include "runtime/tool_support/thread_count.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

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

} // namespace
