// The operators of the language on single values: the owner's, the atomic ones, claims, and several values together.
#ifndef GCOMPILE_CORE_OPERATORS_H
#define GCOMPILE_CORE_OPERATORS_H

#include <gcompile/core/operators/atomic.h>
#include <gcompile/core/operators/bitwise.h>
#include <gcompile/core/operators/claim.h>
#include <gcompile/core/operators/combine.h>
#include <gcompile/core/operators/list.h>
#include <gcompile/core/operators/owner.h>
#include <gcompile/core/operators/shared.h>
#include <gcompile/core/operators/take.h>
#include <gcompile/core/operators/together.h>
#include <gcompile/core/operators/update.h>
#include <gcompile/core/operators/witness.h>

#endif
