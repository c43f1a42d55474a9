// What is moved between the host and the device: by way of pinned pieces, and of a state only the blocks that differ.
#include <gcompile/hybrid/moves.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace {

using gc::Side;
using gc::hybrid::Mirror;
using gc::hybrid::moved_block;

constexpr std::size_t in_block = moved_block / sizeof(std::int32_t);

__global__ void add_kernel(std::int32_t *values, std::uint64_t size, std::uint64_t stride, std::int32_t more) {
  const std::uint64_t i = (blockIdx.x * std::uint64_t(blockDim.x) + threadIdx.x) * stride;
  if (i < size)
    values[i] += more;
}

/// A value for each vertex, on both sides.
struct Both {
  gc::Array<std::int32_t> cpu;
  gc::cuda::Property<std::int32_t> gpu;
  Mirror mirror;

  explicit Both(std::size_t size) : cpu(size), gpu(size) {
    for (std::size_t i = 0; i < size; ++i)
      cpu[i] = static_cast<std::int32_t>(i);
  }
  std::size_t up(bool again = true) {
    const std::size_t moved = gc::hybrid::to_gpu(mirror, cpu, gpu, again, 0);
    gc::cuda::Link::get().order();
    return moved;
  }
  std::size_t down() {
    const std::size_t moved = gc::hybrid::to_cpu(mirror, std::as_const(gpu), cpu, 0u);
    gc::cuda::Link::get().finish();
    return moved;
  }
  /// The device adds to each stride-th value.
  void add(std::size_t stride, std::int32_t more) {
    const auto blocks = static_cast<unsigned>(cpu.size() / stride / 64 + 1);
    GCOMPILE_CUDA_LAUNCH(add_kernel, blocks, 64, gpu.data(), std::uint64_t(gpu.size()), std::uint64_t(stride), more);
  }
  bool equal() const {
    const gc::Array<std::int32_t> &there = gpu.host();
    return std::equal(cpu.begin(), cpu.end(), there.begin(), there.end());
  }
};

TEST(Moves, TheLinkCopiesWhateverIsMuchLongerThanItsPieces) {
  std::vector<char> values(100001), also(values.size()), back(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<char>(i * 7 % 251);
  gc::cuda::Buffer<char> there(values.size());
  gc::cuda::Link &link = gc::cuda::Link::get();
  link.follow();
  link.upload(there.data(), values.data(), values.size(), also.data());
  link.send();
  EXPECT_EQ(also, values);
  const std::vector<char> given = values;
  std::fill(values.begin(), values.end(), 0); // it has been read
  link.order();
  link.follow();
  link.download(back.data(), there.data(), 50000);
  link.download(back.data() + 50000, there.data() + 50000, values.size() - 50000, also.data() + 50000);
  link.finish();
  EXPECT_EQ(back, given);
  EXPECT_EQ(also, given);
}

TEST(Moves, WhatIsAbandonedWritesNothing) {
  std::vector<char> values(5000, 1);
  gc::cuda::Buffer<char> there(values.size());
  there.clear_bytes();
  gc::cuda::Link &link = gc::cuda::Link::get();
  link.follow();
  link.download(values.data(), there.data(), 700); // less than a piece: it has not been sent
  link.abandon();
  link.finish();
  EXPECT_EQ(values, std::vector<char>(5000, 1));
}

TEST(Moves, CopiesGoByTheLinkOnceItPays) {
  gc::cuda::Link link;
  EXPECT_FALSE(link.pays(gc::cuda::Link::bytes_for_pinning - 1));
  EXPECT_FALSE(link.pays(gc::cuda::Link::least_bytes - 1)); // nor does that count
  EXPECT_FALSE(link.pays(0));
  EXPECT_TRUE(link.pays(gc::cuda::Link::least_bytes));
  EXPECT_FALSE(link.pays(gc::cuda::Link::least_bytes - 1));
}

TEST(Moves, BuffersAreCopiedEitherWay) {
  std::vector<int> values(3 * gc::cuda::Link::bytes_for_pinning), back(values.size());
  for (std::size_t count = 1; count <= values.size(); count *= 3) {
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<int>(i * 7 % 251 + count);
    gc::cuda::Buffer<int> there(count);
    there.upload(values.data(), count);
    const std::vector<int> given(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
    std::fill(values.begin(), values.end(), -1); // it has been read
    GCOMPILE_CUDA_LAUNCH(add_kernel, static_cast<unsigned>(count / 64 + 1), 64, there.data(), std::uint64_t(count),
                         std::uint64_t(1), 1);
    there.download(back.data(), count);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(back[i], given[i] + 1);
    int one = 0;
    there.download(&one, 1, count - 1);
    EXPECT_EQ(one, given.back() + 1);
  }
}

TEST(Moves, TheFirstTimeAllIsMoved) {
  Both state(20 * in_block + 3);
  EXPECT_EQ(state.up(), state.cpu.size() * 4);
  EXPECT_TRUE(state.equal());
}

TEST(Moves, ToTheGpuGoBlocksThatTheCpuHasChanged) {
  Both state(20 * in_block + 3);
  state.up();
  EXPECT_EQ(state.up(), 0u);
  state.cpu[5 * in_block] = -1;
  state.cpu[7 * in_block - 1] = -1;
  EXPECT_EQ(state.up(), 2 * moved_block);
  EXPECT_TRUE(state.equal());
  state.cpu[20 * in_block + 1] = -1; // the last block is short
  EXPECT_EQ(state.up(), 12u);
  EXPECT_TRUE(state.equal());
}

TEST(Moves, ToTheCpuGoBlocksThatTheGpuHasChanged) {
  Both state(20 * in_block + 3);
  state.up();
  gc::hybrid::remember(state.mirror, state.gpu);
  state.add(10 * in_block, 5); // blocks 0, 10 and 20, which is short
  EXPECT_EQ(state.down(), 2 * moved_block + 12);
  EXPECT_TRUE(state.equal());
  gc::hybrid::remember(state.mirror, state.gpu);
  EXPECT_EQ(state.down(), 0u);
}

TEST(Moves, WithoutMemoryForItAllComesBack) {
  Both state(4 * in_block);
  state.up();
  state.add(2 * in_block, 5); // nobody has remembered what was there
  EXPECT_EQ(state.down(), 4 * moved_block);
  EXPECT_TRUE(state.equal());
}

TEST(Moves, ANewRunKnowsNothing) {
  Both state(4 * in_block);
  state.up();
  state.add(1, 5);
  state.mirror.forget();
  EXPECT_EQ(state.up(), 4 * moved_block);
  EXPECT_TRUE(state.equal());
}

TEST(Moves, AnotherLengthIsMovedWhole) {
  Both state(4 * in_block);
  state.up();
  for (const std::size_t size : {6 * in_block, 3 * in_block}) {
    state.cpu.resize_discard(size);
    std::fill(state.cpu.begin(), state.cpu.end(), 9);
    EXPECT_EQ(state.up(), size * 4);
    EXPECT_TRUE(state.equal());
    state.gpu.resize_discard(2 * size);
    GCOMPILE_CUDA_LAUNCH(add_kernel, 1, 64, state.gpu.data(), std::uint64_t(64), std::uint64_t(1), 1);
    EXPECT_EQ(state.down(), 2 * size * 4);
    EXPECT_TRUE(state.equal());
  }
}

TEST(Moves, ThereAndBackAnyNumberOfTimes) {
  std::mt19937 draw(3);
  for (int turn = 0; turn < 20; ++turn) {
    Both state(1 + draw() % (30 * in_block));
    const std::size_t bytes = state.cpu.size() * 4;
    EXPECT_EQ(state.up(), bytes);
    for (int i = 0; i < 6; ++i) {
      if (draw() % 2 == 0) {
        if (draw() % 4 != 0)
          gc::hybrid::remember(state.mirror, state.gpu);
        state.add(1 + draw() % (3 * in_block), 1 + static_cast<int>(draw() % 2));
        EXPECT_LE(state.down(), bytes);
      } else {
        for (std::size_t k = draw() % 4; k > 0; --k)
          state.cpu[draw() % state.cpu.size()] += 1;
        EXPECT_LE(state.up(draw() % 3 != 0), 4 * moved_block);
      }
      ASSERT_TRUE(state.equal());
    }
  }
}

/// A form of a program of two states, whose stages do what a test says.
template <template <class> class Values> struct Form {
  static constexpr unsigned num_stages = 4, num_states = 2;
  Values<std::int32_t> states[num_states];
  std::function<void(Form &)> stages[num_stages];

  explicit Form(std::size_t size) : states{Values<std::int32_t>(size), Values<std::int32_t>(size)} {}
  template <unsigned k> auto &state(gc::hybrid::Nth<k>) { return states[k]; }
  template <unsigned k> const auto &state(gc::hybrid::Nth<k>) const { return states[k]; }
  template <unsigned k> void run(gc::hybrid::Nth<k>) { stages[k](*this); }
  int device_graph() const { return 0; }
};

struct Forms {
  static constexpr std::size_t blocks = 8, size = blocks * in_block;
  Form<gc::Array> cpu{size};
  Form<gc::cuda::Property> gpu{size};
  std::vector<Mirror> mirrors{2};
  gc::hybrid::Stages stages;

  Forms() {
    stages.states = {{4, gc::hybrid::Extent::each_vertex}, {4, gc::hybrid::Extent::each_vertex}};
    stages.begins_on_both = true;
    stages.outputs = 0b11;
    cpu.stages[0] = [](auto &form) {
      for (auto &state : form.states)
        std::fill(state.begin(), state.end(), 3);
    };
    gpu.stages[0] = [](auto &form) {
      for (auto &state : form.states)
        state = filled(3);
    };
    // As long as a test says nothing else, a stage adds to the first value of a block.
    for (unsigned k = 1; k < Form<gc::Array>::num_stages; ++k) {
      cpu.stages[k] = [](auto &form) { form.states[0][0] += 1; };
      gpu.stages[k] = [](auto &form) { add(form.states[0], in_block); };
    }
  }
  static gc::Array<std::int32_t> filled(std::int32_t value) {
    gc::Array<std::int32_t> values(size);
    std::fill(values.begin(), values.end(), value);
    return values;
  }
  /// Adds to one value on the device.
  static void add(gc::cuda::Property<std::int32_t> &values, std::size_t place) {
    GCOMPILE_CUDA_LAUNCH(add_kernel, 1, 1, values.data() + place, std::uint64_t(1), std::uint64_t(1), 1);
  }
  std::uint64_t run(std::vector<Side> sides) {
    return gc::hybrid::MixedRun<Form<gc::Array>, Form<gc::cuda::Property>, std::uint32_t>(cpu, gpu, 1u, stages, sides,
                                                                                          mirrors)
        .run();
  }
};

TEST(Moves, OnlyWhatTheGpuHasChangedOfWhatBothHaveSet) {
  Forms forms;
  forms.stages.initial = 0b11;
  forms.stages.list = {{Side::gpu, {}, 0b01, 0b01}, {Side::cpu, {}, 0b01, 0b01}, {Side::gpu, {}, 0b01, 0b01}};
  // One block to the CPU, all to the GPU, as the CPU does not know what it had, and one to the results.
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(forms.run({Side::gpu, Side::cpu, Side::gpu}), (1 + Forms::blocks + 1) * moved_block);
    EXPECT_EQ(forms.cpu.states[0][0], 4);
    EXPECT_EQ(forms.cpu.states[0][in_block], 5);
    EXPECT_EQ(forms.cpu.states[0][2 * in_block], 3);
  }
}

TEST(Moves, WhatNoSideHasSetAtTheBeginningIsMovedWhole) {
  Forms forms;
  forms.stages.initial = 0b10;
  forms.gpu.stages[0] = [](auto &form) { form.states[0] = Forms::filled(7); }; // not what the CPU has
  forms.stages.list = {{Side::gpu, {}, 0b01, 0b01}};
  forms.stages.outputs = 0b01;
  EXPECT_EQ(forms.run({Side::gpu}), Forms::blocks * moved_block);
  EXPECT_EQ(forms.cpu.states[0][in_block], 8);
  EXPECT_EQ(forms.cpu.states[0][0], 7);
}

TEST(Moves, WhatALaterStageNeedsComesBesideTheOneBefore) {
  Forms forms;
  forms.stages.initial = 0b11;
  forms.stages.list = {{Side::cpu, {}, 0b10, 0b10}, {Side::cpu, {}, 0b01, 0b01}, {Side::gpu, {}, 0b11, 0b01}};
  forms.cpu.stages[1] = [](auto &form) { form.states[1][0] = 50; };
  std::int32_t there = 0;
  forms.cpu.stages[2] = [&](auto &form) {
    gc::cuda::Link::get().finish();
    there = forms.gpu.states[1].read(0);
    form.states[0][0] += 1;
  };
  EXPECT_EQ(forms.run({Side::cpu, Side::cpu, Side::gpu}), (2 * Forms::blocks + 1) * moved_block);
  EXPECT_EQ(there, 50);
  EXPECT_EQ(forms.cpu.states[1][0], 50);
  EXPECT_EQ(forms.cpu.states[0][in_block], 4);
}

TEST(Moves, WhatIsStillChangedDoesNotComeBefore) {
  Forms forms;
  forms.stages.initial = 0b11;
  forms.stages.list = {{Side::cpu, {}, 0b01, 0b01}, {Side::cpu, {}, 0b01, 0b01}, {Side::gpu, {}, 0b01, 0b01}};
  EXPECT_EQ(forms.run({Side::cpu, Side::cpu, Side::gpu}), (Forms::blocks + 1) * moved_block);
  EXPECT_EQ(forms.cpu.states[0][0], 5);
  EXPECT_EQ(forms.gpu.states[0].read(0), 5);
}

} // namespace
