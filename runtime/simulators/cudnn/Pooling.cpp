//===- Pooling.cpp - Poolings of the stand-in for cuDNN -------------------===//
//
// Means of windows, and their gradients, of what is not padding.
//
//===----------------------------------------------------------------------===//

#include "simulators/cudnn/Arrays.h"

#include <algorithm>

using namespace jobsim::cudnn;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

Refusal jobsim::cudnn::finalizeResample(const DescriptorData &data) {
  int64_t spatial = data.value<int64_t>(kResampleSpatialDims);
  if (spatial != 2)
    return {kNotSupported, "the stand-in has 2 spatial dimensions but got " +
                               std::to_string(spatial)};
  for (auto [attribute, low] : {std::pair{kResampleWindow, 1},
                                {kResamplePrePaddings, 0},
                                {kResamplePostPaddings, 0},
                                {kResampleStrides, 1}}) {
    auto values = data.values<Fraction>(attribute);
    if (static_cast<int64_t>(values.size()) != spatial)
      return {kBadParam, "expects " + std::to_string(spatial) +
                             " values of attribute " +
                             std::to_string(attribute) + " but got " +
                             std::to_string(values.size())};
    for (Fraction value : values)
      if (value.denominator != 1 || value.numerator < low)
        return {kNotSupported, "expects whole numbers of at least " +
                                   std::to_string(low) + " for attribute " +
                                   std::to_string(attribute) + " but got " +
                                   std::to_string(value.numerator) + "/" +
                                   std::to_string(value.denominator)};
  }
  if (int mode = data.value<int>(kResampleMode); mode != kAveragePooling)
    return {kNotSupported,
            "the stand-in has means without padding only but got mode " +
                std::to_string(mode)};
  if (int mode = data.value<int>(kResamplePaddingMode); mode != kZeroPadding)
    return {kNotSupported,
            "expects padding with zeros but got mode " + std::to_string(mode)};
  if (int type = data.value<int>(kResampleComputeType); type != kTypeF32)
    return {kNotSupportedDataType,
            "expects f32 as the type of computing but got " +
                std::to_string(type)};
  return {};
}

namespace {
class Pooling final : public Computation {
public:
  explicit Pooling(const DescriptorData &operation);

  Refusal check() const;

  std::vector<GraphTensor> tensors() const override {
    return {{"the input", &input, isGradient},
            {"the output", &output, !isGradient}};
  }
  /// As the library, whose heuristics know only images with the channels last.
  std::vector<int64_t> suggest(int mode) const override {
    if (input.isChannelsLast())
      return mode == kModeFallback ? std::vector<int64_t>{3}
                                   : std::vector<int64_t>{4, 3};
    return mode == kModeFallback ? std::vector<int64_t>{0}
                                 : std::vector<int64_t>{};
  }
  int64_t getWorkspaceBytes(const Engine &) const override { return 0; }
  void run(const Numerics &numerics,
           const std::vector<void *> &arrays) const override;

private:
  /// Calls `visit(output, input)` with the places, in the order n, c, h, w, of
  /// each output and each element of its window that is not padding.
  template <typename Visit> void forEachTap(Visit visit) const;

  bool isGradient;
  Tensor input, output;
  std::vector<Fraction> window, prePaddings, postPaddings, strides;
};
} // namespace

Pooling::Pooling(const DescriptorData &operation)
    : isGradient(operation.type == kResampleGradDescriptor) {
  auto get = [&](int forward, int gradient) -> const DescriptorData & {
    return operation.descriptor(isGradient ? gradient : forward);
  };
  input = makeTensor(get(kResampleForwardInput, kResampleGradInput));
  output = makeTensor(get(kResampleForwardOutput, kResampleGradOutput));
  const DescriptorData &resample =
      get(kResampleForwardResample, kResampleGradResample);
  window = resample.values<Fraction>(kResampleWindow);
  prePaddings = resample.values<Fraction>(kResamplePrePaddings);
  postPaddings = resample.values<Fraction>(kResamplePostPaddings);
  strides = resample.values<Fraction>(kResampleStrides);
}

Refusal Pooling::check() const {
  if (Refusal refusal = checkTensors({&input, &output}); refusal.result)
    return refusal;
  if (input.isVirtual || output.isVirtual)
    return {kNotSupported, "the stand-in has poolings in memory only"};
  if (overlapsItself(isGradient ? input : output))
    return {kNotSupportedLayout, "elements of the result overlap"};
  bool matches =
      input.dims[0] == output.dims[0] && input.dims[1] == output.dims[1];
  for (int i = 0; i < 2; ++i) {
    int64_t room = input.dims[2 + i] + prePaddings[i].numerator +
                   postPaddings[i].numerator - window[i].numerator;
    matches &=
        room >= 0 && output.dims[2 + i] == room / strides[i].numerator + 1;
  }
  if (!matches)
    return {kBadParamShapeMismatch, "the input " + toText(input.dims) +
                                        " and the output " +
                                        toText(output.dims) + " do not match"};
  return {};
}

Refusal jobsim::cudnn::finalizeResampleOperation(const DescriptorData &data) {
  return Pooling(data).check();
}

ComputationPointer
jobsim::cudnn::makePooling(const std::vector<DataPointer> &operations) {
  int type = operations.front()->type;
  if (operations.size() != 1 ||
      (type != kResampleForwardDescriptor && type != kResampleGradDescriptor))
    return nullptr;
  return std::make_shared<Pooling>(*operations.front());
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename Visit> void Pooling::forEachTap(Visit visit) const {
  int64_t height = input.dims[2], width = input.dims[3], place = 0;
  for (int64_t plane = 0; plane < input.dims[0] * input.dims[1]; ++plane)
    for (int64_t oh = 0; oh < output.dims[2]; ++oh)
      for (int64_t ow = 0; ow < output.dims[3]; ++ow, ++place)
        for (int64_t kh = 0; kh < window[0].numerator; ++kh)
          for (int64_t kw = 0; kw < window[1].numerator; ++kw) {
            int64_t h =
                oh * strides[0].numerator - prePaddings[0].numerator + kh;
            int64_t w =
                ow * strides[1].numerator - prePaddings[1].numerator + kw;
            if (h >= 0 && h < height && w >= 0 && w < width)
              visit(place, (plane * height + h) * width + w);
          }
}

void Pooling::run(const Numerics &, const std::vector<void *> &arrays) const {
  const Tensor &from = isGradient ? output : input,
               &to = isGradient ? input : output;
  std::vector<float> values = loadAll(from, arrays[isGradient]),
                     results(to.count());
  std::vector<int64_t> counts(output.count());
  forEachTap([&](int64_t out, int64_t) { ++counts[out]; });
  forEachTap([&](int64_t out, int64_t in) {
    if (isGradient)
      results[in] += values[out] / counts[out];
    else
      results[out] += values[in];
  });
  forEachElement(to, [&](int64_t index, int64_t offset) {
    float value = results[index];
    if (!isGradient)
      value /= std::max<int64_t>(counts[index], 1);
    store(to.type, arrays[!isGradient], offset, value);
  });
}
