// The `exec` dialect: how a program runs. See ExecOps.td.
#pragma once

#include "ir/GraphDialect.h"

#include "ir/ExecEnums.h.inc"

#include "ir/ExecDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/ExecOps.h.inc"
