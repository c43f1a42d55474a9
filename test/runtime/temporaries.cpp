// Temporary folders of processes that start at the same time.
#include "helpers.h"
#include "runtime/tool_support/temporary.h"

#include <filesystem>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace {

// A process with the memory of a sanitizer takes long to copy.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr int rounds = 20;
#else
constexpr int rounds = 200;
#endif
#else
constexpr int rounds = 200;
#endif

TEST(Temporaries, OfManyProcessesInOneFolder) {
  // Each process removes what others have left behind, and none may take a folder that is just being made for that.
  const test::Folder folder;
  const std::string base = folder.path("base");
  std::filesystem::create_directory(base);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<pid_t> started;
    for (int process = 0; process < 6; ++process) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        int code = 0;
        try {
          const gc::detail::Temporary own = gc::detail::Temporary::folder_in(base, base);
          code = std::filesystem::is_directory(own.path()) ? 0 : 1;
        } catch (const std::exception &) {
          code = 2;
        }
        _exit(code);
      }
      started.push_back(child);
    }
    for (const pid_t child : started) {
      int status = 0;
      waitpid(child, &status, 0);
      refused += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
  }
  EXPECT_EQ(refused, 0);
  EXPECT_TRUE(std::filesystem::is_empty(base));
}

} // namespace
