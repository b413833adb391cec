//===- Idx.cpp - Fuzzes the reader of IDX files ---------------------------===//

#include "fuzz/MemoryFile.h"
#include "jobrt/checkpoint.h"

using namespace jobrt;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz::MemoryFile input;
  input.setContents(data, size);
  Expected<Tensor> array = readIdx(input.path());
  if (!array.ok()) {
    REQUIRE(!array.status().message().empty());
    return 0;
  }
  REQUIRE(array->dtype() == DType::kUI8 && !array->shape().empty());
  REQUIRE(array->bytes() == numElements(array->shape()));
  return 0;
}
