//===- AllocationSource.cpp - Who counts heap allocations -----------------===//

#include "lib/base/AllocationSource.h"

using namespace jobrt;

static std::atomic<AllocationSource> installedSource{nullptr};

AllocationSource jobrt::allocationSource() {
  return installedSource.load(std::memory_order_relaxed);
}

void jobrt::setAllocationSource(AllocationSource source) {
  installedSource.store(source, std::memory_order_relaxed);
}
