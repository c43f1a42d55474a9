// How many threads a process may ask for.
#ifndef GCOMPILE_TOOL_SUPPORT_THREAD_COUNT_H
#define GCOMPILE_TOOL_SUPPORT_THREAD_COUNT_H

#include <string>

namespace gc::detail {

/// The number after --threads. Throws Error (argument) unless it is from 1 to the most that a program takes.
int thread_count(const std::string &text);

/// Throws Error if OpenMP would use more threads than a program takes, or than the system gives to this process; OpenMP
/// would end the process without a clear message.
void require_threads();

} // namespace gc::detail

#endif
