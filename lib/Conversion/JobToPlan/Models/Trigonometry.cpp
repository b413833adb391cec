//===- Trigonometry.cpp - Sine, cosine and tangent ------------------------===//
//
// The argument is reduced after Payne and Hanek ("Radian reduction for
// trigonometric functions", 1983) for every size of it: only those bits of 2/pi
// are multiplied that reach neither above the quadrant nor below the result's
// precision.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Math.h"

using namespace mlir;
using namespace mlir::job;

/// The first 1280 bits of 2/pi behind the point.
static constexpr uint64_t twoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// `width` bits of 2/pi from bit `position` on; bits at negative positions are
/// those before the point, 0.
static uint64_t getTwoOverPiBits(int64_t position, int64_t width) {
  uint64_t bits = 0;
  for (int64_t i = position; i < position + width; ++i) {
    uint64_t bit = i < 0 ? 0 : (twoOverPi[i / 64] >> (63 - i % 64)) & 1;
    bits = bits << 1 | bit;
  }
  return bits;
}

namespace {
/// |x| = quadrant * pi/2 + r (modulo 2 pi) with |r| <= pi/4.
struct ReducedAngle {
  Value quadrant; // the two low bits count
  Value r;
};
} // namespace

/// Three words of 2/pi such that, as a number with two words before the point,
/// their product with the mantissa of a float of exponent `start - 1` is
/// |x| * 2/pi in units of 2^-(2 width - 2), modulo 4.
static std::array<Value, 3> selectWords(const KernelBuilder &b, Value start) {
  int64_t width = b.getWidth();
  // The float's largest exponent is its bias.
  int64_t maxStart = b.getBias() + 2;
  int64_t count = maxStart / width + 4;
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(b.intConstant(
        getTwoOverPiBits(i * width - (b.getMantissaBits() + 3), width)));

  // Moves the wanted words to the front, one bit of their index at a time.
  Value wordBits = b.intConstant(llvm::Log2_64(width));
  Value index = b.shr(start, wordBits);
  for (int64_t step = llvm::bit_floor<uint64_t>(maxStart / width); step > 0;
       step /= 2) {
    Value moves =
        b.compare(arith::CmpIPredicate::ne, b.andI(index, b.intConstant(step)),
                  b.intConstant(0));
    int64_t kept = step - 1 + 4;
    for (int64_t i = 0; i < kept && i + step < int64_t(words.size()); ++i)
      words[i] = b.select(moves, words[i + step], words[i]);
    words.resize(std::min<int64_t>(kept, words.size()));
  }

  Value shift = b.andI(start, b.intConstant(width - 1));
  Value rest = b.sub(b.intConstant(width - 1), shift);
  Value one = b.intConstant(1);
  std::array<Value, 3> aligned;
  for (int i = 0; i < 3; ++i)
    aligned[i] =
        b.orI(b.shl(words[i], shift), b.shr(b.shr(words[i + 1], one), rest));
  return aligned;
}

static ReducedAngle reduceAngle(const KernelBuilder &b, Value magnitude) {
  int64_t width = b.getWidth();
  Value mantissaBits = b.intConstant(b.getMantissaBits());
  Value bits = b.bits(magnitude);
  int64_t hiddenBit = int64_t(1) << b.getMantissaBits();
  Value mantissa = b.orI(b.andI(bits, b.intConstant(hiddenBit - 1)),
                         b.intConstant(hiddenBit));
  // Below 1/2 nothing is reduced, and `start` is kept in range.
  Value small = b.less(magnitude, b.constant(0.5));
  Value start =
      b.sub(b.shr(bits, mantissaBits), b.intConstant(b.getBias() - 1));
  start = b.select(small, b.intConstant(0), start);
  std::array<Value, 3> words = selectWords(b, start);

  Value quadrant, r;
  if (b.isF64()) {
    // A product of two words: its low one, and its high one modulo 2^64.
    auto middle = arith::MulUIExtendedOp::create(b.getBuilder(), b.getLoc(),
                                                 mantissa, words[1]);
    auto last = arith::MulUIExtendedOp::create(b.getBuilder(), b.getLoc(),
                                               mantissa, words[2]);
    auto low = arith::AddUIExtendedOp::create(b.getBuilder(), b.getLoc(),
                                              middle.getLow(), last.getHigh());
    Value carry = b.make<arith::ExtUIOp>(b.intType(), low.getOverflow());
    Value high =
        b.add(b.add(b.mul(mantissa, words[0]), middle.getHigh()), carry);
    Value unit = b.intConstant(width - 2);
    quadrant =
        b.shr(b.add(high, b.intConstant(int64_t(1) << (width - 3))), unit);
    Value rest = b.sub(high, b.shl(quadrant, unit));
    // In units of pi/2 * 2^-126; the high word alone holds 53 bits unless the
    // angle is near a multiple of pi/2.
    constexpr double halfPi = 1.5707963267948966;
    Value restHigh = b.make<arith::SIToFPOp>(b.getType(), rest);
    Value restLow = b.make<arith::UIToFPOp>(b.getType(), low.getSum());
    Value sum = b.fma(restLow, b.constant(0x1p-64), restHigh);
    r = b.mul(sum, b.constant(halfPi * 0x1p-62));
  } else {
    KernelBuilder wide = b.withElementType(b.getBuilder().getF64Type());
    Type i64 = wide.intType();
    auto extend = [&](Value value) {
      return wide.make<arith::ExtUIOp>(i64, value);
    };
    Value m = extend(mantissa);
    Value word = wide.intConstant(width);
    Value product =
        wide.add(wide.shl(wide.mul(m, extend(words[0])), word),
                 wide.add(wide.mul(m, extend(words[1])),
                          wide.shr(wide.mul(m, extend(words[2])), word)));
    Value unit = wide.intConstant(2 * width - 2);
    Value wideQuadrant = wide.shr(
        wide.add(product, wide.intConstant(int64_t(1) << (2 * width - 3))),
        unit);
    Value rest = wide.sub(product, wide.shl(wideQuadrant, unit));
    constexpr double halfPi = 1.5707963267948966;
    Value angle = wide.mul(wide.make<arith::SIToFPOp>(wide.getType(), rest),
                           wide.constant(halfPi * 0x1p-62));
    r = b.make<arith::TruncFOp>(b.getType(), angle);
    quadrant = b.make<arith::TruncIOp>(b.intType(), wideQuadrant);
  }
  return {b.select(small, b.intConstant(0), quadrant),
          b.select(small, magnitude, r)};
}

namespace {
struct SinCos {
  Value sine, cosine;
};
} // namespace

/// Of |r| <= pi/4.
static SinCos buildSinCos(const KernelBuilder &b, Value r) {
  Value z = b.mul(r, r);
  // (sin(r) / r - 1) / r^2; error after scaling 2^-66 and 2^-26.
  Value sine = b.polynomial(
      z, b.isF64()
             ? ArrayRef<double>{-0.16666666666666666, 0.008333333333333331,
                                -0.00019841269841265017, 2.755731921930192e-06,
                                -2.5052106219521895e-08, 1.6058529572267877e-10,
                                -7.586576588171073e-13}
             : ArrayRef<double>{-0.16666664650292082, 0.008332745936380422,
                                -0.00019587387068464455});
  sine = b.fma(b.mul(r, z), sine, r);
  // (cos(r) - 1 + r^2 / 2) / r^4; error after scaling 2^-70 and 2^-30.
  Value cosine = b.polynomial(
      z, b.isF64()
             ? ArrayRef<double>{0.041666666666666664, -0.0013888888888888887,
                                2.4801587301584618e-05, -2.7557319221382114e-07,
                                2.087675578389404e-09, -1.1470459749675607e-11,
                                4.745804889760674e-14}
             : ArrayRef<double>{0.04166666464745738, -0.00138883006969039,
                                2.45474372101932e-05});
  cosine =
      b.fma(b.mul(z, z), cosine, b.fma(z, b.constant(-0.5), b.constant(1)));
  return {sine, cosine};
}

static Value hasQuadrantBit(const KernelBuilder &b, ReducedAngle angle,
                            int64_t bit) {
  return b.compare(arith::CmpIPredicate::ne,
                   b.andI(angle.quadrant, b.intConstant(bit)),
                   b.intConstant(0));
}

/// sin(r + quadrant * pi/2) for |r| <= pi/4.
static Value buildSinOfReduced(const KernelBuilder &b, ReducedAngle angle) {
  SinCos both = buildSinCos(b, angle.r);
  Value value = b.select(hasQuadrantBit(b, angle, 1), both.cosine, both.sine);
  return b.select(hasQuadrantBit(b, angle, 2), b.neg(value), value);
}

/// `value` with its sign inverted where x has one. -0 has one.
static Value multiplySign(const KernelBuilder &b, Value value, Value x) {
  Value sign =
      b.andI(b.bits(x), b.intConstant(std::numeric_limits<int64_t>::min() >>
                                      (64 - b.getWidth())));
  return b.fromBits(b.xorI(b.bits(value), sign));
}

/// NaN where x is infinite or NaN.
static Value selectFinite(const KernelBuilder &b, Value magnitude,
                          Value value) {
  return b.select(b.less(magnitude, b.infinity()), value, b.nan());
}

Value job::buildSin(const KernelBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  Value sine = buildSinOfReduced(b, reduceAngle(b, magnitude));
  // The sine is odd, that of -0 included.
  return selectFinite(b, magnitude, multiplySign(b, sine, x));
}

Value job::buildCos(const KernelBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  ReducedAngle angle = reduceAngle(b, magnitude);
  angle.quadrant = b.add(angle.quadrant, b.intConstant(1));
  return selectFinite(b, magnitude, buildSinOfReduced(b, angle));
}

Value job::buildTan(const KernelBuilder &b, Value x) {
  Value magnitude = b.abs(x);
  ReducedAngle angle = reduceAngle(b, magnitude);
  SinCos both = buildSinCos(b, angle.r);
  // A quarter further, the tangent is the negative of its reciprocal.
  Value isOdd = hasQuadrantBit(b, angle, 1);
  Value numerator = b.select(isOdd, b.neg(both.cosine), both.sine);
  Value denominator = b.select(isOdd, both.sine, both.cosine);
  Value tangent = b.div(numerator, denominator);
  return selectFinite(b, magnitude, multiplySign(b, tangent, x));
}
