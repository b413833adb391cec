//===- Fiber.cpp - A stack that a thread of a kernel runs on --------------===//

#include "simulators/cuda/Fiber.h"

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JOBSIM_ASAN
#endif
#if __has_feature(thread_sanitizer)
#define JOBSIM_TSAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define JOBSIM_ASAN
#endif
#ifdef __SANITIZE_THREAD__
#define JOBSIM_TSAN
#endif

#ifdef JOBSIM_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef JOBSIM_TSAN
#include <sanitizer/tsan_interface.h>
#endif

using namespace jobsim;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

static constexpr size_t kStackBytes = 64 << 10;
static constexpr size_t kShiftBytes = 320, kShifts = 4032;

Fiber::Fiber() {
  // The same offset in every page would put all of them in the same few sets
  // of the processor's cache.
  static size_t next = 0;
  shift = next++ * kShiftBytes % kShifts;
  size_t page = sysconf(_SC_PAGESIZE);
  mappingBytes = kStackBytes + page;
  mapping = mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED || mprotect(mapping, page, PROT_NONE)) {
    std::perror("jobsim: no memory for the stack of a thread");
    std::abort();
  }
}

Fiber::~Fiber() {
#ifdef JOBSIM_TSAN
  if (insideThread)
    __tsan_destroy_fiber(insideThread);
#endif
  munmap(mapping, mappingBytes);
}

void Fiber::start(void (*function)(void *), void *value) {
  entry = function;
  argument = value;
  // Stacks grow downwards.
  inside = make_fcontext(static_cast<char *>(mapping) + mappingBytes - shift,
                         kStackBytes - shift, begin);
#ifdef JOBSIM_TSAN
  if (insideThread)
    __tsan_destroy_fiber(insideThread);
  insideThread = __tsan_create_fiber(0);
#endif
}

void Fiber::resume() {
#ifdef JOBSIM_TSAN
  callerThread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(insideThread, 0);
#endif
#ifdef JOBSIM_ASAN
  void *fake;
  __sanitizer_start_switch_fiber(
      &fake, static_cast<char *>(mapping) + mappingBytes - kStackBytes,
      kStackBytes);
#endif
  transfer_t from = jump_fcontext(inside, this);
#ifdef JOBSIM_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  inside = from.fctx;
}

void Fiber::suspend() {
#ifdef JOBSIM_TSAN
  __tsan_switch_to_fiber(callerThread, 0);
#endif
#ifdef JOBSIM_ASAN
  void *fake;
  __sanitizer_start_switch_fiber(&fake, callerStack, callerBytes);
#endif
  transfer_t from = jump_fcontext(caller, nullptr);
#ifdef JOBSIM_ASAN
  __sanitizer_finish_switch_fiber(fake, &callerStack, &callerBytes);
#endif
  caller = from.fctx;
}

void Fiber::begin(transfer_t from) {
  Fiber *fiber = static_cast<Fiber *>(from.data);
#ifdef JOBSIM_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &fiber->callerStack,
                                  &fiber->callerBytes);
#endif
  fiber->caller = from.fctx;
  fiber->entry(fiber->argument);
  fiber->suspend();
}
