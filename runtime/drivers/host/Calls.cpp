//===- Calls.cpp - The library functions of the processor -----------------===//

#include "drivers/host/attention/Calls.h"
#include "drivers/host/onednn/Calls.h"

using namespace jobrt;

const std::vector<LibraryCallEntry> &jobrt::libraryCalls() {
  static const std::vector<LibraryCallEntry> entries = {
#ifdef JOBRT_ONEDNN
      {"onednn.matmul", onednn::createMatMul},
      {"onednn.conv2d", onednn::createConv2d},
      {"onednn.conv2d_data_grad", onednn::createConv2dDataGrad},
      {"onednn.conv2d_filter_grad", onednn::createConv2dFilterGrad},
#endif
      {"host.attention", attention::createAttention},
      {"host.attention_grad", attention::createAttentionGrad},
  };
  return entries;
}
