//===- ErfInv.cpp - Inverse of the error function -------------------------===//
//
// After Giles, "Approximating the erfinv function" (GPU Computing Gems, 2010):
// erfinv(x) = x P(w) with w = -ln(1 - x^2) near 0, x Q(sqrt(w)) in the tails.
// The polynomials are our own fits.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Math.h"

using namespace mlir;
using namespace mlir::job;

// w < 5, in w - 2.5; error 2^-26.
static constexpr double centerF32[] = {
    1.501409360450329,       0.24664027905463662,    -0.004177392875203149,
    -0.001252726391773229,   0.00021834938623976644, -4.9724196894547514e-06,
    -3.4639852676333717e-06, 4.6813134805534123e-07, 2.3335967195708108e-08,
    -8.931925970244222e-09};

// w >= 5, in sqrt(w) - 3; error 2^-24 of a value above 2.
static constexpr double tailF32[] = {
    2.832976958421651,     1.0016746114682038,    0.00943724988736607,
    -0.007629365373563119, 0.005751115589626452,  -0.003650710703690003,
    0.0013203664790267865, 7.973493462458057e-05, -0.00017628656628592356};

// w < 6.25, in w - 3.125; error 2^-54.
static constexpr double centerF64[] = {
    1.6536545626831027,      0.2401581824255883,     -0.00603367087142785,
    -0.000740702534154477,   0.00018673420802464837, -1.3882523394405316e-05,
    -1.3654691850603575e-06, 4.234788173782339e-07,  -2.9070382262927266e-08,
    -4.11266082002324e-09,   1.0512181539804126e-09, -5.414287198084716e-11,
    -1.2976885526532075e-11, 2.6304834740560442e-12, -8.118399443074353e-14,
    -4.001237735091896e-14,  6.596407712420834e-15,  -4.0282154327661744e-17,
    -1.3016928016796445e-16, 1.557432024623325e-17,  1.150022252066253e-18,
    -3.4996044354754177e-19, -1.113483769832702e-21, 3.240704459379902e-21};

// 6.25 <= w < 16, in sqrt(w) - 3.25; error 2^-54.
static constexpr double middleF64[] = {
    3.0838856104922208,      1.0052589676941652,      0.00537091455357168,
    -0.003751208508215561,   0.0024914420969817607,   -0.0016882755357337071,
    0.0009532893637435638,   -0.00035503780975963814, 2.4031257015092525e-05,
    6.828708654753377e-05,   -4.731898412011245e-05,  1.2465167157087251e-05,
    2.9257291901789823e-06,  -3.986084395214756e-06,  1.4987130784186127e-06,
    -2.7004219280868947e-08, -2.713451105439456e-07,  1.3104351499972014e-07,
    6.969241977629694e-10,   -1.5102695423335065e-08};

// w >= 16, in sqrt(w) - 5; error 2^-55.
static constexpr double tailF64[] = {
    4.849906401408584,       1.0103004648645453,     -0.0001387193183793902,
    -0.00021503011982656274, 7.599527807604776e-05,  -1.9681770719043677e-05,
    4.526052743790951e-06,   -9.9302927406069e-07,   2.290516780486715e-07,
    -6.755650411430056e-08,  2.9021987809100164e-08, -1.525464535688987e-08,
    7.815701028842222e-09,   -3.471592786518304e-09, 1.3217356090705066e-09,
    -4.3752073162016196e-10, 6.646144734325842e-11,  4.2883063927487056e-11,
    -1.968931701962242e-11};

Value job::buildErfInv(const KernelBuilder &b, Value x) {
  Value one = b.constant(1);
  Value w = b.neg(buildLog(b, b.mul(b.sub(one, x), b.add(one, x))));
  // Near 0 the product above may round to a little more than 1.
  Value root = b.make<math::SqrtOp>(b.abs(w));
  auto part = [&](Value argument, double center, ArrayRef<double> c) {
    return b.polynomial(b.sub(argument, b.constant(center)), c);
  };
  Value p;
  if (b.isF64()) {
    Value outer = b.select(b.less(root, b.constant(4)),
                           part(root, 3.25, middleF64), part(root, 5, tailF64));
    p = b.select(b.less(w, b.constant(6.25)), part(w, 3.125, centerF64), outer);
  } else {
    p = b.select(b.less(w, b.constant(5)), part(w, 2.5, centerF32),
                 part(root, 3, tailF32));
  }
  // ln 0 at -1 and 1, NaN outside of them.
  p = b.select(b.compare(arith::CmpFPredicate::OEQ, w, b.infinity()), w, p);
  return b.mul(x, p);
}
