//===- Npy.cpp - Fuzzes the reader of .npy files --------------------------===//
//
// What is read can be written, and reads as the same array.
//
//===----------------------------------------------------------------------===//

#include "fuzz/MemoryFile.h"
#include "jobrt/checkpoint.h"

#include <cstring>

using namespace jobrt;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static fuzz::MemoryFile input, copy;
  input.setContents(data, size);
  Expected<Tensor> array = readNpy(input.path());
  if (!array.ok()) {
    REQUIRE(!array.status().message().empty());
    return 0;
  }
  REQUIRE(array->bytes() <= static_cast<int64_t>(size));
  REQUIRE(writeNpy(copy.path(), array->view()).ok());
  Expected<Tensor> again = readNpy(copy.path());
  REQUIRE(again.ok());
  REQUIRE(again->dtype() == array->dtype() && again->shape() == array->shape());
  REQUIRE(std::memcmp(again->data(), array->data(), array->bytes()) == 0);
  return 0;
}
