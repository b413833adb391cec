//===- Math.h - Elementary functions as straight-line code ------*- C++ -*-===//
//
// The library's own elementary functions: no branch, no call, no table in
// memory, so that LLVM's loop vectorizer handles a loop around them, and every
// machine computes the same bits. Results are within 4 units in the last place
// of the exact value (5 of the tangent and the complement of the error
// function), denormal ones included; unittests/Conversion/MathTest.cpp measures
// it. NaN gives NaN.
//
// Coefficients not otherwise sourced are Chebyshev fits (near minimax) of the
// function named, computed with 160 bits or more.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CONVERSION_MATH_H
#define JOBDIALECT_CONVERSION_MATH_H

#include "JobDialect/Conversion/KernelBuilder.h"

namespace mlir::job {

/// e^x.
Value buildExp(const KernelBuilder &b, Value x);
/// e^(high + low); `low`, which may be null, is below an ulp of `high`.
Value buildExpOfSum(const KernelBuilder &b, Value high, Value low);
/// e^x - 1.
Value buildExpm1(const KernelBuilder &b, Value x);
/// ln x; NaN below 0, minus infinity at 0.
Value buildLog(const KernelBuilder &b, Value x);
/// ln(1 + x); NaN below -1, minus infinity at -1.
Value buildLog1p(const KernelBuilder &b, Value x);
/// tanh x.
Value buildTanh(const KernelBuilder &b, Value x);
/// 1 / (1 + e^-x).
Value buildSigmoid(const KernelBuilder &b, Value x);
/// x ^ y as C's pow defines it.
Value buildPow(const KernelBuilder &b, Value x, Value y);
/// The same for an exponent that is known and not 0, as a product of |exponent|
/// factors or the inverse of one.
Value buildPow(const KernelBuilder &b, Value x, int64_t exponent);
/// sin x and cos x, x in radians; NaN for an infinite x.
Value buildSin(const KernelBuilder &b, Value x);
Value buildCos(const KernelBuilder &b, Value x);
/// tan x, x in radians; NaN for an infinite x.
Value buildTan(const KernelBuilder &b, Value x);
/// The inverse functions, in radians; NaN outside of their domains.
Value buildAcos(const KernelBuilder &b, Value x);
Value buildAsin(const KernelBuilder &b, Value x);
Value buildAtan(const KernelBuilder &b, Value x);
/// The angle of the point with the abscissa x and the ordinate y.
Value buildAtan2(const KernelBuilder &b, Value y, Value x);
/// The hyperbolic functions and their inverse ones; NaN outside of the domains.
Value buildCosh(const KernelBuilder &b, Value x);
Value buildSinh(const KernelBuilder &b, Value x);
Value buildAcosh(const KernelBuilder &b, Value x);
Value buildAsinh(const KernelBuilder &b, Value x);
Value buildAtanh(const KernelBuilder &b, Value x);
/// The error function.
Value buildErf(const KernelBuilder &b, Value x);
/// 1 - erf x, to the precision of results of any size.
Value buildErfc(const KernelBuilder &b, Value x);
/// x times the standard normal distribution function of x: to the precision of
/// results of any size, and 0 at minus infinity.
Value buildGelu(const KernelBuilder &b, Value x);
/// Its derivative; the error is relative to 1.
Value buildGeluSlope(const KernelBuilder &b, Value x);
/// The gelu by the approximation x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))),
/// to the same precision.
Value buildGeluTanh(const KernelBuilder &b, Value x);
/// Its derivative; the error is relative to 1.
Value buildGeluTanhSlope(const KernelBuilder &b, Value x);
/// An f64 as an f32, the type of the builder, that is rounded to nearest even
/// later: where it is not exact, its last bit is 1. The second rounding then
/// gives what one from f64 would.
Value buildRoundToOdd(const KernelBuilder &b, Value x);
/// The y with erf(y) = x; infinite at -1 and 1, NaN outside.
Value buildErfInv(const KernelBuilder &b, Value x);
/// ln |gamma(x)|. Between the poles below 0 the error is relative to 1 where
/// the result is smaller.
Value buildLgamma(const KernelBuilder &b, Value x);
/// Its derivative; the error is relative to 1 where the result is smaller. NaN
/// at the poles.
Value buildDigamma(const KernelBuilder &b, Value x);
/// The largest integer that is not greater than x / y; of floats that divide by
/// 0, x / y, and of integers, 0.
Value buildFloorDiv(const KernelBuilder &b, Value x, Value y);
/// x minus y times that: zero, or of the sign of y.
Value buildMod(const KernelBuilder &b, Value x, Value y);

} // namespace mlir::job

#endif // JOBDIALECT_CONVERSION_MATH_H
