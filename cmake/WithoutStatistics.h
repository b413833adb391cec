// Included first in builds with assertions. Without NDEBUG, LLVM's header makes
// a pass's statistic a counter with state, which libMLIR, where its constructor
// is, was built without: nobody would initialise ours.
#pragma once

#define NDEBUG 1
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
