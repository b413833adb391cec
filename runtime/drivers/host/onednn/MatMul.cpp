//===- MatMul.cpp - onednn.matmul -----------------------------------------===//
//
// A batch of products out[m,n] = op(a) op(b). A chunk has a part of the batch,
// and of each product some rows and columns. In f32, each product is one call
// of the library's sgemm: on the shapes of training steps this is as fast as
// the matrix-product primitive and asks for no workspace. In bf16 it is that
// primitive, one for the chunks of one size.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/host/onednn/Calls.h"
#include "drivers/host/onednn/Dnnl.h"
#include "lib/base/Fork.h"

#include <cstdlib>
#include <map>
#include <optional>

using namespace jobrt;
using namespace jobrt::onednn;

namespace {

/// The part of a dimension that a chunk has.
struct Range {
  int64_t begin, size;

  Range(int64_t extent, int64_t unit, int64_t parts, int64_t part)
      : begin(calls::partBegin(extent, unit, parts, part)),
        size(calls::partBegin(extent, unit, parts, part + 1) - begin) {}
};

/// What a chunk has of the products.
struct Part {
  Range columns, rows, products;

  Part(const calls::MatMul &config, int64_t chunk)
      : columns(config.n, calls::kBlock, config.column_parts,
                chunk % config.column_parts),
        rows(config.m, calls::kBlock, config.row_parts,
             chunk / config.column_parts % config.row_parts),
        products(config.batch, 1, config.batch_parts,
                 chunk / config.column_parts / config.row_parts) {}
};

/// A product of a chunk: where its matrices begin.
template <typename T> struct Matrices {
  const T *a, *b;
  T *out;

  Matrices(const calls::MatMul &config, const Part &part, void *const *args)
      : a(static_cast<const T *>(args[0]) +
          part.products.begin * config.m * config.k +
          part.rows.begin * (config.transpose_a ? 1 : config.k)),
        b(static_cast<const T *>(args[1]) +
          part.products.begin * config.k * config.n +
          part.columns.begin * (config.transpose_b ? config.k : 1)),
        out(static_cast<T *>(args[2]) +
            part.products.begin * config.m * config.n +
            part.rows.begin * config.n + part.columns.begin) {}

  /// Steps to the next product of the batch.
  void advance(const calls::MatMul &config) {
    a += config.m * config.k;
    b += config.k * config.n;
    out += config.m * config.n;
  }
};

class MatMulCall : public LibraryCall {
public:
  explicit MatMulCall(const calls::MatMul &config)
      : config(config), hasRun(config.chunks()) {}

  Status execute(void *const *args, int64_t chunk) override;

private:
  calls::MatMul config;
  /// Per chunk: the first run sets up static state of the library.
  std::vector<char> hasRun;
};

/// Products of bf16.
class NarrowMatMulCall : public LibraryCall {
public:
  explicit NarrowMatMulCall(const calls::MatMul &config) : config(config) {}

  Status prepare();
  Status execute(void *const *args, int64_t chunk) override;

private:
  Expected<std::shared_ptr<const Primitive>> createPrimitive(const Part &part);

  calls::MatMul config;
  struct Chunk {
    BoundPrimitive product;
    /// Memory of its own, where a slice of the workspace is too small.
    std::unique_ptr<char, decltype(&std::free)> scratch{nullptr, &std::free};
  };
  std::vector<Chunk> states;
};

} // namespace

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

Status MatMulCall::execute(void *const *args, int64_t chunk) {
  std::optional<ForkGuard> guard;
  if (!std::exchange(hasRun[chunk], true))
    guard.emplace();
  SignalBlock signals;
  Part part(config, chunk);
  int64_t lda = config.transpose_a ? config.m : config.k;
  int64_t ldb = config.transpose_b ? config.k : config.n;
  Matrices<float> matrices(config, part, args);
  for (int64_t i = 0; i < part.products.size; ++i) {
    if (Status status = dnnlStatus(
            dnnl_sgemm(config.transpose_a ? 'T' : 'N',
                       config.transpose_b ? 'T' : 'N', part.rows.size,
                       part.columns.size, config.k, 1.0f, matrices.a, lda,
                       matrices.b, ldb, 0.0f, matrices.out, config.n),
            "multiply matrices");
        !status.ok())
      return status;
    matrices.advance(config);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// Whether a kernel of the library is not to be used. Of 2.6 and 2.7, those for
/// AMX run on the wrong configuration of their tiles, which is an illegal
/// instruction or a wrong product, where the last part of the terms is one term
/// less than a whole block (oneDNN's issue 1661).
static bool isRefused(const calls::MatMul &config, const Primitive &primitive) {
  constexpr int64_t kTileTerms = 32;
  return config.k % kTileTerms == kTileTerms - 1 && primitive.usesAMX();
}

Expected<std::shared_ptr<const Primitive>>
NarrowMatMulCall::createPrimitive(const Part &part) {
  using Strides = std::vector<int64_t>;
  int64_t rows = part.rows.size, columns = part.columns.size;
  Expected<MemoryDesc> a = stridedDesc(
      {rows, config.k},
      config.transpose_a ? Strides{1, config.m} : Strides{config.k, 1},
      config.element());
  Expected<MemoryDesc> b = stridedDesc(
      {config.k, columns},
      config.transpose_b ? Strides{1, config.k} : Strides{config.n, 1},
      config.element());
  Expected<MemoryDesc> out =
      stridedDesc({rows, columns}, {config.n, 1}, config.element());
  for (const Expected<MemoryDesc> *desc : {&a, &b, &out})
    if (!desc->ok())
      return desc->status();
  dnnl_matmul_desc_t op;
  if (Status status =
          dnnlStatus(dnnl_matmul_desc_init(&op, &*a, &*b, nullptr, &*out),
                     "describe a product");
      !status.ok())
    return status;
  auto isAllowed = [&](const Primitive &primitive) {
    return !isRefused(config, primitive);
  };
  // One that fits into the slice, if there is one.
  auto fits = [&](const Primitive &primitive) {
    return primitive.scratchBytes() <= config.slice &&
           !primitive.isReference() && isAllowed(primitive);
  };
  for (const Primitive::Filter &accept :
       {Primitive::Filter(fits), Primitive::Filter(isAllowed)}) {
    auto primitive = Primitive::create(&op, nullptr, accept);
    if (!primitive.ok() || *primitive)
      return primitive;
  }
  return dnnlStatus(dnnl_unimplemented, "multiply matrices of bf16");
}

Status NarrowMatMulCall::prepare() {
  LibraryThreadScope scope;
  std::map<std::pair<int64_t, int64_t>, std::shared_ptr<const Primitive>>
      primitives;
  states.resize(config.chunks());
  for (int64_t chunk = 0; chunk < config.chunks(); ++chunk) {
    Part part(config, chunk);
    auto &primitive = primitives[{part.rows.size, part.columns.size}];
    if (!primitive) {
      auto created = createPrimitive(part);
      if (!created.ok())
        return created.status();
      primitive = std::move(*created);
    }
    auto bound = BoundPrimitive::create(
        primitive, {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST});
    if (!bound.ok())
      return bound.status();
    states[chunk].product = std::move(*bound);
    int64_t bytes = primitive->scratchBytes();
    if (bytes <= config.slice)
      continue;
    states[chunk].scratch.reset(static_cast<char *>(std::aligned_alloc(
        JOBRT_ALIGNMENT,
        calls::ceilDiv(bytes, JOBRT_ALIGNMENT) * JOBRT_ALIGNMENT)));
    if (!states[chunk].scratch)
      return dnnlStatus(dnnl_out_of_memory, "multiply matrices of bf16");
  }
  return {};
}

Status NarrowMatMulCall::execute(void *const *args, int64_t chunk) {
  Part part(config, chunk);
  Chunk &state = states[chunk];
  state.product.bind(3, state.scratch  ? state.scratch.get()
                        : config.slice ? static_cast<char *>(args[3]) +
                                             chunk * config.slice
                                       : nullptr);
  Matrices<uint16_t> matrices(config, part, args);
  for (int64_t i = 0; i < part.products.size; ++i) {
    state.product.bind(0, const_cast<uint16_t *>(matrices.a));
    state.product.bind(1, const_cast<uint16_t *>(matrices.b));
    state.product.bind(2, matrices.out);
    if (Status status = state.product.run(); !status.ok())
      return status;
    matrices.advance(config);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<LibraryCall>>
onednn::createMatMul(const Command &command) {
  Expected<calls::MatMul> config = readCall<calls::MatMul>(command);
  if (!config.ok())
    return config.status();
  if (!config->isNarrow()) {
    auto call = std::make_unique<MatMulCall>(*config);
    call->setBlockedResult(*config);
    return std::unique_ptr<LibraryCall>(std::move(call));
  }
  auto call = std::make_unique<NarrowMatMulCall>(*config);
  call->setBlockedResult(*config);
  if (Status status = call->prepare(); !status.ok())
    return Status(status.code(), status.message(), command.location);
  return std::unique_ptr<LibraryCall>(std::move(call));
}
