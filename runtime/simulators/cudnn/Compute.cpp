//===- Compute.cpp - The arithmetic of the stand-in for cuDNN -------------===//
//
// Arrays are copied to f32 in the order n, c, h, w. Large convolutions are
// those of oneDNN, where there is one. In the loops each image is a product
// with the matrix of its taps (im2col), whose sums are in f32, their terms in
// one order; gradients of the filter are sums over images of the sums over the
// positions of each. Results are rounded once.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/Arrays.h"
#include "simulators/cudnn/Convolution.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace jobsim;
using namespace jobsim::cudnn;

//===----------------------------------------------------------------------===//
// Factors and results
//===----------------------------------------------------------------------===//

/// A factor, rounded as an engine does.
static std::vector<float> loadFactor(const Tensor &tensor, const void *array,
                                     const Numerics &numerics) {
  std::vector<float> values = loadAll(tensor, array);
  for (float &value : values) {
    if (numerics.isTF32 && tensor.type == kTypeF32)
      value = toTF32(value);
    if (numerics.roundsToBF16)
      value = fromBF16(toBF16(value));
  }
  return values;
}

/// Finishes the sums of the result, and rounds them once.
static void storeResult(const Problem &problem, const std::vector<float> &sums,
                        void *result, const void *biasArray) {
  const Tensor &tensor = problem.result();
  std::vector<float> bias;
  if (problem.bias)
    bias = loadAll(*problem.bias, biasArray);
  int64_t channels = tensor.dims[1],
          positions = tensor.dims[2] * tensor.dims[3];
  forEachElement(tensor, [&](int64_t index, int64_t offset) {
    float value = problem.alpha * sums[index];
    if (problem.beta != 0)
      value += problem.beta * load(tensor.type, result, offset);
    if (problem.bias)
      value += bias[index / positions % channels];
    bool isHidden = std::isnan(value) && !problem.propagatesNaN;
    if (problem.hasRelu && (value < 0 || isHidden))
      value = 0;
    store(tensor.type, result, offset, value);
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// y[0..count) += factor * x[0..count)
static void addMultiple(float *y, const float *x, float factor, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    y[i] += factor * x[i];
}

namespace {
/// The loops of one execution.
class Loops {
public:
  Loops(const Problem &problem, const Numerics &numerics)
      : problem(problem), numerics(numerics) {
    images = problem.input.dims[0];
    groups = problem.groups();
    groupC = problem.filter.dims[1];
    groupOc = problem.filter.dims[0] / groups;
    height = problem.input.dims[2];
    width = problem.input.dims[3];
    kernelHeight = problem.filter.dims[2];
    kernelWidth = problem.filter.dims[3];
    outHeight = problem.output.dims[2];
    outWidth = problem.output.dims[3];
    taps = groupC * kernelHeight * kernelWidth;
    positions = outHeight * outWidth;
    isReversed = numerics.isRandom && std::random_device()() % 2;
  }

  /// Computes the sums of the result, which is zero.
  void run(float *input, float *filter, float *output) {
    switch (problem.kind) {
    case Problem::kForward:
      return forward(input, filter, output);
    case Problem::kDataGrad:
      return dataGrad(filter, output, input);
    case Problem::kFilterGrad:
      return filterGrad(input, output, filter);
    }
  }

private:
  void forward(const float *input, const float *filter, float *output);
  void dataGrad(const float *filter, const float *output, float *input);
  void filterGrad(const float *input, const float *output, float *filter);
  /// Calls `visit(tap, position, pixel)` for each tap of each position that is
  /// not in the padding, by taps.
  template <typename Visit> void forEachTap(Visit visit) const;
  /// The i-th of `count` terms.
  int64_t term(int64_t i, int64_t count) const {
    return isReversed ? count - 1 - i : i;
  }
  void roundSums(float *sums, int64_t count) const {
    if (numerics.roundsSums)
      std::transform(sums, sums + count, sums,
                     [](float sum) { return fromBF16(toBF16(sum)); });
  }

  const Problem &problem;
  const Numerics &numerics;
  int64_t images, groups, groupC, groupOc, height, width, kernelHeight,
      kernelWidth, outHeight, outWidth, taps, positions;
  bool isReversed;
};
} // namespace

template <typename Visit> void Loops::forEachTap(Visit visit) const {
  int64_t tap = 0;
  for (int64_t c = 0; c < groupC; ++c)
    for (int64_t kh = 0; kh < kernelHeight; ++kh)
      for (int64_t kw = 0; kw < kernelWidth; ++kw, ++tap)
        for (int64_t oh = 0; oh < outHeight; ++oh) {
          int64_t h = oh * problem.strides[0] + kh * problem.dilations[0] -
                      problem.prePaddings[0];
          if (h < 0 || h >= height)
            continue;
          for (int64_t ow = 0; ow < outWidth; ++ow) {
            int64_t w = ow * problem.strides[1] + kw * problem.dilations[1] -
                        problem.prePaddings[1];
            if (w >= 0 && w < width)
              visit(tap, oh * outWidth + ow, (c * height + h) * width + w);
          }
        }
}

void Loops::forward(const float *input, const float *filter, float *output) {
  std::vector<float> columns(taps * positions);
  for (int64_t block = 0; block < images * groups; ++block) {
    int64_t group = block % groups;
    const float *image = input + block * groupC * height * width;
    std::fill(columns.begin(), columns.end(), 0.0f);
    forEachTap([&](int64_t tap, int64_t position, int64_t pixel) {
      columns[tap * positions + position] = image[pixel];
    });
    for (int64_t oc = 0; oc < groupOc; ++oc) {
      float *sums = output + (block * groupOc + oc) * positions;
      const float *factors = filter + (group * groupOc + oc) * taps;
      for (int64_t i = 0; i < taps; ++i) {
        int64_t tap = term(i, taps);
        addMultiple(sums, &columns[tap * positions], factors[tap], positions);
        roundSums(sums, positions);
      }
    }
  }
}

void Loops::dataGrad(const float *filter, const float *output, float *input) {
  std::vector<float> columns(taps * positions);
  for (int64_t block = 0; block < images * groups; ++block) {
    int64_t group = block % groups;
    std::fill(columns.begin(), columns.end(), 0.0f);
    for (int64_t i = 0; i < groupOc; ++i) {
      int64_t oc = term(i, groupOc);
      const float *grad = output + (block * groupOc + oc) * positions;
      const float *factors = filter + (group * groupOc + oc) * taps;
      for (int64_t tap = 0; tap < taps; ++tap)
        addMultiple(&columns[tap * positions], grad, factors[tap], positions);
      roundSums(columns.data(), taps * positions);
    }
    float *image = input + block * groupC * height * width;
    forEachTap([&](int64_t tap, int64_t position, int64_t pixel) {
      image[pixel] += columns[tap * positions + position];
    });
  }
}

void Loops::filterGrad(const float *input, const float *output, float *filter) {
  int64_t count = groups * groupOc * taps;
  std::vector<float> rows(positions * taps), sums(taps), part(count);
  for (int64_t first = 0; first < numerics.parts; ++first) {
    int64_t begin = images * first / numerics.parts,
            end = images * (first + 1) / numerics.parts;
    std::fill(part.begin(), part.end(), 0.0f);
    for (int64_t i = 0; i < (end - begin) * groups; ++i) {
      int64_t block = begin * groups + term(i, (end - begin) * groups);
      int64_t group = block % groups;
      const float *image = input + block * groupC * height * width;
      std::fill(rows.begin(), rows.end(), 0.0f);
      forEachTap([&](int64_t tap, int64_t position, int64_t pixel) {
        rows[position * taps + tap] = image[pixel];
      });
      for (int64_t oc = 0; oc < groupOc; ++oc) {
        const float *grad = output + (block * groupOc + oc) * positions;
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int64_t position = 0; position < positions; ++position)
          addMultiple(sums.data(), &rows[position * taps], grad[position],
                      taps);
        roundSums(sums.data(), taps);
        addMultiple(&part[(group * groupOc + oc) * taps], sums.data(), 1, taps);
      }
    }
    addMultiple(filter, part.data(), 1, count);
  }
}

/// With fewer products, the library takes longer to prepare than the loops to
/// multiply.
static constexpr int64_t kMinLibraryProducts = 1 << 20;

/// Whether the library adds as the engine does: in f32, in one order.
static bool isForLibrary(const Problem &problem, const Numerics &numerics) {
  return problem.numProducts() >= kMinLibraryProducts && !numerics.roundsSums &&
         !numerics.isRandom && numerics.parts == 1;
}

void jobsim::cudnn::convolve(const Problem &problem, const Numerics &numerics,
                             const std::vector<void *> &arrays) {
  const Tensor *tensors[] = {&problem.input, &problem.filter, &problem.output};
  std::vector<float> values[3];
  void *result = nullptr;
  const std::vector<float> *sums = nullptr;
  for (int i = 0; i < 3; ++i) {
    if (tensors[i] == &problem.result()) {
      values[i].resize(tensors[i]->count());
      sums = &values[i];
      result = arrays[i];
    } else {
      values[i] = loadFactor(*tensors[i], arrays[i], numerics);
    }
  }
  float *input = values[0].data(), *filter = values[1].data(),
        *output = values[2].data();
  if (!isForLibrary(problem, numerics) ||
      !convolveWithLibrary(problem, input, filter, output))
    Loops(problem, numerics).run(input, filter, output);
  storeResult(problem, *sums, result, problem.bias ? arrays[3] : nullptr);
}
