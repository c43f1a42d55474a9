// What programs say about themselves, and the vectors that they say it with.
#include <gcompile/program/info.h>
#include <gcompile/program/outputs.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

template class std::vector<gc::ColumnInfo>;
template class std::vector<gc::OutputInfo>;
template class std::vector<gc::ParameterInfo>;
template class std::vector<gc::ClosedSums>;
template class std::vector<gc::PathSums>;
template class std::vector<gc::detail::OutputView>;

namespace gc {

ProgramInfo::ProgramInfo() = default;
ProgramInfo::ProgramInfo(const ProgramInfo &) = default;
ProgramInfo::ProgramInfo(ProgramInfo &&) noexcept = default;
ProgramInfo &ProgramInfo::operator=(const ProgramInfo &) = default;
ProgramInfo &ProgramInfo::operator=(ProgramInfo &&) noexcept = default;
ProgramInfo::~ProgramInfo() = default;

void ProgramInfo::add_parameter(const char *parameter, ParameterType type, bool required, const char *default_text,
                                const char *doc, bool per_vertex, bool nonnegative) {
  parameters.push_back({parameter, type, required, default_text, doc, per_vertex, nonnegative});
}
void ProgramInfo::add_joint(const char *joint, const std::vector<std::string> &names) {
  std::size_t column = 0;
  for (const std::string &each : names)
    for (ParameterInfo &parameter : parameters)
      if (parameter.name == each) {
        parameter.joint = joint;
        parameter.column = column++;
        parameter.columns = names.size();
      }
}
void ProgramInfo::add_output(const char *output, ElementType type, OutputShape shape, bool unordered_claim,
                             std::initializer_list<ElementType> elements) {
  outputs.push_back({output, type, shape, unordered_claim, elements});
}
void ProgramInfo::add_tolerance(const char *output, double tolerance) {
  for (OutputInfo &each : outputs)
    if (each.name == output)
      each.tolerance = tolerance;
}
void ProgramInfo::add_edge_column(const char *column, ColumnType type, bool nonnegative) {
  edge_columns.push_back({column, type});
  if (nonnegative)
    nonnegative_weights.emplace_back(column);
}
void ProgramInfo::add_root(const char *parameter) { roots.emplace_back(parameter); }
void ProgramInfo::add_path_sums(const char *output, const char *column, Along edges, const char *place) {
  path_sums.push_back({output, column, edges, place});
}
void ProgramInfo::add_closed_sums(const char *output, const char *place) { closed_sums.push_back({output, place}); }
void ProgramInfo::add_rounds(const char *place) { rounds.emplace_back(place); }

namespace detail {

OutputView output_view(const char *name, const void *data, std::size_t count, std::size_t stride, Storage storage,
                       ElementReader element) {
  OutputView view;
  view.name = name;
  view.data = data;
  view.count = count;
  view.stride = stride;
  view.storage = storage;
  view.element = element;
  return view;
}

void add_view(std::vector<OutputView> &views, const char *name, const void *data, std::size_t count, std::size_t stride,
              Storage storage, ElementReader element, bool copied) {
  views.push_back(output_view(name, data, count, stride, storage, element));
  if (!copied)
    return;
  auto bytes =
      std::make_shared<std::vector<char>>(static_cast<const char *>(data), static_cast<const char *>(data) + stride);
  views.back().data = bytes->data();
  views.back().owner = std::move(bytes);
}

} // namespace detail

} // namespace gc
