//===- KernelModelsTest.cpp - Kernels against the reference ---------------===//

#include "KernelTest.h"

#include "gtest/gtest.h"

#include <cstring>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::job;

namespace {

constexpr double ulp32 = 0x1p-23, ulp64 = 0x1p-52;

/// Draws operands; prints its seed when something has failed.
class Sampler {
public:
  explicit Sampler(uint64_t seed)
      : trace(__FILE__, __LINE__, "seed " + std::to_string(seed)),
        random(seed) {}

  /// Floats in (-3, 3), one in four a multiple of 1/2 so that ties occur, and
  /// NaN with the probability `nans`.
  ReferenceTensor floats(BlobType type, double nans = 0) {
    std::uniform_real_distribution<double> value(-3, 3), unit(0, 1);
    ReferenceTensor tensor(type);
    for (double &x : tensor.getFloats()) {
      x = value(random);
      if (unit(random) < 0.25)
        x = std::round(2 * x) / 2;
      if (unit(random) < nans)
        x = std::numeric_limits<double>::quiet_NaN();
    }
    tensor.roundToType();
    return tensor;
  }

  ReferenceTensor integers(BlobType type, int64_t low, int64_t high) {
    std::uniform_int_distribution<int64_t> value(low, high);
    ReferenceTensor tensor(type);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setInteger(i, value(random));
    return tensor;
  }

private:
  testing::ScopedTrace trace;
  std::mt19937_64 random;
};

std::string vectorOf(int64_t count, StringRef element) {
  return "!job.blob<" + std::to_string(count) + "x" + element.str() + ">";
}

/// The values at which conversions and comparisons go wrong.
ReferenceTensor specialValues(BlobType type) {
  ReferenceTensor tensor(type);
  if (tensor.isFloat()) {
    using Limits = std::numeric_limits<double>;
    double values[] = {0,
                       -0.0,
                       0.5,
                       -0.5,
                       1.5,
                       -1.5,
                       127,
                       128,
                       -128.5,
                       -129,
                       2147483647,
                       2147483648.0,
                       -2147483648.0,
                       -2147483649.0,
                       0x1p63,
                       -0x1p63,
                       0x1.fffffep62,
                       1e30,
                       -1e30,
                       0x1p-149,
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN()};
    auto &floats = tensor.getFloats();
    for (size_t i = 0; i < floats.size(); ++i)
      floats[i] = values[i % std::size(values)];
    tensor.roundToType();
    return tensor;
  }
  int64_t values[] = {0,
                      1,
                      -1,
                      2,
                      127,
                      -128,
                      16777217,
                      2147483647,
                      -2147483648,
                      9007199254740993,
                      std::numeric_limits<int64_t>::max(),
                      std::numeric_limits<int64_t>::min()};
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    tensor.setInteger(i, values[i % std::size(values)]);
  return tensor;
}

constexpr int64_t numSpecial = 23, numPairs = numSpecial * numSpecial;

/// Second operands of pairs: with the special values as the first ones, every
/// one of the first `numSpecial` meets every one.
ReferenceTensor partners(const ReferenceTensor &tensor) {
  ReferenceTensor result = tensor;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    int64_t from = (i + i / numSpecial) % numSpecial;
    if (tensor.isFloat())
      result.getFloats()[i] = tensor.getFloats()[from];
    else
      result.setInteger(i, tensor.getIntegers()[from]);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

const char *const numbers[] = {"f32", "f64", "i8", "i32", "i64"};

TEST(ElementwiseKernels, Unary) {
  for (StringRef element : numbers)
    for (StringRef op : {"neg", "abs", "sign"}) {
      std::string type = vectorOf(46, element);
      ParsedOp parsed(("job." + op + " %0 : " + type).str(), {type});
      expectReference(parsed, specialValues(parsed.getOperandType(0)), 0);
    }
  for (StringRef element : {"f32", "f64"})
    for (StringRef op : {"relu", "floor", "ceil", "round"}) {
      std::string type = vectorOf(46, element);
      ParsedOp parsed(("job." + op + " %0 : " + type).str(), {type});
      expectReference(parsed, specialValues(parsed.getOperandType(0)), 0);
    }
}

TEST(ElementwiseKernels, Logical) {
  std::string type = vectorOf(4, "i1");
  ParsedOp negation("job.logical_not %0 : " + type, {type});
  ReferenceTensor x(negation.getOperandType(0)), y = x;
  for (int64_t i : {0, 1})
    x.setInteger(i, 1);
  for (int64_t i : {0, 2})
    y.setInteger(i, 1);
  expectReference(negation, x, 0);
  for (StringRef op : {"and", "or"}) {
    ParsedOp parsed(("job.logical_" + op + " %0, %1 : " + type).str(),
                    {type, type});
    expectReference(parsed, {x, y}, 0);
  }
}

TEST(ElementwiseKernels, Binary) {
  for (StringRef element : numbers)
    for (StringRef op : {"add", "sub", "mul", "div", "maximum", "minimum"}) {
      if (op == "div" && element.starts_with("i"))
        continue;
      std::string type = vectorOf(numPairs, element);
      ParsedOp parsed(("job." + op + " %0, %1 : " + type).str(), {type, type});
      ReferenceTensor values = specialValues(parsed.getOperandType(0));
      expectReference(parsed, {values, partners(values)}, 0);
    }
}

TEST(ElementwiseKernels, Compare) {
  for (StringRef element : numbers)
    for (StringRef predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      std::string type = vectorOf(numPairs, element);
      ParsedOp parsed(("job.compare " + predicate + " %0, %1 : " + type).str(),
                      {type, type});
      ReferenceTensor values = specialValues(parsed.getOperandType(0));
      expectReference(parsed, {values, partners(values)}, 0);
    }
}

TEST(ElementwiseKernels, Select) {
  for (StringRef element :
       {"f16", "bf16", "f32", "f64", "i1", "i8", "ui8", "i32", "i64"}) {
    std::string type = vectorOf(numPairs, element);
    std::string mask = vectorOf(numPairs, "i1");
    ParsedOp parsed("job.select %0, %1, %2 : " + mask + ", " + type,
                    {mask, type, type});
    ReferenceTensor values = specialValues(parsed.getOperandType(1));
    expectReference(
        parsed,
        {specialValues(parsed.getOperandType(0)), values, partners(values)}, 0);
  }
}

TEST(ElementwiseKernels, Cast) {
  const char *elements[] = {"f16", "bf16", "f32", "f64", "i1",
                            "i8",  "ui8",  "i32", "i64"};
  for (StringRef from : elements)
    for (StringRef to : elements) {
      std::string source = vectorOf(46, from), target = vectorOf(46, to);
      ParsedOp parsed("job.cast %0 : " + source + " to " + target, {source});
      expectReference(parsed, specialValues(parsed.getOperandType(0)), 0);
    }
}

/// A blob of random bits; those around numbers with few digits are where
/// rounding goes wrong.
ReferenceTensor randomBits(BlobType type, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<char> bytes(type.getBytes());
  size_t size = bytes.size() / type.getNumElements();
  for (size_t at = 0; at < bytes.size(); at += size) {
    uint64_t bits = random();
    // Half of them end in zeros, give or take one.
    if (random() % 2) {
      uint64_t tail = random() % (8 * size);
      bits = (bits >> tail << tail) + random() % 3 - 1;
    }
    std::memcpy(&bytes[at], &bits, size);
  }
  return *ReferenceTensor::fromBytes(type, bytes);
}

TEST(ElementwiseKernels, CastEveryNumberOf16Bits) {
  for (StringRef from : {"f16", "bf16"})
    for (StringRef to : {"f32", "f64", "f16", "bf16", "i32", "ui8"}) {
      std::string source = vectorOf(1 << 16, from),
                  target = vectorOf(1 << 16, to);
      ParsedOp parsed("job.cast %0 : " + source + " to " + target, {source});
      std::vector<char> bytes(1 << 17);
      for (uint32_t bits = 0; bits < 1 << 16; ++bits)
        std::memcpy(&bytes[2 * bits], &bits, 2);
      auto values = ReferenceTensor::fromBytes(parsed.getOperandType(0), bytes);
      expectReference(parsed, *values, 0);
    }
}

TEST(ElementwiseKernels, CastTo16BitsRoundsOnce) {
  for (StringRef from : {"f32", "f64", "i32", "i64"})
    for (StringRef to : {"f16", "bf16"}) {
      std::string source = vectorOf(1 << 16, from),
                  target = vectorOf(1 << 16, to);
      ParsedOp parsed("job.cast %0 : " + source + " to " + target, {source});
      expectReference(parsed, randomBits(parsed.getOperandType(0), 1), 0);
      // Halfway between two numbers of the target, and next to it.
      ReferenceTensor near(parsed.getOperandType(0));
      if (!near.isFloat())
        continue;
      ParsedOp back("job.cast %0 : " + target + " to " + source, {target});
      ReferenceTensor numbers = randomBits(back.getOperandType(0), 2);
      double epsilon = from == "f64" ? ulp64 : ulp32;
      double half = to == "f16" ? 0x1p-11 : 0x1p-8;
      for (int64_t i = 0; i < near.getNumElements(); ++i) {
        double number = numbers.getFloats()[i];
        double unit = std::ldexp(1.0, std::ilogb(number));
        near.getFloats()[i] =
            number + half * unit + (i % 3 - 1) * epsilon * unit;
      }
      near.roundToType();
      expectReference(parsed, near, 0);
    }
}

//===----------------------------------------------------------------------===//
// Random
//===----------------------------------------------------------------------===//

ReferenceTensor scalar(BlobType type, int64_t value) {
  ReferenceTensor tensor(type);
  tensor.setInteger(0, value);
  return tensor;
}

TEST(RandomKernels, KnownAnswer) {
  // The published answer for key 0 and counter 0 begins with 6627e8d5.
  std::string word = "!job.blob<1xi64>";
  ParsedOp op("job.random_uniform %0, %1 {id = 0 : i64} : !job.blob<1xf32>",
              {word, word});
  ReferenceTensor zero = scalar(op.getOperandType(0), 0);
  ReferenceTensor result = runKernel(op, {zero, zero});
  EXPECT_EQ(result.getFloats()[0], ((0x6627e8d5 >> 9) + 0.5) * 0x1p-23);
}

TEST(RandomKernels, Uniform) {
  std::string word = "!job.blob<1xi64>";
  for (StringRef element : {"f32", "f64"})
    for (int64_t seed : {int64_t(0), int64_t(-1), int64_t(0x123456789abcdef)}) {
      std::string type = vectorOf(1000, element);
      ParsedOp op("job.random_uniform %0, %1 {id = 4294967123 : i64} : " + type,
                  {word, word});
      expectReference(op,
                      {scalar(op.getOperandType(0), seed),
                       scalar(op.getOperandType(1), (int64_t(7) << 32) + 5)},
                      0);
    }
}

TEST(RandomKernels, Dropout) {
  Sampler sampler(1);
  std::string word = "!job.blob<1xi64>";
  for (StringRef element : {"f32", "f64"})
    for (StringRef rate : {"0.0", "0.1", "0.5", "0.999999"}) {
      std::string type = vectorOf(1000, element);
      ParsedOp op("job.dropout %0, %1 {rate = " + rate.str() +
                      ", seed = -3 : i64, id = 9 : i64} : " + type,
                  {type, word});
      expectReference(op,
                      {sampler.floats(op.getOperandType(0), 0.1),
                       scalar(op.getOperandType(1), 3)},
                      element == "f32" ? ulp32 : ulp64);
    }
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

struct PoolCase {
  const char *shape; // of the input, without the element type
  const char *attributes;
};

const PoolCase poolCases[] = {
    // A partition, and one with cells left over.
    {"2x3x8x64", "ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                 "padding = array<i64: 0, 0, 0, 0>"},
    {"2x3x9x37", "ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                 "padding = array<i64: 0, 0, 0, 0>"},
    // Gaps between windows.
    {"2x1x11x23", "ksize = array<i64: 2, 3>, strides = array<i64: 3, 4>, "
                  "padding = array<i64: 0, 0, 0, 0>"},
    // Overlapping, with padding on all sides or some.
    {"1x2x14x40", "ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, "
                  "padding = array<i64: 1, 1, 1, 1>"},
    {"1x2x7x19", "ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, "
                 "padding = array<i64: 2, 0, 0, 1>"},
    {"1x2x6x6", "ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                "padding = array<i64: 1, 1, 1, 1>"},
    // Padding in one dimension only.
    {"1x2x6x20", "ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                 "padding = array<i64: 0, 1, 0, 1>"},
    {"1x2x6x20", "ksize = array<i64: 3, 1>, strides = array<i64: 2, 1>, "
                 "padding = array<i64: 1, 0, 2, 0>"},
    // Large windows: overlapping, disjoint, the whole plane, and more than it.
    {"1x2x13x17", "ksize = array<i64: 5, 4>, strides = array<i64: 3, 2>, "
                  "padding = array<i64: 2, 1, 2, 3>"},
    {"1x2x12x16", "ksize = array<i64: 4, 4>, strides = array<i64: 4, 4>, "
                  "padding = array<i64: 0, 0, 0, 0>"},
    {"2x3x7x7", "ksize = array<i64: 7, 7>, strides = array<i64: 1, 1>, "
                "padding = array<i64: 0, 0, 0, 0>"},
    {"2x3x2x3", "ksize = array<i64: 3, 5>, strides = array<i64: 1, 1>, "
                "padding = array<i64: 1, 2, 1, 2>"},
    {"1x1x1x1", "ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, "
                "padding = array<i64: 1, 1, 0, 0>"},
    // Channels last, of several vectors or a part of one: a partition, gaps and
    // padding, overlapping windows, large ones.
    {"2x4x6x35", "ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                 "padding = array<i64: 0, 0, 0, 0>, "
                 "layout = #job<layout nhwc>"},
    {"2x11x9x3", "ksize = array<i64: 2, 3>, strides = array<i64: 3, 4>, "
                 "padding = array<i64: 1, 1, 1, 2>, "
                 "layout = #job<layout nhwc>"},
    {"2x7x8x16", "ksize = array<i64: 3, 3>, strides = array<i64: 2, 1>, "
                 "padding = array<i64: 1, 2, 0, 1>, "
                 "layout = #job<layout nhwc>"},
    {"1x12x13x2", "ksize = array<i64: 12, 13>, strides = array<i64: 1, 1>, "
                  "padding = array<i64: 0, 0, 0, 0>, "
                  "layout = #job<layout nhwc>"},
};

TEST(PoolKernels, Reference) {
  Sampler sampler(2);
  for (StringRef element : {"f32", "f64"})
    for (const PoolCase &pool : poolCases)
      for (double nans : {0.0, 0.03}) {
        double ulp = element == "f32" ? ulp32 : ulp64;
        std::string input =
            "!job.blob<" + std::string(pool.shape) + "x" + element.str() + ">";
        std::string attributes = " {" + std::string(pool.attributes) + "} : ";
        ParsedOp max("job.max_pool2d %0" + attributes + input, {input});
        ReferenceTensor x = sampler.floats(max.getOperandType(0), nans);
        expectReference(max, x, 0);
        ParsedOp average("job.avg_pool2d %0" + attributes + input, {input});
        expectReference(average, x, 4 * ulp);

        std::string output = max.getResultTypeText();
        ReferenceTensor grad = sampler.floats(max.getResultType());
        ParsedOp maxGrad("job.max_pool2d_grad %0, %1" + attributes + output +
                             ", " + input,
                         {output, input});
        expectReference(maxGrad, {grad, x}, 4 * ulp);
        ParsedOp averageGrad("job.avg_pool2d_grad %0" + attributes + output +
                                 " -> " + input,
                             {output});
        expectReference(averageGrad, grad, 4 * ulp);
      }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

struct ReduceCase {
  const char *shape; // of the operand, without the element type
  const char *reducedShape, *axes;
};

const ReduceCase reduceCases[] = {
    // The innermost dimension reduced: shorter than a vector, one, and longer.
    {"3x5", "3", "1"},
    {"3x16", "3x1", "1"},
    {"7x37", "7", "1"},
    {"2x3x37", "3", "0, 2"},
    {"2x3x4x5", "1x3x1x1", "0, 2, 3"},
    {"100", "1", "0"},
    {"3x4x8", "1", "0, 1, 2"},
    // Kept.
    {"5x3", "3", "0"},
    {"5x16", "1x16", "0"},
    {"9x37", "37", "0"},
    {"2x5x3x20", "2x3x20", "1"},
    {"2x5x3x7", "5x7", "0, 2"},
    // Dimensions of one element, and nothing reduced.
    {"1x7x1", "1", "0, 1, 2"},
    {"4x1x3", "4x3", "1"},
    {"1", "1", "0"},
};

TEST(ReduceKernels, Gradients) {
  Sampler sampler(6);
  for (StringRef element : {"f32", "f64"})
    for (const ReduceCase &reduce : reduceCases)
      for (double nans : {0.0, 0.1}) {
        double ulp = element == "f32" ? ulp32 : ulp64;
        std::string type = "!job.blob<" + std::string(reduce.shape) + "x" +
                           element.str() + ">";
        std::string reduced = "!job.blob<" + std::string(reduce.reducedShape) +
                              "x" + element.str() + ">";
        std::string attributes =
            " {axes = array<i64: " + std::string(reduce.axes) + ">} : ";
        auto parse = [&](StringRef op) {
          return ParsedOp(
              ("job." + op + " %0, %1, %2" + attributes + reduced + ", " + type)
                  .str(),
              {reduced, type, reduced});
        };
        ParsedOp extremumGrad = parse("reduce_extremum_grad");
        ReferenceTensor x =
            sampler.floats(extremumGrad.getOperandType(1), nans);
        ReferenceTensor grad = sampler.floats(extremumGrad.getOperandType(0));
        for (StringRef op : {"reduce_max", "reduce_min"}) {
          ParsedOp extremum(("job." + op + " %0" + attributes + type).str(),
                            {type});
          // Each op has a context, and so types, of its own.
          ReferenceTensor found = extremum.evaluate(x);
          ReferenceTensor most(extremumGrad.getOperandType(0));
          ASSERT_EQ(found.getNumElements(), most.getNumElements());
          llvm::copy(found.getFloats(), most.getFloats().begin());
          expectReference(extremumGrad, {grad, x, most}, 0);
        }
        // Small magnitudes, or the largest product would hide the others; and
        // some zeros.
        for (double &value : x.getFloats())
          value = value == 0 ? 0 : value / std::abs(value) + value / 16;
        x.roundToType();
        expectReference(parse("reduce_prod_grad"), {grad, x, grad}, 256 * ulp);
      }
}

TEST(ReduceKernels, ArgMax) {
  Sampler sampler(7);
  for (StringRef element : numbers)
    for (const char *shape : {"3x5", "16x7", "37x19", "100", "1", "2x37x3",
                              "2x3x40", "3x1x5", "2x3x4x33"})
      for (int axis = 0, rank = StringRef(shape).count('x') + 1; axis < rank;
           ++axis) {
        std::string type =
            "!job.blob<" + std::string(shape) + "x" + element.str() + ">";
        ParsedOp op("job.argmax %0 {axis = " + std::to_string(axis) +
                        " : i64} : " + type,
                    {type});
        BlobType operand = op.getOperandType(0);
        if (element.starts_with("i")) {
          expectReference(op, sampler.integers(operand, -3, 3), 0);
          expectReference(op, specialValues(operand), 0);
          continue;
        }
        expectReference(op, sampler.floats(operand), 0);
        expectReference(op, sampler.floats(operand, 0.1), 0);
        // Nothing is larger than the lowest.
        ReferenceTensor lowest(operand);
        for (double &value : lowest.getFloats())
          value = -std::numeric_limits<double>::infinity();
        expectReference(op, lowest, 0);
      }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

struct PadCase {
  const char *shape, *low, *high, *interior;
};

const PadCase padCases[] = {
    {"7", "2", "3", "0"},
    {"7", "0", "0", "2"},
    {"1", "4", "0", "9"},
    {"4x5", "0, 0", "0, 0", "0, 0"},
    {"4x5", "1, 0", "0, 0", "0, 0"},
    {"4x5", "0, 1", "0, 2", "0, 0"},
    {"4x40", "2, 0", "1, 0", "1, 0"},
    {"4x5x3", "0, 1, 0", "0, 2, 0", "0, 1, 0"},
    {"2x3x4x5", "1, 0, 2, 1", "0, 1, 0, 3", "1, 2, 0, 1"},
    {"2x3x4x5", "0, 0, 1, 1", "0, 0, 1, 1", "0, 0, 0, 0"},
    // Rows of several items.
    {"9001", "4097", "4095", "0"},
    {"3001", "4097", "4095", "1"},
    {"2x3001x2", "0, 5, 0", "0, 4000, 0", "0, 1, 0"},
};

TEST(ShapeKernels, Pad) {
  Sampler sampler(8);
  for (StringRef element : numbers)
    for (const PadCase &pad : padCases)
      for (const char *value : {"0.0", "2.5", "-1.0e30"}) {
        std::string type =
            "!job.blob<" + std::string(pad.shape) + "x" + element.str() + ">";
        ParsedOp op("job.pad %0 {low = array<i64: " + std::string(pad.low) +
                        ">, high = array<i64: " + pad.high +
                        ">, interior = array<i64: " + pad.interior +
                        ">, value = " + value + " : f64} : " + type,
                    {type});
        BlobType operand = op.getOperandType(0);
        expectReference(op,
                        element.starts_with("i")
                            ? sampler.integers(operand, -100, 100)
                            : sampler.floats(operand),
                        0);
      }
}

TEST(ShapeKernels, Concat) {
  Sampler sampler(9);
  const std::pair<std::vector<std::string>, int> cases[] = {
      {{"5", "1", "3"}, 0},
      {{"4x5", "4x1", "4x7"}, 1},
      {{"4x5", "1x5", "2x5"}, 0},
      {{"2x3x4x5", "2x1x4x5"}, 1},
      {{"1x1"}, 1},
      // Items that lie in one operand, in several, and across.
      {{"5003", "4099", "1", "7001"}, 0},
      {{"3x5003", "3x1", "3x4099"}, 1},
  };
  for (StringRef element : {"f32", "f64", "i1", "i8", "i32", "i64"})
    for (const auto &[shapes, axis] : cases) {
      std::string arguments, types;
      SmallVector<std::string> operandTypes;
      for (auto [index, shape] : llvm::enumerate(shapes)) {
        std::string separator = index ? ", " : "";
        operandTypes.push_back("!job.blob<" + shape + "x" + element.str() +
                               ">");
        arguments += separator + "%" + std::to_string(index);
        types += separator + operandTypes.back();
      }
      ParsedOp op("job.concat " + arguments +
                      " {axis = " + std::to_string(axis) + " : i64} : " + types,
                  operandTypes);
      SmallVector<ReferenceTensor> operands;
      for (size_t i = 0; i < shapes.size(); ++i)
        operands.push_back(element.starts_with("i")
                               ? sampler.integers(op.getOperandType(i), 0, 1)
                               : sampler.floats(op.getOperandType(i)));
      expectReference(op, operands, 0);
    }
}

TEST(ShapeKernels, Iota) {
  for (StringRef element : numbers) {
    ParsedOp op("job.iota {axis = 0 : i64} : " + vectorOf(300, element), {});
    expectReference(op, {}, 0);
  }
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

TEST(LossKernels, Reference) {
  Sampler sampler(3);
  for (StringRef element : {"f32", "f64"})
    for (StringRef label : {"i8", "i32", "i64"})
      for (int64_t classes : {1, 2, 10, 15, 16, 17, 48, 1000}) {
        double tolerance = 1e2 * (element == "f32" ? ulp32 : ulp64);
        std::string rows = "3x4x";
        std::string logits = "!job.blob<" + rows + std::to_string(classes) +
                             "x" + element.str() + ">";
        std::string labels = "!job.blob<" + rows + label.str() + ">";
        ParsedOp loss("job.sparse_softmax_cross_entropy %0, %1 : " + logits +
                          ", " + labels,
                      {logits, labels});
        ReferenceTensor x = sampler.floats(loss.getOperandType(0));
        // One row with a NaN, one with infinite logits, one with large ones.
        std::vector<double> &values = x.getFloats();
        values[0] = std::numeric_limits<double>::quiet_NaN();
        values[classes] = std::numeric_limits<double>::infinity();
        values[2 * classes] = 1000;
        values[4 * classes - 1] = -std::numeric_limits<double>::infinity();
        // Labels outside of the classes occur, on both sides.
        ReferenceTensor y = sampler.integers(loss.getOperandType(1), -1,
                                             std::min<int64_t>(classes, 100));
        expectReference(loss, {x, y}, tolerance);

        std::string gradType = loss.getResultTypeText();
        ParsedOp grad("job.sparse_softmax_cross_entropy_grad %0, %1, %2 : " +
                          gradType + ", " + logits + ", " + labels,
                      {gradType, logits, labels});
        expectReference(grad, {sampler.floats(loss.getResultType()), x, y},
                        tolerance);
      }
}

//===----------------------------------------------------------------------===//
// Matrix products and convolutions
//===----------------------------------------------------------------------===//

TEST(MatMulKernels, Reference) {
  Sampler sampler(4);
  for (bool transposeLhs : {false, true})
    for (bool transposeRhs : {false, true}) {
      std::string lhs =
          transposeLhs ? "!job.blob<7x5xf64>" : "!job.blob<5x7xf64>";
      std::string rhs =
          transposeRhs ? "!job.blob<9x7xf64>" : "!job.blob<7x9xf64>";
      ParsedOp op("job.matmul %0, %1 {transpose_lhs = " +
                      std::string(transposeLhs ? "true" : "false") +
                      ", transpose_rhs = " + (transposeRhs ? "true" : "false") +
                      "} : " + lhs + ", " + rhs,
                  {lhs, rhs});
      expectReference(op,
                      {sampler.floats(op.getOperandType(0)),
                       sampler.floats(op.getOperandType(1))},
                      8 * ulp64);
    }
}

struct ConvCase {
  const char *input, *filter, *attributes;
};

const ConvCase convCases[] = {
    {"2x3x8x9", "4x3x3x3",
     "strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, "
     "dilations = array<i64: 1, 1>, groups = 1 : i64"},
    {"2x4x9x7", "6x2x3x2",
     "strides = array<i64: 2, 3>, padding = array<i64: 2, 0, 1, 1>, "
     "dilations = array<i64: 1, 2>, groups = 2 : i64"},
    {"1x3x7x7", "3x1x2x3",
     "strides = array<i64: 3, 1>, padding = array<i64: 0, 0, 0, 0>, "
     "dilations = array<i64: 2, 1>, groups = 3 : i64"},
    {"2x2x3x3", "2x2x1x1",
     "strides = array<i64: 2, 2>, padding = array<i64: 1, 2, 3, 0>, "
     "dilations = array<i64: 1, 1>, groups = 1 : i64"},
    {"2x9x7x4", "6x3x2x2",
     "strides = array<i64: 2, 3>, padding = array<i64: 2, 0, 1, 1>, "
     "dilations = array<i64: 1, 2>, groups = 2 : i64, "
     "layout = #job<layout nhwc>"},
};

std::string withElement(const char *shape, StringRef element) {
  return "!job.blob<" + std::string(shape) + "x" + element.str() + ">";
}

TEST(ConvKernels, Reference) {
  Sampler sampler(5);
  for (const ConvCase &conv : convCases) {
    std::string input = withElement(conv.input, "f64");
    std::string filter = withElement(conv.filter, "f64");
    std::string attributes = " {" + std::string(conv.attributes) + "} : ";
    ParsedOp forward("job.conv2d %0, %1" + attributes + input + ", " + filter,
                     {input, filter});
    ReferenceTensor x = sampler.floats(forward.getOperandType(0));
    ReferenceTensor f = sampler.floats(forward.getOperandType(1));
    ReferenceTensor grad = sampler.floats(forward.getResultType());
    expectReference(forward, {x, f}, 16 * ulp64);
    std::string output = forward.getResultTypeText();
    ParsedOp dataGrad("job.conv2d_data_grad %0, %1" + attributes + output +
                          ", " + filter + " -> " + input,
                      {output, filter});
    expectReference(dataGrad, {grad, f}, 16 * ulp64);
    ParsedOp filterGrad("job.conv2d_filter_grad %0, %1" + attributes + output +
                            ", " + input + " -> " + filter,
                        {output, input});
    expectReference(filterGrad, {grad, x}, 16 * ulp64);
  }
}

TEST(ConvKernels, InfiniteFilterAndPadding) {
  std::string input = "!job.blob<1x1x3x3xf64>",
              filter = "!job.blob<1x1x3x3xf64>";
  ParsedOp op("job.conv2d %0, %1 {strides = array<i64: 1, 1>, padding = "
              "array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = "
              "1 : i64} : " +
                  input + ", " + filter,
              {input, filter});
  ReferenceTensor x(op.getOperandType(0)), f(op.getOperandType(1));
  x.getFloats().assign(9, 1);
  f.getFloats().assign(9, 1);
  f.getFloats()[0] = std::numeric_limits<double>::infinity();
  expectReference(op, {x, f}, 0);
  // The first output's first tap lies in the padding.
  EXPECT_EQ(runKernel(op, {x, f}).getFloats()[0], 4);
}

} // namespace
