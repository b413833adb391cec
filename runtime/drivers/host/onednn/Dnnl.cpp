//===- Dnnl.cpp - oneDNN's C API behind a small class ---------------------===//

#include "drivers/host/onednn/Dnnl.h"
#include "lib/base/Fork.h"

#include <algorithm>
#include <optional>

using namespace jobrt;
using namespace jobrt::onednn;

static const char *describe(dnnl_status_t status) {
  switch (status) {
  case dnnl_out_of_memory:
    return "out of memory";
  case dnnl_invalid_arguments:
    return "invalid arguments";
  case dnnl_unimplemented:
    return "unimplemented";
  case dnnl_runtime_error:
    return "runtime error";
  default:
    return "error";
  }
}

Status onednn::dnnlStatus(dnnl_status_t status, const char *what) {
  if (status == dnnl_success)
    return {};
  StatusCode code = status == dnnl_out_of_memory
                        ? StatusCode::kResourceExhausted
                    : status == dnnl_unimplemented ? StatusCode::kUnimplemented
                                                   : StatusCode::kInternal;
  return Status(code,
                std::string("oneDNN cannot ") + what + ": " + describe(status));
}

/// Those that do not tell of a fault of the thread itself.
static sigset_t asynchronousSignals() {
  sigset_t set;
  sigfillset(&set);
  for (int fault : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
    sigdelset(&set, fault);
  return set;
}

SignalBlock::SignalBlock() {
  static const sigset_t blocked = asynchronousSignals();
  pthread_sigmask(SIG_BLOCK, &blocked, &old);
}

SignalBlock::~SignalBlock() { pthread_sigmask(SIG_SETMASK, &old, nullptr); }

Expected<dnnl_engine_t> onednn::cpuEngine() {
  ForkGuard guard;
  // Never destroyed: sessions may outlive the order of static destructors.
  static dnnl_engine_t engine = nullptr;
  static dnnl_status_t status = dnnl_engine_create(&engine, dnnl_cpu, 0);
  if (status != dnnl_success)
    return dnnlStatus(status, "open the CPU");
  return engine;
}

Expected<MemoryDesc> onednn::stridedDesc(const std::vector<int64_t> &extents,
                                         const std::vector<int64_t> &strides,
                                         calls::Element element) {
  MemoryDesc desc;
  dnnl_data_type_t type =
      element == calls::Element::kBF16 ? dnnl_bf16 : dnnl_f32;
  if (Status status = dnnlStatus(
          dnnl_memory_desc_init_by_strides(
              &desc, extents.size(), extents.data(), type, strides.data()),
          "describe an array");
      !status.ok())
    return status;
  return desc;
}

int64_t onednn::descBytes(const MemoryDesc &desc) {
  return dnnl_memory_desc_get_size(&desc);
}

//===----------------------------------------------------------------------===//
// Primitive
//===----------------------------------------------------------------------===//

using PrimitiveAttr = Owned<dnnl_primitive_attr_t, dnnl_primitive_attr_destroy>;

static Expected<PrimitiveAttr> userScratch() {
  dnnl_primitive_attr_t attr = nullptr;
  if (Status status = dnnlStatus(dnnl_primitive_attr_create(&attr),
                                 "make primitive attributes");
      !status.ok())
    return status;
  PrimitiveAttr owned(attr);
  if (Status status = dnnlStatus(dnnl_primitive_attr_set_scratchpad_mode(
                                     attr, dnnl_scratchpad_mode_user),
                                 "set the scratchpad mode");
      !status.ok())
    return status;
  return Expected<PrimitiveAttr>(std::move(owned));
}

Expected<std::shared_ptr<const Primitive>>
Primitive::create(const_dnnl_op_desc_t op, dnnl_primitive_desc_t hint,
                  const Filter &accept) {
  // The library's cache of primitives has a lock.
  ForkGuard guard;
  std::shared_ptr<const Primitive> none;
  Expected<dnnl_engine_t> engine = cpuEngine();
  if (!engine.ok())
    return engine.status();
  Expected<PrimitiveAttr> attr = userScratch();
  if (!attr.ok())
    return attr.status();

  dnnl_primitive_desc_iterator_t rawIterator = nullptr;
  dnnl_status_t status = dnnl_primitive_desc_iterator_create(
      &rawIterator, op, attr->get(), *engine, hint);
  if (status == dnnl_unimplemented)
    return none;
  if (status != dnnl_success)
    return dnnlStatus(status, "look for an implementation");
  Owned<dnnl_primitive_desc_iterator_t, dnnl_primitive_desc_iterator_destroy>
      iterator(rawIterator);

  do {
    auto primitive = std::make_shared<Primitive>();
    primitive->desc.reset(dnnl_primitive_desc_iterator_fetch(rawIterator));
    if (!primitive->desc || (accept && !accept(*primitive)))
      continue;
    dnnl_primitive_t handle = nullptr;
    if (dnnl_primitive_create(&handle, primitive->desc.get()) != dnnl_success)
      continue;
    primitive->handle.reset(handle);
    return std::shared_ptr<const Primitive>(std::move(primitive));
  } while (dnnl_primitive_desc_iterator_next(rawIterator) == dnnl_success);
  return none;
}

Expected<std::shared_ptr<const Primitive>>
Primitive::createReorder(const MemoryDesc &from, const MemoryDesc &to) {
  ForkGuard guard;
  Expected<dnnl_engine_t> engine = cpuEngine();
  if (!engine.ok())
    return engine.status();
  Expected<PrimitiveAttr> attr = userScratch();
  if (!attr.ok())
    return attr.status();
  auto primitive = std::make_shared<Primitive>();
  dnnl_primitive_desc_t desc = nullptr;
  if (Status status =
          dnnlStatus(dnnl_reorder_primitive_desc_create(
                         &desc, &from, *engine, &to, *engine, attr->get()),
                     "reorder an array");
      !status.ok())
    return status;
  primitive->desc.reset(desc);
  dnnl_primitive_t handle = nullptr;
  if (Status status =
          dnnlStatus(dnnl_primitive_create(&handle, desc), "compile a reorder");
      !status.ok())
    return status;
  primitive->handle.reset(handle);
  return std::shared_ptr<const Primitive>(std::move(primitive));
}

MemoryDesc Primitive::argument(int arg) const {
  return *dnnl_primitive_desc_query_md(desc.get(), dnnl_query_exec_arg_md, arg);
}

int64_t Primitive::scratchBytes() const {
  return descBytes(
      *dnnl_primitive_desc_query_md(desc.get(), dnnl_query_scratchpad_md, 0));
}

std::string_view Primitive::implementation() const {
  const char *name = "";
  dnnl_primitive_desc_query(desc.get(), dnnl_query_impl_info_str, 0, &name);
  return name;
}

//===----------------------------------------------------------------------===//
// BoundPrimitive
//===----------------------------------------------------------------------===//

Expected<BoundPrimitive>
BoundPrimitive::create(std::shared_ptr<const Primitive> primitive,
                       const std::vector<int> &args) {
  ForkGuard guard;
  assert(args.size() < kMaxArgs && "one slot is the scratch memory's");
  Expected<dnnl_engine_t> engine = cpuEngine();
  if (!engine.ok())
    return engine.status();
  BoundPrimitive bound;
  dnnl_stream_t stream = nullptr;
  if (Status status = dnnlStatus(
          dnnl_stream_create(&stream, *engine, dnnl_stream_default_flags),
          "make a stream");
      !status.ok())
    return status;
  bound.stream.reset(stream);

  std::vector<int> all = args;
  all.push_back(DNNL_ARG_SCRATCHPAD);
  for (int arg : all) {
    MemoryDesc desc = primitive->argument(arg);
    dnnl_memory_t memory = nullptr;
    if (Status status = dnnlStatus(
            dnnl_memory_create(&memory, &desc, *engine, DNNL_MEMORY_NONE),
            "make a memory");
        !status.ok())
      return status;
    bound.memories[bound.numArgs].reset(memory);
    bound.execArgs[bound.numArgs] = {arg, memory};
    bound.addresses[bound.numArgs] = nullptr;
    ++bound.numArgs;
  }
  bound.primitive = std::move(primitive);
  return Expected<BoundPrimitive>(std::move(bound));
}

void BoundPrimitive::bind(int slot, void *address) {
  assert(slot < numArgs);
  // The library clears the padding of a blocked array each time it is set.
  if (addresses[slot] == address)
    return;
  addresses[slot] = address;
  std::optional<ForkGuard> guard;
  if (!hasRun)
    guard.emplace();
  dnnl_memory_set_data_handle(memories[slot].get(), address);
}

Status BoundPrimitive::run() {
  std::optional<ForkGuard> guard;
  if (!std::exchange(hasRun, true))
    guard.emplace();
  SignalBlock signals;
  return dnnlStatus(dnnl_primitive_execute(primitive->handle.get(),
                                           stream.get(), numArgs,
                                           execArgs.data()),
                    "run a primitive");
}
