//===- Numerics.h - Philox and special functions ----------------*- C++ -*-===//
//
// Pure functions that the C++ library lacks.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_REFERENCE_NUMERICS_H
#define JOBDIALECT_REFERENCE_NUMERICS_H

#include <array>
#include <cstdint>

namespace mlir::job {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy
/// as 1, 2, 3; 2011): four random words from a counter and a key.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

/// The random number in (0, 1) of element `index` of a random op, specified in
/// the description of the op: it is computed from the first word for the key
/// `seed` and the counter (index, id, step).
double philoxUniform(int64_t seed, int64_t step, int64_t id, int64_t index);

/// The inverse of the error function to double precision; infinite at -1 and 1,
/// NaN beyond.
double erfInv(double x);

/// The derivative of ln |gamma(x)|, to double precision relative to the larger
/// of 1 and the result; NaN at zero, at the integers below and at minus
/// infinity.
double digamma(double x);

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_NUMERICS_H
