// The outputs of a program without their types.
#ifndef GCOMPILE_PROGRAM_OUTPUTS_H
#define GCOMPILE_PROGRAM_OUTPUTS_H

#include <gcompile/core/property.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {

namespace detail {

/// How a value is stored.
enum class Storage { uint8, int32, int64, uint32, uint64, float32, float64, tuple };

template <class T> constexpr Storage storage_of() {
  if constexpr (std::is_same<T, bool>::value)
    return Storage::uint8;
  else if constexpr (std::is_floating_point<T>::value)
    return sizeof(T) == 4 ? Storage::float32 : Storage::float64;
  else if constexpr (std::is_integral<T>::value && std::is_signed<T>::value)
    return sizeof(T) == 4 ? Storage::int32 : Storage::int64;
  else if constexpr (std::is_integral<T>::value)
    return sizeof(T) == 1 ? Storage::uint8 : sizeof(T) == 4 ? Storage::uint32 : Storage::uint64;
  else
    return Storage::tuple;
}

/// One plain value inside an output: a pointer and how to read it.
struct ElementRef {
  const void *data;
  Storage storage;
};

template <class Tuple, std::size_t... I>
ElementRef tuple_element(const void *data, std::size_t k, std::index_sequence<I...>) {
  const Tuple &tuple = *static_cast<const Tuple *>(data);
  ElementRef result{nullptr, Storage::tuple};
  ((I == k ? void(result = {&std::get<I>(tuple), storage_of<std::tuple_element_t<I, Tuple>>()}) : void()), ...);
  return result;
}

/// An output of a program, without its type.
struct OutputView {
  std::string name;
  const void *data = nullptr;
  std::size_t count = 0;  ///< number of values
  std::size_t stride = 0; ///< bytes from one to the next
  Storage storage = Storage::int32;
  ElementRef (*element)(const void *data, std::size_t k) = nullptr; ///< k-th member of a tuple
  std::shared_ptr<const void> owner = nullptr;                      ///< keeps a scalar's copy alive
  // Of an output on a GPU, whose `data` stays null until fetch(view) copies the values to the host.
  const void *on_device = nullptr;
  const void *source = nullptr; ///< the object that holds them
  void (*fetch)(OutputView &view) = nullptr;
};

using ElementReader = ElementRef (*)(const void *data, std::size_t k);

/// How to read the members of a T that is a tuple; null if it is none.
template <class T> constexpr ElementReader element_reader() {
  if constexpr (storage_of<T>() == Storage::tuple)
    return [](const void *value, std::size_t k) {
      return tuple_element<T>(value, k, std::make_index_sequence<std::tuple_size<T>::value>());
    };
  else
    return nullptr;
}

/// A view of `count` values of `stride` bytes.
OutputView output_view(const char *name, const void *data, std::size_t count, std::size_t stride, Storage storage,
                       ElementReader element);

template <class T> OutputView output_view(const char *name, const T *data, std::size_t count) {
  return output_view(name, data, count, sizeof(T), storage_of<T>(), element_reader<T>());
}

/// Adds a view, of a copy of the first value where that is wanted.
void add_view(std::vector<OutputView> &views, const char *name, const void *data, std::size_t count, std::size_t stride,
              Storage storage, ElementReader element, bool copied);

/// Visitor that generated `outputs` functions call. Arrays are referred to, scalars are copied.
struct CollectOutputs {
  std::vector<OutputView> &views;

  template <class T> void operator()(const char *name, const Array<T> &values) {
    add(name, values.data(), values.size(), false);
  }
  template <class T> void operator()(const char *name, const Dense<T> &values) {
    add(name, values.data(), values.size() * values.size(), false);
  }
  template <class T> void operator()(const char *name, const T &scalar) {
    static_assert(std::is_trivially_copyable<T>::value || storage_of<T>() == Storage::tuple, "a scalar is plain");
    add(name, &scalar, 1, true);
  }

private:
  template <class T> void add(const char *name, const T *data, std::size_t count, bool copied) {
    add_view(views, name, data, count, sizeof(T), storage_of<T>(), element_reader<T>(), copied);
  }
};

} // namespace detail

} // namespace gc

extern template class std::vector<gc::detail::OutputView>;

#endif
