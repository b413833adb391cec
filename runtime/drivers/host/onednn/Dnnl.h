//===- Dnnl.h - oneDNN's C API behind a small class -------------*- C++ -*-===//
//
// A Primitive is one compiled function of the library, immutable and shared by
// threads. A BoundPrimitive adds what one chunk needs to run it: argument
// memories whose addresses are set before each run. Running one allocates
// nothing of ours and forks no threads (see prepareLibraryThread).
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_ONEDNN_DNNL_H
#define JOBRT_DRIVERS_HOST_ONEDNN_DNNL_H

#include "jobrt/calls.h"
#include "jobrt/status.h"

#include <oneapi/dnnl/dnnl.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace jobrt::onednn {

/// A failure of the library, nothing for success.
Status dnnlStatus(dnnl_status_t status, const char *what);

/// Blocks signals of other processes and threads on this thread. Code that the
/// library generates may use the stack pointer as a general register: a
/// handler's frame would be written over the data that it points to. A signal
/// that comes meanwhile is delivered at the end of the scope, or to another
/// thread. Signals of faults are not blocked.
class SignalBlock {
public:
  SignalBlock();
  ~SignalBlock();
  SignalBlock(const SignalBlock &) = delete;
  SignalBlock &operator=(const SignalBlock &) = delete;

private:
  sigset_t old;
};

/// The CPU, shared by the process. Fails when the library refuses it.
Expected<dnnl_engine_t> cpuEngine();

using MemoryDesc = dnnl_memory_desc_t;

/// An array, of f32 or bf16, with these extents and strides, in elements.
Expected<MemoryDesc> stridedDesc(const std::vector<int64_t> &extents,
                                 const std::vector<int64_t> &strides,
                                 calls::Element element);
int64_t descBytes(const MemoryDesc &desc);

/// Deletes one of the library's objects.
template <auto destroy> struct Destroy {
  template <typename T> void operator()(T *object) const { destroy(object); }
};
template <typename Handle, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

/// A compiled function of the library. Immutable, any thread.
class Primitive {
public:
  /// Whether an implementation may be taken.
  using Filter = std::function<bool(const Primitive &)>;

  /// The first implementation of an operation that `accept` likes (any, without
  /// it), its scratch
  /// memory given by the caller; null when there is none. To be called under
  /// a LibraryThreadScope, since the number of threads is baked in.
  static Expected<std::shared_ptr<const Primitive>>
  create(const_dnnl_op_desc_t op, dnnl_primitive_desc_t hint,
         const Filter &accept = {});

  /// Copies an array from one layout to the other.
  static Expected<std::shared_ptr<const Primitive>>
  createReorder(const MemoryDesc &from, const MemoryDesc &to);

  /// The layout chosen for an argument (DNNL_ARG_*).
  MemoryDesc argument(int arg) const;
  int64_t scratchBytes() const;
  /// The library's name of the implementation ("jit:avx512_core").
  std::string_view implementation() const;
  /// True for the library's plain loops, the slowest there is.
  bool isReference() const { return implementation().starts_with("ref"); }
  /// True for a kernel that multiplies tiles of AMX.
  bool usesAMX() const {
    return implementation().find("amx") != std::string_view::npos;
  }

private:
  friend class BoundPrimitive;
  Owned<dnnl_primitive_desc_t, dnnl_primitive_desc_destroy> desc;
  Owned<dnnl_primitive_t, dnnl_primitive_destroy> handle;
};

/// A primitive and the memories of its arguments, for one thread at a time.
class BoundPrimitive {
public:
  static constexpr int kMaxArgs = 4;

  BoundPrimitive() = default;
  /// `args` lists DNNL_ARG_* in the order of the slots of `bind`, the scratch
  /// memory left out: its slot is args.size().
  static Expected<BoundPrimitive>
  create(std::shared_ptr<const Primitive> primitive,
         const std::vector<int> &args);

  /// Sets the address of a slot for the runs to come.
  void bind(int slot, void *address);
  Status run();
  explicit operator bool() const { return primitive != nullptr; }

private:
  using Memory = Owned<dnnl_memory_t, dnnl_memory_destroy>;
  using Stream = Owned<dnnl_stream_t, dnnl_stream_destroy>;
  std::shared_ptr<const Primitive> primitive;
  Stream stream;
  std::array<Memory, kMaxArgs> memories;
  std::array<dnnl_exec_arg_t, kMaxArgs> execArgs;
  std::array<void *, kMaxArgs> addresses;
  int numArgs = 0;
  /// The first run sets up static state of the library.
  bool hasRun = false;
};

} // namespace jobrt::onednn

#endif // JOBRT_DRIVERS_HOST_ONEDNN_DNNL_H
