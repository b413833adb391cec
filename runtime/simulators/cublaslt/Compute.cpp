//===- Compute.cpp - The arithmetic of the stand-in for cuBLASLt ----------===//
//
// Sums are in f32, their terms in the order of k, in as many parts as the
// algorithm splits k into. Results are rounded once.
//
//===----------------------------------------------------------------------===//

#include "simulators/common/Elements.h"
#include "simulators/cublaslt/State.h"

#include <cstring>
#include <vector>

using namespace jobsim;
using namespace jobsim::cublaslt;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

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
