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

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

// The library's gelu is the approximation with a hyperbolic tangent.
static constexpr float kGeluScale = 0.7978845608f, kGeluCubic = 0.044715f;

static float gelu(float x) {
  return 0.5f * x * (1 + std::tanh(kGeluScale * (x + kGeluCubic * x * x * x)));
}

static float geluDerivative(float x) {
  float tangent = std::tanh(kGeluScale * (x + kGeluCubic * x * x * x));
  return 0.5f * (1 + tangent) + 0.5f * x * (1 - tangent * tangent) *
                                    kGeluScale * (1 + 3 * kGeluCubic * x * x);
}

namespace {
/// What follows the sums of a product.
class Epilogue {
public:
  explicit Epilogue(const Product &product)
      : problem(product.problem), traits(*getTraits(product.problem)) {
    biasGrad.resize(traits.biasGrad);
  }

  /// The result for an element of the product.
  float apply(uint64_t row, uint64_t column, float value);
  /// Adds a factor's elements to the gradient of a bias that is a sum of them.
  void addFactors(const std::vector<float> &a, const std::vector<float> &b,
                  uint64_t terms);
  void storeBiasGrad() const;

private:
  bool getMask(uint64_t index) const {
    return static_cast<const uint8_t *>(problem.desc.aux)[index / 8] >>
               index % 8 &
           1;
  }
  void setMask(uint64_t index, bool isSet) const {
    uint8_t &byte =
        static_cast<uint8_t *>(const_cast<void *>(problem.desc.aux))[index / 8];
    byte = (byte & ~(1 << index % 8)) | isSet << index % 8;
  }

  const Problem &problem;
  EpilogueTraits traits;
  std::vector<float> biasGrad;
};
} // namespace

float Epilogue::apply(uint64_t row, uint64_t column, float value) {
  const MatmulDescData &desc = problem.desc;
  int32_t type = problem.d.type;
  uint64_t aux = column * desc.auxLeading + row;
  if (traits.addsBias)
    value += load(type, desc.bias, row);
  if (traits.isGradient) {
    value = traits.isGelu  ? value * geluDerivative(load(type, desc.aux, aux))
            : getMask(aux) ? value
                           : 0;
    if (traits.biasGrad)
      biasGrad[row] += value;
    return value;
  }
  if (traits.hasAux && traits.isRelu)
    setMask(aux, value > 0);
  if (traits.hasAux && traits.isGelu)
    store(type, const_cast<void *>(desc.aux), aux, value);
  if (traits.isGelu)
    return gelu(value);
  return traits.isRelu && value < 0 ? 0 : value;
}

void Epilogue::addFactors(const std::vector<float> &a,
                          const std::vector<float> &b, uint64_t terms) {
  uint64_t rows = problem.d.rows;
  for (uint64_t k = 0; k < terms; ++k)
    for (uint64_t i = 0; i < biasGrad.size(); ++i)
      if (problem.desc.epilogue == kEpilogueBGradA)
        biasGrad[i] += a[k * rows + i];
      else if (problem.desc.epilogue == kEpilogueBGradB)
        biasGrad[i] += b[i * terms + k];
}

void Epilogue::storeBiasGrad() const {
  for (uint64_t i = 0; i < biasGrad.size(); ++i)
    store(problem.d.type, const_cast<void *>(problem.desc.bias), i,
          biasGrad[i]);
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
  Epilogue epilogue(product);
  epilogue.addFactors(a, b, terms);
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
      store(d.type, product.d,
            uint64_t(batch) * d.batchOffset + column * d.leading + row,
            epilogue.apply(row, column, value));
    }
  }
  epilogue.storeBiasGrad();
}

void jobsim::cublaslt::runProduct(const Product &product) {
  // What it holds is the library's: a program that reads it shows.
  if (product.selection.workspaceBytes > 0)
    std::memset(product.workspace, 0xff, product.selection.workspaceBytes);
  for (int32_t batch = 0; batch < product.problem.d.batchCount; ++batch)
    runMatrix(product, batch);
}
