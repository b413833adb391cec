//===- Compute.cpp - The arithmetic of the stand-in for cuBLASLt ----------===//
//
// Sums are in f32, their terms in the order of k, in as many parts as the
// algorithm splits k into. Results are rounded once.
//
//===----------------------------------------------------------------------===//

#include "simulators/cublaslt/State.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

using namespace jobsim::cublaslt;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static float fromBF16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

/// Rounds to the nearest multiple of 2^dropped units in the last place, ties to
/// even.
static uint32_t roundBits(uint32_t bits, unsigned dropped) {
  uint32_t odd = bits >> dropped & 1;
  return bits + (uint32_t(1) << (dropped - 1)) - 1 + odd;
}

static uint16_t toBF16(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return bits >> 16 | 0x40;
  return roundBits(bits, 16) >> 16;
}

static float fromF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f,
           mantissa = bits & 0x3ff;
  if (exponent == 0x1f)
    return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent > 0)
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = std::ldexp(float(mantissa), -24);
  return sign ? -magnitude : magnitude;
}

static uint16_t toF16(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = bits >> 16 & 0x8000;
  float magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  // Half a unit above the largest number.
  if (magnitude >= 65520)
    return sign | 0x7c00;
  // Subnormal: multiples of 2^-24.
  if (magnitude < 0x1p-14f)
    return sign | uint16_t(std::nearbyint(magnitude * 0x1p24f));
  uint32_t rounded = roundBits(bits & 0x7fffffff, 13);
  return sign | uint16_t((rounded >> 13) - (112 << 10));
}

/// To the 10 bits of mantissa that tensor cores read.
static float toTF32(float value) {
  if (!std::isfinite(value))
    return value;
  return std::bit_cast<float>(roundBits(std::bit_cast<uint32_t>(value), 13) &
                              ~uint32_t(0x1fff));
}

static float load(int32_t type, const void *array, uint64_t index) {
  if (type == kTypeF32)
    return static_cast<const float *>(array)[index];
  uint16_t bits = static_cast<const uint16_t *>(array)[index];
  return type == kTypeF16 ? fromF16(bits) : fromBF16(bits);
}

static void store(int32_t type, void *array, uint64_t index, float value) {
  if (type == kTypeF32)
    static_cast<float *>(array)[index] = value;
  else
    static_cast<uint16_t *>(array)[index] =
        type == kTypeF16 ? toF16(value) : toBF16(value);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// One matrix of a factor as f32, `columns` columns of `rows` rows after the
/// transposition.
static std::vector<float> loadFactor(const MatrixLayoutData &layout,
                                     int32_t operation, const void *array,
                                     int32_t batch, bool isTF32, uint64_t rows,
                                     uint64_t columns) {
  std::vector<float> factor(rows * columns);
  uint64_t base = uint64_t(batch) * layout.batchOffset;
  bool transposed = operation == kOperationT;
  for (uint64_t column = 0; column < columns; ++column)
    for (uint64_t row = 0; row < rows; ++row) {
      uint64_t index = base + (transposed ? row * layout.leading + column
                                          : column * layout.leading + row);
      float value = load(layout.type, array, index);
      factor[column * rows + row] = isTF32 ? toTF32(value) : value;
    }
  return factor;
}

/// Adds the terms from `begin` to `end` of one column of the product.
static void addTerms(const float *a, const float *b, uint64_t rows,
                     uint64_t begin, uint64_t end, float *sums) {
  for (uint64_t k = begin; k < end; ++k) {
    float factor = b[k];
    const float *column = a + k * rows;
    for (uint64_t row = 0; row < rows; ++row)
      sums[row] += column[row] * factor;
  }
}

static void runMatrix(const Product &product, int32_t batch) {
  const Problem &problem = product.problem;
  const MatmulDescData &desc = problem.desc;
  const MatrixLayoutData &d = problem.d;
  uint64_t rows = d.rows, columns = d.columns;
  uint64_t terms =
      desc.transposeA == kOperationT ? problem.a.rows : problem.a.columns;
  bool isTF32 = desc.computeType == kComputeFastTF32;
  std::vector<float> a = loadFactor(problem.a, desc.transposeA, product.a,
                                    batch, isTF32, rows, terms),
                     b = loadFactor(problem.b, desc.transposeB, product.b,
                                    batch, isTF32, terms, columns);
  uint32_t parts = product.selection.splitK;
  std::vector<float> sums(rows), partial(rows);
  for (uint64_t column = 0; column < columns; ++column) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (uint32_t part = 0; part < parts; ++part) {
      std::fill(partial.begin(), partial.end(), 0.0f);
      addTerms(a.data(), b.data() + column * terms, rows, terms * part / parts,
               terms * (part + 1) / parts, partial.data());
      for (uint64_t row = 0; row < rows; ++row)
        sums[row] += partial[row];
    }
    for (uint64_t row = 0; row < rows; ++row) {
      float value = product.alpha * sums[row];
      if (product.c)
        value += product.beta * load(problem.c.type, product.c,
                                     uint64_t(batch) * problem.c.batchOffset +
                                         column * problem.c.leading + row);
      if (desc.epilogue != kEpilogueDefault)
        value += load(d.type, desc.bias, row);
      if (desc.epilogue == kEpilogueReluBias && value < 0)
        value = 0;
      store(d.type, product.d,
            uint64_t(batch) * d.batchOffset + column * d.leading + row, value);
    }
  }
}

void jobsim::cublaslt::runProduct(const Product &product) {
  // What it holds is the library's: a program that reads it shows.
  if (product.selection.workspaceBytes > 0)
    std::memset(product.workspace, 0xff, product.selection.workspaceBytes);
  for (int32_t batch = 0; batch < product.problem.d.batchCount; ++batch)
    runMatrix(product, batch);
}
