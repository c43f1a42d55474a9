// Adjacency inside kernels: sets of neighbours combined on the fly, bounded ranges, arcs with both sides.
#ifndef GCOMPILE_CORE_ADJACENCY_H
#define GCOMPILE_CORE_ADJACENCY_H

#include <gcompile/core/adjacency/arcs.h>
#include <gcompile/core/adjacency/bounds.h>
#include <gcompile/core/adjacency/cursors.h>
#include <gcompile/core/adjacency/sets.h>

#endif
