//===- NoLibraryThreads.cpp - A build without oneDNN ----------------------===//
//
// No library of such a build has threads of its own.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/LibraryCall.h"

using namespace jobrt;

void jobrt::prepareLibraryThread() {}

LibraryThreadScope::LibraryThreadScope() : saved(0) {}

LibraryThreadScope::~LibraryThreadScope() = default;
