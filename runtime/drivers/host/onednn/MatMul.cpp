//===- MatMul.cpp - onednn.matmul -----------------------------------------===//
//
// A batch of products out[m,n] = op(a) op(b). A chunk has a part of the batch,
// and of each product some rows and columns; each product is one call of the
// library's sgemm. On the shapes of training steps this is as fast as the
// matrix-product primitive and asks for no workspace.
//
//===----------------------------------------------------------------------===//

#include "drivers/common/CallConfig.h"
#include "drivers/host/onednn/Calls.h"
#include "drivers/host/onednn/Dnnl.h"
#include "lib/base/Fork.h"

#include <optional>

using namespace jobrt;
using namespace jobrt::onednn;

namespace {

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

/// The part of a dimension that a chunk has.
struct Range {
  int64_t begin, size;

  Range(int64_t extent, int64_t unit, int64_t parts, int64_t part)
      : begin(calls::partBegin(extent, unit, parts, part)),
        size(calls::partBegin(extent, unit, parts, part + 1) - begin) {}
};

} // namespace

Status MatMulCall::execute(void *const *args, int64_t chunk) {
  std::optional<ForkGuard> guard;
  if (!std::exchange(hasRun[chunk], true))
    guard.emplace();
  Range columns(config.n, calls::kBlock, config.column_parts,
                chunk % config.column_parts);
  chunk /= config.column_parts;
  Range rows(config.m, calls::kBlock, config.row_parts,
             chunk % config.row_parts);
  chunk /= config.row_parts;
  Range products(config.batch, 1, config.batch_parts, chunk);

  int64_t lda = config.transpose_a ? config.m : config.k;
  int64_t ldb = config.transpose_b ? config.k : config.n;
  const float *a = static_cast<const float *>(args[0]) +
                   products.begin * config.m * config.k +
                   (config.transpose_a ? rows.begin : rows.begin * lda);
  const float *b = static_cast<const float *>(args[1]) +
                   products.begin * config.k * config.n +
                   (config.transpose_b ? columns.begin * ldb : columns.begin);
  float *out = static_cast<float *>(args[2]) +
               products.begin * config.m * config.n + rows.begin * config.n +
               columns.begin;
  for (int64_t i = 0; i < products.size; ++i) {
    if (Status status = dnnlStatus(
            dnnl_sgemm(config.transpose_a ? 'T' : 'N',
                       config.transpose_b ? 'T' : 'N', rows.size, columns.size,
                       config.k, 1.0f, a, lda, b, ldb, 0.0f, out, config.n),
            "multiply matrices");
        !status.ok())
      return status;
    a += config.m * config.k;
    b += config.k * config.n;
    out += config.m * config.n;
  }
  return {};
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createMatMul(const Command &command) {
  Expected<calls::MatMul> config = readCall<calls::MatMul>(command);
  if (!config.ok())
    return config.status();
  auto call = std::make_unique<MatMulCall>(*config);
  call->setBlockedResult(*config);
  return std::unique_ptr<LibraryCall>(std::move(call));
}
