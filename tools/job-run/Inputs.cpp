//===- Inputs.cpp - The inputs of a step ----------------------------------===//

#include "Inputs.h"

#include "llvm/ADT/APFloat.h"

#include "jobrt/checkpoint.h"

#include <random>

using namespace jobrt;

Expected<std::vector<Tensor>>
jobrun::readInputs(const EntryInfo &entry,
                   const std::vector<std::string> &paths) {
  if (paths.size() != entry.inputs.size())
    return Status(StatusCode::kInvalidArgument,
                  "job '" + entry.name + "' expects " +
                      std::to_string(entry.inputs.size()) + " inputs but got " +
                      std::to_string(paths.size()));
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < paths.size(); ++i) {
    Expected<Tensor> input = readNpy(paths[i]);
    if (!input.ok())
      return input.status();
    // A session says the same; the interpreter is not one.
    const PortInfo &port = entry.inputs[i];
    if (input->dtype() != port.dtype || input->shape() != port.shape)
      return Status(StatusCode::kInvalidArgument,
                    "job '" + entry.name + "', input '" + port.name +
                        "': expects " + formatType(port.shape, port.dtype) +
                        " but got " +
                        formatType(input->shape(), input->dtype()));
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

template <typename T, typename Draw>
static void fill(Tensor &tensor, Draw draw) {
  T *data = static_cast<T *>(tensor.data());
  for (int64_t i = 0, e = tensor.bytes() / sizeof(T); i < e; ++i)
    data[i] = static_cast<T>(draw());
}

/// Numbers in a format that C++ has no type for, rounded to nearest even.
template <typename Draw>
static void fillNarrow(Tensor &tensor, const llvm::fltSemantics &format,
                       Draw draw) {
  fill<uint16_t>(tensor, [&] {
    llvm::APFloat value(draw());
    bool losesInfo;
    value.convert(format, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return value.bitcastToAPInt().getZExtValue();
  });
}

Expected<std::vector<Tensor>> jobrun::drawInputs(const EntryInfo &entry,
                                                 int64_t seed, int64_t step,
                                                 int64_t integerRange) {
  // Both words go through the generator's own mixing of seeds.
  std::seed_seq words{uint32_t(seed), uint32_t(seed >> 32), uint32_t(step),
                      uint32_t(step >> 32)};
  std::mt19937_64 generator(words);
  // The standard's distributions differ between libraries: these do not.
  auto uniform = [&] { return double(generator() >> 40) * 0x1p-24; };
  auto integer = [&] { return int64_t(generator() % uint64_t(integerRange)); };
  auto boolean = [&] { return generator() & 1; };

  std::vector<Tensor> inputs;
  for (const PortInfo &port : entry.inputs) {
    Expected<Tensor> tensor = Tensor::create(port.dtype, port.shape);
    if (!tensor.ok())
      return tensor.status();
    switch (port.dtype) {
    case DType::kF32:
      fill<float>(*tensor, uniform);
      break;
    case DType::kF64:
      fill<double>(*tensor, uniform);
      break;
    case DType::kI1:
      fill<uint8_t>(*tensor, boolean);
      break;
    case DType::kI8:
      fill<int8_t>(*tensor, integer);
      break;
    case DType::kUI8:
      fill<uint8_t>(*tensor, integer);
      break;
    case DType::kF16:
      fillNarrow(*tensor, llvm::APFloat::IEEEhalf(), uniform);
      break;
    case DType::kBF16:
      fillNarrow(*tensor, llvm::APFloat::BFloat(), uniform);
      break;
    case DType::kI32:
      fill<int32_t>(*tensor, integer);
      break;
    case DType::kI64:
      fill<int64_t>(*tensor, integer);
      break;
    }
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}
