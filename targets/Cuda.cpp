// GPUs of NVIDIA: CUDA C++.
#include "codegen_cuda/CudaPrinter.h"
#include "targets/Target.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace gcompile {

/// nvcc: on the PATH, or where CUDA is installed.
static std::vector<std::string> compilers() {
  std::vector<std::string> names = {"nvcc"};
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *folder = std::getenv(variable))
      names.push_back(std::string(folder) + "/bin/nvcc");
  names.push_back("/usr/local/cuda/bin/nvcc");
  return names;
}

static std::vector<std::string> flags(const std::string &arch) {
  std::error_code error;
  bool hasDevice =
      std::filesystem::exists("/proc/driver/nvidia/version", error) || std::filesystem::exists("/dev/nvidia0", error);
  return {"-std=c++20", "--expt-relaxed-constexpr",
          "-arch=" + (!arch.empty() ? arch
                      : hasDevice   ? "native"
                                    : "sm_90"),
          "-Xcompiler=-fopenmp"};
}

static std::string withVertexBits(int bits, const std::string &source) {
  const std::size_t second = source.find('\n') + 1; // behind the line that says what it is
  return fmt::format("{0}#define GCOMPILE_GPU_VERTEX_BITS {1}\n{2}\n"
                     "static_assert(gc::cuda::Tally::length_bits == {1}, \"<gcompile/cuda.h> was included before\");\n",
                     source.substr(0, second), bits, source.substr(second));
}

Target cudaTarget() {
  Target target;
  target.name = "cuda";
  target.machine = "GPU";
  target.section = "cuda";
  target.lower = buildGpuPipeline;
  target.print = [](mlir::ModuleOp module, bool main) { return printCuda(module, CudaPrinterOptions{main}); };
  target.withVertexBits = withVertexBits;
  target.kernelsOnDevice = true;
  target.toolchain.language = "CUDA";
  target.toolchain.compilers = compilers;
  target.toolchain.missing = "nvcc is not installed: install the CUDA toolkit, name its compiler with --cxx, or write "
                             "the source only with --emit=source";
  target.toolchain.flags = flags;
  target.toolchain.takesArch = true;
  target.toolchain.library = "libgcompile_runtime.a";
  target.toolchain.sourceEnding = ".cu";
  target.toolchain.libraryEnding = ".cuh";
  target.toolchain.sharedFlags = {"-shared", "-Xcompiler=-fPIC,-fvisibility=hidden,-fvisibility-inlines-hidden",
                                  "-DGCOMPILE_SHARED_LIBRARY", "-Xlinker", "-z,nodelete"};
  return target;
}

} // namespace gcompile
