//===- VendorLeaks.h - What a vendor's library does not free ----*- C++ -*-===//
//
// Some libraries that cuDNN loads are unloaded before LeakSanitizer looks, so a
// list of suppressed leaks cannot name them.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_CUDA_VENDORLEAKS_H
#define JOBRT_UNITTESTS_CUDA_VENDORLEAKS_H

/// LeakSanitizer's, where the program has it.
extern "C" [[gnu::weak]] void __lsan_disable();
extern "C" [[gnu::weak]] void __lsan_enable();

namespace jobrt {

/// While it lives, what the thread allocates is not reported as a leak.
class VendorLeaks {
public:
  VendorLeaks() {
    if (__lsan_disable)
      __lsan_disable();
  }
  ~VendorLeaks() {
    if (__lsan_enable)
      __lsan_enable();
  }
};

} // namespace jobrt

#endif // JOBRT_UNITTESTS_CUDA_VENDORLEAKS_H
