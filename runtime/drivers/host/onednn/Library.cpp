//===- Library.cpp - oneDNN's entries in the table of calls ---------------===//

#include "drivers/host/onednn/Calls.h"

using namespace jobrt;

// oneDNN is built with GCC's OpenMP. Two of its functions are all that is
// needed, so no OpenMP compiler flag, which could bring a second run time in.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

const std::vector<LibraryCallEntry> &jobrt::libraryCalls() {
  static const std::vector<LibraryCallEntry> entries = {
      {"onednn.matmul", onednn::createMatMul},
      {"onednn.conv2d", onednn::createConv2d},
      {"onednn.conv2d_data_grad", onednn::createConv2dDataGrad},
      {"onednn.conv2d_filter_grad", onednn::createConv2dFilterGrad},
  };
  return entries;
}

void jobrt::prepareLibraryThread() { omp_set_num_threads(1); }

LibraryThreadScope::LibraryThreadScope() : saved(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

LibraryThreadScope::~LibraryThreadScope() { omp_set_num_threads(saved); }
