// Every operator of an update, once: what headers define for each of them is written for this list.
#ifndef GCOMPILE_CORE_OPERATORS_LIST_H
#define GCOMPILE_CORE_OPERATORS_LIST_H

/// DO(update, atomic, total): the function for a value of one thread, that for a shared value, and the function of
/// gc::PerThread that combines the values of all threads. ir/graph/Reductions.td names the same.
#define GCOMPILE_FOR_EACH_OPERATOR(DO)                                                                                 \
  DO(update_assign, atomic_assign, last)                                                                               \
  DO(update_add, atomic_add, sum)                                                                                      \
  DO(update_add_inf, atomic_add_inf, sum_inf)                                                                          \
  DO(update_multiply, atomic_multiply, product)                                                                        \
  DO(update_min, atomic_min, min)                                                                                      \
  DO(update_max, atomic_max, max)                                                                                      \
  DO(update_or, atomic_or, any)                                                                                        \
  DO(update_and, atomic_and, all)                                                                                      \
  DO(update_xor, atomic_xor, parity)

#endif
