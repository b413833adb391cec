//===- Library.cpp - Threads of the library
//----------------------------------===//

#include "drivers/host/LibraryCall.h"

using namespace jobrt;

// oneDNN is built with GCC's OpenMP. Two of its functions are all that is
// needed, so no OpenMP compiler flag, which could bring a second run time in.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
}

void jobrt::prepareLibraryThread() { omp_set_num_threads(1); }

LibraryThreadScope::LibraryThreadScope() : saved(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

LibraryThreadScope::~LibraryThreadScope() { omp_set_num_threads(saved); }
