// What programs say about themselves, and the vectors that they say it with.
#include <gcompile/program/info.h>
#include <gcompile/program/outputs.h>

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

} // namespace gc
