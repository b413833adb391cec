//===- matmul.h - Matrix products -------------------------------*- C++ -*-===//
//
// The functions onednn.matmul and cublaslt.matmul.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_CALLS_MATMUL_H
#define JOBRT_CALLS_MATMUL_H

#include "jobrt/calls/common.h"

#include <initializer_list>

namespace jobrt::calls {

//===----------------------------------------------------------------------===//
// onednn.matmul
//===----------------------------------------------------------------------===//

/// `batch` products out[m,n] = op(a)[m,k] op(b)[k,n], with sums in f32. Members
/// are named as their keys, here and below. `kTarget` names the target of the
/// compiler that has the function.
struct MatMul {
  static constexpr const char *kCallee = "onednn.matmul";
  static constexpr const char *kTarget = "cpu";

  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t transpose_a = 0, transpose_b = 0;
  /// An Element, f32 or bf16: that of all arrays.
  int64_t type = 0;
  /// Parts of the batch, and of the rows and columns of each product.
  int64_t batch_parts = 1, row_parts = 1, column_parts = 1;
  /// Bytes of workspace of each chunk; 0 for f32.
  int64_t slice = 0;

  bool operator==(const MatMul &) const = default;

  /// Calls `visitor(parameter, member)` for each parameter.
  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    visitor(Parameter{"batch", 1, kMaxExtent, 1}, config.batch);
    visitor(Parameter{"m"}, config.m);
    visitor(Parameter{"n"}, config.n);
    visitor(Parameter{"k"}, config.k);
    visitor(flag("transpose_a"), config.transpose_a);
    visitor(flag("transpose_b"), config.transpose_b);
    visitor(choice("type", kElementNames), config.type);
    visitor(parts("batch_parts"), config.batch_parts);
    visitor(parts("row_parts"), config.row_parts);
    visitor(parts("column_parts"), config.column_parts);
    visitor(Parameter{"slice", 0, kMaxBytes / JOBRT_MAX_CHUNKS, 0,
                      /*isSplit=*/true},
            config.slice);
  }

  /// An error if parameters within their limits are inconsistent, else "".
  std::string checkRelations() const {
    if (std::string error = checkHostType(type); !error.empty())
      return error;
    int64_t whole = slice / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT;
    if (std::string error = checkEqual("slice", slice, isNarrow() ? whole : 0);
        !error.empty())
      return error;
    if (std::string error = checkParts("batch_parts", batch_parts, batch, 1);
        !error.empty())
      return error;
    if (std::string error = checkParts("row_parts", row_parts, m, kBlock);
        !error.empty())
      return error;
    return checkParts("column_parts", column_parts, n, kBlock);
  }

  /// In the order of the command: first the operands, then the results.
  std::vector<Buffer> buffers() const {
    return {{"a", {batch, m, k}, /*isResult=*/false, element()},
            {"b", {batch, k, n}, /*isResult=*/false, element()},
            {"out", {batch, m, n}, /*isResult=*/true, element()}};
  }
  Element element() const { return static_cast<Element>(type); }
  bool isNarrow() const { return element() != Element::kF32; }
  /// The feature that the processor needs beside those of the artifact's own
  /// code, "" for none.
  const char *requiredFeature() const { return isNarrow() ? kBF16Feature : ""; }
  int64_t chunks() const { return batch_parts * row_parts * column_parts; }
  int64_t workspaceBytes() const { return chunks() * slice; }
  /// None if a chunk does not write a block of the first result, or the block
  /// is not complete before all chunks are.
  std::optional<ResultBlocks> resultBlocks() const {
    return ResultBlocks{{0, partSize(batch, 1, batch_parts)},
                        {1, partSize(m, kBlock, row_parts)},
                        {2, partSize(n, kBlock, column_parts)}};
  }
};

//===----------------------------------------------------------------------===//
// cublaslt.matmul
//===----------------------------------------------------------------------===//

inline constexpr const char *kEpilogueNames[] = {"none",
                                                 "bias",
                                                 "bias_relu",
                                                 "relu",
                                                 "bias_relu_mask",
                                                 "relu_grad",
                                                 "relu_grad_bias_grad",
                                                 "bias_gelu",
                                                 "bias_gelu_input",
                                                 "gelu_grad",
                                                 "gelu_grad_bias_grad",
                                                 "bias_grad_a",
                                                 "bias_grad_b"};

/// Bits of a row of a mask are a multiple of this number, elements of a row of
/// a gelu's input of that.
inline constexpr int64_t kMaskGroup = 128, kGeluInputGroup = 8;

/// `batch` products out[m,n] = op(a)[m,k] op(b)[k,n] + beta c[m,n] on a GPU, in
/// row-major order, with sums in f32.
struct CublasLtMatMul {
  static constexpr const char *kCallee = "cublaslt.matmul";
  static constexpr const char *kTarget = "cuda";

  int64_t batch = 1, m = 1, n = 1, k = 1;
  int64_t transpose_a = 0, transpose_b = 0;
  /// An Element: that of all arrays, but for `out_f32`.
  int64_t type = 0;
  /// 1: with an array c, which is added to the product.
  int64_t beta = 0;
  /// 1: all arrays but the factors are in f32, where these are narrow.
  int64_t out_f32 = 0;
  /// An Epilogue.
  int64_t epilogue = 0;
  /// 1: factors in f32 may be rounded to TF32.
  int64_t tf32 = 0;
  /// Bytes of workspace that an algorithm may need.
  int64_t workspace = 0;

  bool operator==(const CublasLtMatMul &) const = default;

  template <typename Config, typename Visitor>
  static void visit(Config &config, Visitor &&visitor) {
    visitor(Parameter{"batch", 1, kMaxExtent, 1}, config.batch);
    visitor(Parameter{"m"}, config.m);
    visitor(Parameter{"n"}, config.n);
    visitor(Parameter{"k"}, config.k);
    visitor(flag("transpose_a"), config.transpose_a);
    visitor(flag("transpose_b"), config.transpose_b);
    visitor(choice("type", kElementNames), config.type);
    visitor(flag("beta"), config.beta);
    visitor(flag("out_f32"), config.out_f32);
    visitor(choice("epilogue", kEpilogueNames), config.epilogue);
    visitor(Parameter{"tf32", 0, 1, 0, /*isSplit=*/true}, config.tf32);
    visitor(Parameter{"workspace", 0, kMaxBytes - 1, 0, /*isSplit=*/true},
            config.workspace);
  }

  std::string checkRelations() const {
    if (std::string error = checkEqual("tf32", tf32, type == 0 ? tf32 : 0);
        !error.empty())
      return error;
    if (std::string error = checkEqual("out_f32", out_f32, type ? out_f32 : 0);
        !error.empty())
      return error;
    if (std::string error = checkEqual("batch", batch, epilogue ? 1 : batch);
        !error.empty())
      return error;
    if (hasGeluInput() && n % kGeluInputGroup != 0)
      return "expects 'n' to be a multiple of " +
             std::to_string(kGeluInputGroup) + " with the epilogue " +
             kEpilogueNames[epilogue] + " but got " + std::to_string(n);
    if (std::string error = checkGradient(); !error.empty())
      return error;
    return checkEqual("workspace", workspace,
                      workspace / JOBRT_ALIGNMENT * JOBRT_ALIGNMENT);
  }

  Element element() const { return static_cast<Element>(type); }
  Element outElement() const { return out_f32 ? Element::kF32 : element(); }
  bool is(std::initializer_list<Epilogue> kinds) const {
    return std::find(kinds.begin(), kinds.end(),
                     static_cast<Epilogue>(epilogue)) != kinds.end();
  }
  bool hasBias() const {
    return is({Epilogue::kBias, Epilogue::kBiasRelu, Epilogue::kBiasReluMask,
               Epilogue::kBiasGelu, Epilogue::kBiasGeluInput});
  }
  /// A second array with an element for each of the result: written by a
  /// forward epilogue, read by a gradient.
  bool hasMask() const {
    return is({Epilogue::kBiasReluMask, Epilogue::kReluGrad,
               Epilogue::kReluGradBiasGrad});
  }
  bool hasGeluInput() const {
    return is({Epilogue::kBiasGeluInput, Epilogue::kGeluGrad,
               Epilogue::kGeluGradBiasGrad});
  }
  bool hasAuxiliary() const { return hasMask() || hasGeluInput(); }
  bool writesAuxiliary() const {
    return is({Epilogue::kBiasReluMask, Epilogue::kBiasGeluInput});
  }
  /// Elements of the gradient of a bias, 0 if there is none.
  int64_t biasGradElements() const {
    if (is({Epilogue::kBiasGradA}))
      return m;
    return is({Epilogue::kReluGradBiasGrad, Epilogue::kGeluGradBiasGrad,
               Epilogue::kBiasGradB})
               ? n
               : 0;
  }
  /// Elements of a row of the auxiliary array: bits of a mask.
  int64_t auxiliaryRow() const {
    return hasMask() ? ceilDiv(n, kMaskGroup) * kMaskGroup : n;
  }
  Buffer auxiliary() const {
    if (hasMask())
      return {"mask", {m, auxiliaryRow() / 8}, writesAuxiliary(), Element::kI8};
    return {"gelu_input", {m, n}, writesAuxiliary(), outElement()};
  }
  /// An error for a gradient that the library does not have: of a factor that
  /// is stored the other way round, or of a sum of one term (those of factors
  /// before version 12.3.4, the others in all versions).
  std::string checkGradient() const {
    auto expect = [&](const std::string &expected, int64_t got) {
      return "expects " + expected + " with the epilogue " +
             kEpilogueNames[epilogue] + " but got " + std::to_string(got);
    };
    if (is({Epilogue::kBiasGradA}) && !transpose_a)
      return expect("'transpose_a' to be 1", transpose_a);
    if (is({Epilogue::kBiasGradB}) && transpose_b)
      return expect("'transpose_b' to be 0", transpose_b);
    bool readsAuxiliary = hasAuxiliary() && !writesAuxiliary();
    if (k == 1 && (readsAuxiliary || biasGradElements() > 0))
      return expect("'k' from 2", k);
    return "";
  }
  std::vector<Buffer> buffers() const {
    std::vector<Buffer> buffers = {{"a", {batch, m, k}, false, element()},
                                   {"b", {batch, k, n}, false, element()}};
    if (beta)
      buffers.push_back({"c", {batch, m, n}, false, outElement()});
    if (hasBias())
      buffers.push_back({"bias", {n}, false, outElement()});
    if (hasAuxiliary() && !writesAuxiliary())
      buffers.push_back(auxiliary());
    buffers.push_back({"out", {batch, m, n}, /*isResult=*/true, outElement()});
    if (writesAuxiliary())
      buffers.push_back(auxiliary());
    if (int64_t elements = biasGradElements())
      buffers.push_back(
          {"bias_grad", {elements}, /*isResult=*/true, outElement()});
    return buffers;
  }
  /// The library divides the work itself.
  int64_t chunks() const { return 1; }
  int64_t workspaceBytes() const { return workspace; }
  std::optional<ResultBlocks> resultBlocks() const { return std::nullopt; }
};

} // namespace jobrt::calls

#endif // JOBRT_CALLS_MATMUL_H
