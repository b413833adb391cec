//===- Require.h - What must hold for every input ---------------*- C++ -*-===//

#ifndef JOBMLIR_FUZZ_REQUIRE_H
#define JOBMLIR_FUZZ_REQUIRE_H

#include <cstdio>
#include <cstdlib>

/// Ends the process, which the fuzzer reports with the input, when a reader has
/// accepted or made something that breaks its own contract.
#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,   \
                   #condition);                                                \
      std::abort();                                                            \
    }                                                                          \
  } while (false)

#endif // JOBMLIR_FUZZ_REQUIRE_H
