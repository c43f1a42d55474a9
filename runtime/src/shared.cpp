// The part of a shared library that does not depend on its program.
#include "runtime/tool_support/command_line.h"
#include "runtime/tool_support/thread_count.h"
#include "suggest.h"

#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/shared.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <system_error>

namespace gc {

Watch *&detail::watch() {
  static thread_local Watch *current = nullptr;
  return current;
}

void detail::ask(Watch &watch) {
  const auto now = std::chrono::steady_clock::now();
  if (now < watch.next)
    return;
  if (watch.ask(watch.data) != 0)
    throw Cancelled();
  watch.next = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
}

namespace shared {

int Handle::keep(int status, const char *message) noexcept {
  try {
    message_ = message;
    text_ = message_.c_str();
  } catch (...) {
    text_ = "out of memory";
  }
  return status;
}

int Handle::failed() noexcept {
  try {
    throw;
  } catch (const Error &error) {
    const char *text = error.what();
    if (error.kind == ErrorKind::argument && std::strncmp(text, "--", 2) == 0) // as on a command line
      text += 2;
    return keep(error.kind == ErrorKind::input      ? input
                : error.kind == ErrorKind::argument ? argument
                : error.kind == ErrorKind::resource ? resource
                                                    : runtime,
                text);
  } catch (const Cancelled &) {
    return keep(cancelled, "the run was cancelled");
  } catch (const std::bad_alloc &) {
    return keep(resource, "out of memory");
  } catch (const std::system_error &error) {
    return keep(resource, error.what());
  } catch (const std::exception &error) {
    return keep(internal, error.what());
  } catch (...) {
    return keep(internal, "something unknown was thrown");
  }
}

GraphHandle::GraphHandle(ProgramInfo info, int vertex_bits) : info_(std::move(info)), options_(load_options(info_)) {
  options_.vertex_bits = vertex_bits;
  // Vertices keep the caller's numbers, and lists their order.
  options_.vertex_order = VertexOrder::input;
  options_.neighbors_by_degree = false;
  options_.keeps_plain = true; // which the interface shows
}

void GraphHandle::take(LoadedGraph &&graph, std::shared_ptr<const void> owner) {
  struct Kept {
    std::shared_ptr<const void> owner;
    LoadedGraph graph;
  };
  const auto kept = std::make_shared<const Kept>(Kept{std::move(owner), std::move(graph)});
  graph_ = std::shared_ptr<const LoadedGraph>(kept, &kept->graph);
}

int GraphHandle::load(const char *name, const char *const *options) noexcept {
  return guard([&] {
    if (!name)
      throw Error(ErrorKind::argument, "the name of a graph is missing");
    std::vector<std::string> words = {info_.name, name};
    for (; options && *options; ++options)
      words.emplace_back(*options);
    std::vector<char *> argv;
    for (std::string &word : words)
      argv.push_back(word.data());
    ProgramInfo bare = info_; // parameters are given to the program, not to the graph
    bare.parameters.clear();
    LoadOptions wanted = detail::parse_command_line(static_cast<int>(argv.size()), argv.data(), bare).load;
    if (wanted.vertex_bits != 0 && wanted.vertex_bits != options_.vertex_bits)
      throw Error(ErrorKind::argument,
                  "the library was compiled with --vertex-bits=" + std::to_string(options_.vertex_bits));
    wanted = load_options(info_, wanted);
    wanted.vertex_bits = options_.vertex_bits;
    wanted.vertex_order = VertexOrder::input;
    wanted.neighbors_by_degree = false;
    wanted.keeps_plain = true;
    take(load_graph(name, wanted));
  });
}

int GraphHandle::refuse_size(std::uint64_t vertices) noexcept {
  return guard([&] {
    throw Error(ErrorKind::argument, std::to_string(vertices) + " vertices do not fit ids of " +
                                         std::to_string(options_.vertex_bits) +
                                         " bits; gcompile takes --vertex-bits=64");
  });
}

const LoadedGraph &GraphHandle::filled() const {
  if (!graph_)
    throw Error(ErrorKind::argument, "the handle has no graph yet");
  return *graph_;
}

int GraphHandle::find(const char *name, std::uint64_t *vertex) noexcept {
  return guard([&] {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::optional<std::uint64_t> found = name ? filled().ids().find(std::string_view(name)) : std::nullopt;
    if (!found)
      throw Error(ErrorKind::argument, "the graph has no vertex '" + std::string(name ? name : "") + "'");
    if (vertex)
      *vertex = *found;
  });
}

int GraphHandle::name_of(std::uint64_t vertex, char *buffer, std::size_t size, std::size_t *length) noexcept {
  return guard([&] {
    if (vertex >= filled().num_vertices())
      throw Error(ErrorKind::argument, "the graph has no vertex " + std::to_string(vertex));
    const std::string name = filled().ids().name(vertex);
    if (length)
      *length = name.size();
    if (!buffer || size == 0)
      return;
    const std::size_t fits = std::min(name.size(), size - 1);
    std::memcpy(buffer, name.data(), fits);
    buffer[fits] = 0;
  });
}

int GraphHandle::save(const char *path) noexcept {
  return guard([&] {
    if (!path)
      throw Error(ErrorKind::argument, "the name of a file is missing");
    save_graph(filled(), path);
  });
}

ProgramHandle::ProgramHandle(GraphHandle &graph, Make make)
    : info_(graph.info()), graph_(graph.graph()), make_(make), given_(info_.parameters.size()) {
  if (!graph_)
    return; // run says so
  std::vector<ParameterInfo> optional;
  for (std::size_t k = 0; k < info_.parameters.size(); ++k)
    if (!info_.parameters[k].required) {
      optional.push_back(info_.parameters[k]);
      given_[k] = 1;
    }
  arguments_ = Arguments(optional, {}, *graph_);
}

void ProgramHandle::note(std::size_t index) {
  given_[index] = 1;
  changed_ = true;
}

void ProgramHandle::refuse(std::size_t index, const std::string &why) const {
  throw Error(ErrorKind::argument, info_.parameters[index].name + ": " + why);
}

void ProgramHandle::require_values(std::size_t index, const void *values, std::uint64_t count) const {
  if (!values && count > 0)
    refuse(index, "the values are a null pointer");
}

std::uint64_t ProgramHandle::vertices_for(std::size_t index, std::uint64_t count) const {
  if (!graph_)
    refuse(index, "the handle has no graph");
  const std::uint64_t n = graph_->num_vertices();
  if (count != n && count != 1)
    refuse(index, std::to_string(count) + " values, and the graph has " + std::to_string(n) + " vertices");
  return n;
}

std::vector<std::uint64_t> ProgramHandle::sorted(std::size_t index, std::vector<std::uint64_t> vertices) const {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  if (graph_ && !vertices.empty() && vertices.back() >= graph_->num_vertices())
    refuse(index, "the graph has no vertex " + std::to_string(vertices.back()));
  return vertices;
}

int ProgramHandle::set_text(const char *name, const char *text) noexcept {
  return guard([&] {
    const std::string wanted = name ? name : "";
    const auto parameter = std::find_if(info_.parameters.begin(), info_.parameters.end(),
                                        [&](const ParameterInfo &known) { return known.name == wanted; });
    if (parameter == info_.parameters.end()) {
      std::vector<std::string> names;
      for (const ParameterInfo &known : info_.parameters)
        names.push_back(known.name);
      throw Error(ErrorKind::argument,
                  "the program has no parameter '" + wanted + "'" + detail::suggestion(wanted, names));
    }
    const auto index = static_cast<std::size_t>(parameter - info_.parameters.begin());
    if (!graph_)
      refuse(index, "the handle has no graph");
    if (text) {
      arguments_ = arguments_.with(*parameter, text, *graph_);
    } else {
      if (parameter->required)
        refuse(index, "the parameter has no default value");
      const Arguments defaults({*parameter}, {}, *graph_);
      arguments_.take(parameter->name, defaults);
    }
    note(index);
  });
}

int ProgramHandle::set_integer(std::size_t index, std::int64_t value) noexcept {
  return give(index, [&](const std::string &name) { arguments_.give_integer(name, value); });
}

int ProgramHandle::set_real(std::size_t index, double value) noexcept {
  return give(index, [&](const std::string &name) { arguments_.give_real(name, value); });
}

int ProgramHandle::use_threads(int count) noexcept {
  return guard([&] {
    if (count != 0)
      detail::thread_count(std::to_string(count));
#ifndef _OPENMP
    if (count > 1)
      throw Error(ErrorKind::argument, "the library was compiled for one thread");
#endif
    threads_ = count;
  });
}

int ProgramHandle::watch(int (*ask)(void *), void *data) noexcept {
  watch_ = {ask, data, {}};
  return ok;
}

void ProgramHandle::run_watched() {
  // The run's own settings of this thread, which has others before and after.
  struct Settings {
    int threads = omp_get_max_threads();
    Watch *watch = detail::watch();
    ~Settings() {
      detail::watch() = watch;
      omp_set_num_threads(threads);
    }
  } before;
  if (threads_ > 0)
    omp_set_num_threads(threads_);
  if (watch_.ask) {
    watch_.next = {};
    detail::watch() = &watch_;
    detail::ask(watch_);
  } else {
    detail::watch() = nullptr;
  }
  if (!instance_)
    instance_ = make_(*graph_, arguments_);
  else if (changed_)
    instance_->set_arguments(arguments_);
  changed_ = false;
  instance_->run();
}

int ProgramHandle::run() noexcept {
  return guard([&] {
    if (!graph_)
      throw Error(ErrorKind::argument, "the handle has no graph");
    for (std::size_t k = 0; k < given_.size(); ++k)
      if (!given_[k])
        throw Error(ErrorKind::argument, "the parameter '" + info_.parameters[k].name + "' has no value");
    views_.clear();
    copies_.clear();
    try {
      run_watched();
    } catch (...) {
      instance_.reset(); // what an interrupted run leaves is of no use
      throw;
    }
    std::vector<detail::OutputView> views = instance_->outputs();
    for (const OutputInfo &output : info_.outputs)
      views_.push_back(*std::find_if(views.begin(), views.end(),
                                     [&](const detail::OutputView &view) { return view.name == output.name; }));
  });
}

const detail::OutputView &ProgramHandle::view_of(std::size_t index) const {
  if (views_.empty())
    throw Error(ErrorKind::argument, "there are no results: the program has not run, or its run has failed");
  return views_[index];
}

const detail::OutputView &ProgramHandle::fetched_view_of(std::size_t index) {
  view_of(index);
  detail::OutputView &view = views_[index];
  if (!view.data && view.fetch)
    view.fetch(view);
  return view;
}

int ProgramHandle::result(std::size_t index, const void **values, std::uint64_t *count) noexcept {
  return guard([&] {
    const detail::OutputView &view = fetched_view_of(index);
    if (values)
      *values = view.data;
    if (count)
      *count = view.count;
  });
}

int ProgramHandle::result_on_device(std::size_t index, const void **values, std::uint64_t *count) noexcept {
  return guard([&] {
    const detail::OutputView &view = view_of(index);
    if (values)
      *values = view.on_device;
    if (count)
      *count = view.count;
  });
}

int ProgramHandle::elements_on_device(std::size_t index, std::size_t k, const void **values, std::uint64_t *count,
                                      std::uint64_t *stride) noexcept {
  return guard([&] {
    const detail::OutputView &view = view_of(index);
    if (values) // an address in the first tuple, which is not read
      *values = view.on_device && view.count > 0 ? view.element(view.on_device, k).data : nullptr;
    if (count)
      *count = view.count;
    if (stride)
      *stride = view.stride;
  });
}

int ProgramHandle::elements(std::size_t index, std::size_t k, const void **values, std::uint64_t *count) noexcept {
  return guard([&] {
    const detail::OutputView &view = fetched_view_of(index);
    const std::pair<std::size_t, std::size_t> key(index, k);
    auto copy = std::find_if(copies_.begin(), copies_.end(), [&](const auto &other) { return other.first == key; });
    if (copy == copies_.end()) {
      std::vector<unsigned char> bytes;
      if (view.count > 0) {
        const detail::Storage storage = view.element(view.data, k).storage;
        const std::size_t width = storage == detail::Storage::uint8 ? 1
                                  : storage == detail::Storage::int32 || storage == detail::Storage::uint32 ||
                                          storage == detail::Storage::float32
                                      ? 4
                                      : 8;
        bytes.resize(view.count * width);
        for (std::size_t i = 0; i < view.count; ++i)
          std::memcpy(bytes.data() + i * width,
                      view.element(static_cast<const char *>(view.data) + i * view.stride, k).data, width);
      }
      copy = copies_.insert(copies_.end(), {key, std::move(bytes)});
    }
    if (values)
      *values = copy->second.data();
    if (count)
      *count = view.count;
  });
}

} // namespace shared

} // namespace gc
