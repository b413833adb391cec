//===- MatMul.cpp - onednn.matmul -----------------------------------------===//
//
// A batch of products out[m,n] = op(a) op(b). A chunk has some of them, or
// where there are too few a part of the rows or columns of one; each product is
// one call of the library's sgemm. On the shapes of training steps this is as
// fast as the matrix-product primitive and asks for no workspace.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/CallConfig.h"
#include "drivers/host/onednn/Calls.h"
#include "drivers/host/onednn/Dnnl.h"
#include "lib/base/Fork.h"

#include <optional>

using namespace jobrt;
using namespace jobrt::onednn;

namespace {

struct MatMulConfig {
  int64_t batch, m, n, k;
  bool transposeA, transposeB;
};

class MatMulCall : public LibraryCall {
public:
  MatMulCall(const MatMulConfig &config, int64_t chunks)
      : config(config), chunks(chunks), hasRun(chunks) {}

  Status execute(void *const *args, int64_t chunk) override;

private:
  /// Part `part` of `parts` of one product.
  Status multiply(const float *a, const float *b, float *out, int64_t parts,
                  int64_t part) const;

  MatMulConfig config;
  int64_t chunks;
  /// Per chunk: the first run sets up static state of the library.
  std::vector<char> hasRun;
};

} // namespace

Status MatMulCall::execute(void *const *args, int64_t chunk) {
  std::optional<ForkGuard> guard;
  if (!std::exchange(hasRun[chunk], true))
    guard.emplace();
  int64_t parts = jobrt_parts_of_item(config.batch, chunks);
  int64_t first = chunk / parts, end = first + 1;
  if (chunks <= config.batch) {
    first = jobrt_chunk_begin(config.batch, 1, chunks, chunk);
    end = jobrt_chunk_begin(config.batch, 1, chunks, chunk + 1);
  } else if (first >= config.batch) {
    return {};
  }
  for (int64_t i = first; i < end; ++i)
    if (Status status = multiply(
            static_cast<const float *>(args[0]) + i * config.m * config.k,
            static_cast<const float *>(args[1]) + i * config.k * config.n,
            static_cast<float *>(args[2]) + i * config.m * config.n, parts,
            chunk % parts);
        !status.ok())
      return status;
  return {};
}

Status MatMulCall::multiply(const float *a, const float *b, float *out,
                            int64_t parts, int64_t part) const {
  bool byColumns = jobrt_matmul_splits_columns(config.m, config.n);
  int64_t extent = byColumns ? config.n : config.m;
  // 16 columns are a vector, 16 rows a block of the library's kernels.
  int64_t begin = jobrt_chunk_begin(extent, 16, parts, part);
  int64_t size = jobrt_chunk_begin(extent, 16, parts, part + 1) - begin;
  if (size == 0)
    return {};
  int64_t row = byColumns ? 0 : begin, rows = byColumns ? config.m : size;
  int64_t column = byColumns ? begin : 0, columns = byColumns ? size : config.n;

  int64_t lda = config.transposeA ? config.m : config.k;
  int64_t ldb = config.transposeB ? config.k : config.n;
  a += config.transposeA ? row : row * lda;
  b += config.transposeB ? column * ldb : column;
  out += row * config.n + column;
  return dnnlStatus(dnnl_sgemm(config.transposeA ? 'T' : 'N',
                               config.transposeB ? 'T' : 'N', rows, columns,
                               config.k, 1.0f, a, lda, b, ldb, 0.0f, out,
                               config.n),
                    "multiply matrices");
}

Expected<std::unique_ptr<LibraryCall>>
onednn::createMatMul(const Command &command) {
  ConfigReader reader(command);
  MatMulConfig config;
  config.batch = reader.integer("batch", 1);
  config.m = reader.integer("m", 1);
  config.n = reader.integer("n", 1);
  config.k = reader.integer("k", 1);
  config.transposeA = reader.integer("transpose_a", 0, 1);
  config.transposeB = reader.integer("transpose_b", 0, 1);
  reader.finish({{"a", arrayBytes({config.batch, config.m, config.k})},
                 {"b", arrayBytes({config.batch, config.k, config.n})}},
                {{"out", arrayBytes({config.batch, config.m, config.n})}},
                /*workspace=*/false);
  if (!reader.ok())
    return reader.status();
  return std::unique_ptr<LibraryCall>(
      std::make_unique<MatMulCall>(config, command.chunks));
}
