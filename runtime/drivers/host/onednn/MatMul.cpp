//===- MatMul.cpp - onednn.matmul -----------------------------------------===//
//
// out[m,n] = op(a) op(b), cut along the rows or the columns of out; a chunk is
// one call of the library's sgemm. On the shapes of training steps this is as
// fast as the matrix-product primitive and asks for no workspace.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/onednn/Calls.h"
#include "drivers/host/onednn/Config.h"
#include "drivers/host/onednn/Dnnl.h"

using namespace jobrt;
using namespace jobrt::onednn;

namespace {

struct MatMulConfig {
  int64_t m, n, k;
  bool transposeA, transposeB;
};

class MatMulCall : public LibraryCall {
public:
  MatMulCall(const MatMulConfig &config, int64_t chunks)
      : config(config), chunks(chunks) {}

  Status execute(void *const *args, int64_t chunk) override;

private:
  MatMulConfig config;
  int64_t chunks;
};

} // namespace

Status MatMulCall::execute(void *const *args, int64_t chunk) {
  bool byColumns = jobrt_matmul_splits_columns(config.m, config.n);
  int64_t extent = byColumns ? config.n : config.m;
  // 16 columns are a vector, 16 rows a block of the library's kernels.
  int64_t begin = jobrt_chunk_begin(extent, 16, chunks, chunk);
  int64_t size = jobrt_chunk_begin(extent, 16, chunks, chunk + 1) - begin;
  if (size == 0)
    return {};
  int64_t row = byColumns ? 0 : begin, rows = byColumns ? config.m : size;
  int64_t column = byColumns ? begin : 0, columns = byColumns ? size : config.n;

  int64_t lda = config.transposeA ? config.m : config.k;
  int64_t ldb = config.transposeB ? config.k : config.n;
  const float *a = static_cast<const float *>(args[0]) +
                   (config.transposeA ? row : row * lda);
  const float *b = static_cast<const float *>(args[1]) +
                   (config.transposeB ? column * ldb : column);
  float *out = static_cast<float *>(args[2]) + row * config.n + column;
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
  config.m = reader.integer("m", 1);
  config.n = reader.integer("n", 1);
  config.k = reader.integer("k", 1);
  config.transposeA = reader.integer("transpose_a", 0, 1);
  config.transposeB = reader.integer("transpose_b", 0, 1);
  reader.finish({{"a", arrayBytes({config.m, config.k})},
                 {"b", arrayBytes({config.k, config.n})},
                 {"out", arrayBytes({config.m, config.n})}},
                /*workspace=*/false);
  if (!reader.ok())
    return reader.status();
  return std::unique_ptr<LibraryCall>(
      std::make_unique<MatMulCall>(config, command.chunks));
}
