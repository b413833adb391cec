//===- KernelsImpl.h - Attention of one head, by blocks ---------*- C++ -*-===//
//
// Included once for each set of vector instructions. Nothing of it but the
// table at the end leaves the file that includes it, and no header with inline
// functions is included: the linker could keep this file's copy of one, with
// instructions that another processor lacks.
//
// The weights of a block of queries and a block of keys are computed, used, and
// overwritten by those of the next block (Dao et al. 2022). Matrix products
// read their right factor from panels: groups of columns, each stored row by
// row.
//
//===----------------------------------------------------------------------===//

#include "drivers/host/attention/Kernels.h"
#include "jobrt/abi.h"

namespace jobrt::attention {
extern const Kernels JOBRT_ATTENTION_KERNELS;
}

using namespace jobrt::attention;

namespace {

constexpr int kLanes = JOBRT_ATTENTION_LANES;
/// Rows and vectors of the tile of a product that stays in registers: 32
/// vector registers with AVX-512, else 16.
constexpr int kTileRows = 6;
constexpr int kTileVectors = kLanes == 16 ? 4 : 2;
constexpr int64_t kPanel = kTileVectors * kLanes;

constexpr int64_t kQueryBlock = JOBRT_ATTENTION_QUERY_BLOCK;
constexpr int64_t kKeyBlock = JOBRT_ATTENTION_KEY_BLOCK;
constexpr int64_t kQueryPass = JOBRT_ATTENTION_QUERY_PASS;
static_assert(kQueryPass % kQueryBlock == 0);

// This file's own: functions of several files would be compiled for several
// sets of instructions and linked as one.
constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
/// Rounded up to the channels of one block.
constexpr int64_t roundToBlock(int64_t a) { return (a + 15) / 16 * 16; }

typedef float Vector __attribute__((vector_size(4 * kLanes)));
typedef int32_t Integers __attribute__((vector_size(4 * kLanes)));
/// The same wherever floats lie in memory.
typedef float Unaligned
    __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

inline Vector load(const float *from) {
  return *reinterpret_cast<const Unaligned *>(from);
}
inline void store(Vector value, float *to) {
  *reinterpret_cast<Unaligned *>(to) = value;
}
inline Vector splat(float value) { return value - Vector{}; }
inline Vector select(Integers condition, Vector a, Vector b) {
  return condition ? a : b;
}
inline Vector maximum(Vector a, Vector b) { return select(a > b, a, b); }

inline Integers lanes() {
  Integers result;
  for (int i = 0; i < kLanes; ++i)
    result[i] = i;
  return result;
}

/// The lanes below `count`; `rest` in the others.
inline Vector firstLanes(Vector value, int64_t count, Vector rest) {
  Integers limit = static_cast<int32_t>(count) - Integers{};
  return select(lanes() < limit, value, rest);
}

/// Combines the lanes in a fixed order.
template <typename Combine>
inline float acrossLanes(Vector value, Combine combine) {
  float lane[kLanes];
  store(value, lane);
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i)
      lane[i] = combine(lane[i], lane[i + half]);
  return lane[0];
}
inline float largestLane(Vector value) {
  return acrossLanes(value, [](float a, float b) { return a > b ? a : b; });
}
inline float sumOfLanes(Vector value) {
  return acrossLanes(value, [](float a, float b) { return a + b; });
}

//===----------------------------------------------------------------------===//
// The exponential function
//===----------------------------------------------------------------------===//

/// With n the integer nearest to x / ln 2, e^x = 2^n e^(x - n ln 2). The second
/// factor is a polynomial of degree 7, the one of Cephes' expf.
inline Vector exponential(Vector x) {
  constexpr float kLowest = -87.33654f, kHighest = 88.72283f;
  Vector clamped = select(x < splat(kLowest), splat(kLowest), x);
  clamped = select(clamped > splat(kHighest), splat(kHighest), clamped);
  // Adding 1.5 * 2^23 rounds to an integer, which is then in the low bits.
  constexpr float kRound = 12582912.0f;
  Vector shifted = clamped * splat(1.44269504f) + splat(kRound);
  Vector n = shifted - splat(kRound);
  Vector r = clamped - n * splat(0.693359375f);
  r = r - n * splat(-2.12194440e-4f);
  Vector p = splat(1.9875691500e-4f);
  p = p * r + splat(1.3981999507e-3f);
  p = p * r + splat(8.3334519073e-3f);
  p = p * r + splat(4.1665795894e-2f);
  p = p * r + splat(1.6666665459e-1f);
  p = p * r + splat(5.0000001201e-1f);
  Vector y = p * (r * r) + r + splat(1.0f);
  y = (Vector)((Integers)y + ((Integers)shifted << 23));
  y = select(x < splat(kLowest), Vector{}, y);
  y = select(x > splat(kHighest), splat(__builtin_inff()), y);
  return select(x == x, y, x);
}

inline float exponential(float x) { return exponential(splat(x))[0]; }

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

inline int64_t panelWidth(int64_t columns, int64_t first) {
  return smaller(kPanel, columns - first);
}

/// rows x columns, padded with zeros to a multiple of 16 columns.
void packRows(const float *from, int64_t stride, int64_t rows, int64_t columns,
              float *to) {
  int64_t padded = roundToBlock(columns);
  for (int64_t first = 0; first < padded; first += kPanel) {
    int64_t width = panelWidth(padded, first);
    for (int64_t row = 0; row < rows; ++row, to += width) {
      const float *source = from + row * stride + first;
      int64_t column = 0, full = smaller(width, columns - first);
      for (; column + kLanes <= full; column += kLanes)
        store(load(source + column), to + column);
      for (; column < width; ++column)
        to[column] = column < full ? source[column] : 0.0f;
    }
  }
}

template <int... lane> struct Lanes {};
template <int count, int... lane>
struct CountLanes : CountLanes<count - 1, count - 1, lane...> {};
template <int... lane> struct CountLanes<0, lane...> {
  using type = Lanes<lane...>;
};

/// Exchanges the lanes with bit `step` of `a` for those without it of `b`.
template <int step, int... lane>
inline void exchange(Vector &a, Vector &b, Lanes<lane...>) {
  Vector low = __builtin_shufflevector(
      a, b, (lane & step ? kLanes + lane - step : lane)...);
  b = __builtin_shufflevector(a, b,
                              (lane & step ? kLanes + lane : lane + step)...);
  a = low;
}

template <int step> inline void transposeStep(Vector (&rows)[kLanes]) {
  if constexpr (step < kLanes) {
    for (int i = 0; i < kLanes; ++i)
      if (!(i & step))
        exchange<step>(rows[i], rows[i + step],
                       typename CountLanes<kLanes>::type());
    transposeStep<2 * step>(rows);
  }
}

/// The transpose of columns x rows, padded as above.
void packTransposed(const float *from, int64_t stride, int64_t rows,
                    int64_t columns, float *to) {
  int64_t padded = roundToBlock(columns);
  for (int64_t first = 0; first < padded; first += kPanel) {
    int64_t width = panelWidth(padded, first);
    for (int64_t group = 0; group < width; group += kLanes) {
      int64_t column = first + group;
      const float *source = from + column * stride;
      int64_t row = 0, full = smaller(kLanes, columns - column);
      for (; full == kLanes && row + kLanes <= rows; row += kLanes) {
        Vector block[kLanes];
        for (int i = 0; i < kLanes; ++i)
          block[i] = load(source + i * stride + row);
        transposeStep<1>(block);
        for (int i = 0; i < kLanes; ++i)
          store(block[i], to + (row + i) * width + group);
      }
      for (; row < rows; ++row)
        for (int64_t i = 0; i < kLanes; ++i)
          to[row * width + group + i] =
              i < full ? source[i * stride + row] : 0.0f;
    }
    to += rows * width;
  }
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// Element (i, k) of a left factor is data[i * rowStride + k * columnStride].
struct Left {
  const float *data;
  int64_t rowStride, columnStride;
};

/// Panels of `columns` columns, packed with `rows` rows.
struct Right {
  const float *data;
  int64_t rows, columns;
};

template <int rows, int vectors>
inline void multiplyTile(int64_t terms, Left a, const float *b, int64_t bStride,
                         float *out, int64_t stride, bool accumulate) {
  Vector sum[rows][vectors];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      sum[i][j] = accumulate ? load(out + i * stride + j * kLanes) : Vector{};
  for (int64_t k = 0; k < terms; ++k) {
    Vector right[vectors];
    for (int j = 0; j < vectors; ++j)
      right[j] = load(b + k * bStride + j * kLanes);
    for (int i = 0; i < rows; ++i) {
      Vector left = splat(a.data[i * a.rowStride + k * a.columnStride]);
      for (int j = 0; j < vectors; ++j)
        sum[i][j] += left * right[j];
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < vectors; ++j)
      store(sum[i][j], out + i * stride + j * kLanes);
}

/// Finds the tile of that many rows at compile time.
template <int vectors, int rows = kTileRows>
inline void multiplyRows(int64_t numRows, int64_t terms, Left a, const float *b,
                         int64_t bStride, float *out, int64_t stride,
                         bool accumulate) {
  if (numRows == rows)
    multiplyTile<rows, vectors>(terms, a, b, bStride, out, stride, accumulate);
  else if constexpr (rows > 1)
    multiplyRows<vectors, rows - 1>(numRows, terms, a, b, bStride, out, stride,
                                    accumulate);
}

template <int vectors = kTileVectors>
inline void multiplyPanel(int64_t numVectors, int64_t numRows, int64_t terms,
                          Left a, const float *b, int64_t bStride, float *out,
                          int64_t stride, bool accumulate) {
  if (numVectors == vectors) {
    for (int64_t row = 0; row < numRows; row += kTileRows) {
      multiplyRows<vectors>(smaller(kTileRows, numRows - row), terms, a, b,
                            bStride, out, stride, accumulate);
      a.data += kTileRows * a.rowStride;
      out += kTileRows * stride;
    }
  } else if constexpr (vectors > 1) {
    multiplyPanel<vectors - 1>(numVectors, numRows, terms, a, b, bStride, out,
                               stride, accumulate);
  }
}

/// out[rows x columns] (+)= a[rows x terms] * the first `terms` rows and
/// `columns` columns of b. `columns` is a multiple of 16.
void multiply(int64_t rows, int64_t columns, int64_t terms, Left a, Right b,
              float *out, int64_t stride, bool accumulate) {
  for (int64_t first = 0; first < columns; first += kPanel) {
    int64_t width = panelWidth(b.columns, first);
    multiplyPanel(smaller(width, columns - first) / kLanes, rows, terms, a,
                  b.data, width, out + first, stride, accumulate);
    b.data += b.rows * width;
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Keys from `firstKey` on that query `query` attends to; may be negative.
inline int64_t visibleKeys(const Problem &problem, int64_t query,
                           int64_t firstKey) {
  int64_t end = problem.causal ? query + 1 + problem.keys - problem.queries
                               : problem.keys;
  return end - firstKey;
}

/// The largest of `count` products x * scale, minus infinity for none.
inline float largestScore(const float *x, int64_t count, float scale) {
  Vector lowest = splat(-__builtin_inff()), largest = lowest;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    largest = maximum(load(x + i) * splat(scale), largest);
  if (i < count)
    largest = maximum(firstLanes(load(x + i) * splat(scale), count - i, lowest),
                      largest);
  return largestLane(largest);
}

/// Turns `count` scores of a row into e^(x * scale - shift), with zeros up to
/// `width`; returns their sum. The row is padded to a multiple of 16.
inline float weighRow(float *x, int64_t count, int64_t width, float scale,
                      float shift) {
  Vector sum = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Vector weight = exponential(load(x + i) * splat(scale) - splat(shift));
    sum += weight;
    store(weight, x + i);
  }
  for (; i < width; i += kLanes) {
    Vector weight = {};
    if (i < count)
      weight =
          firstLanes(exponential(load(x + i) * splat(scale) - splat(shift)),
                     count - i, Vector{});
    sum += weight;
    store(weight, x + i);
  }
  return sumOfLanes(sum);
}

inline void scaleRow(float *row, int64_t count, float factor) {
  for (int64_t i = 0; i < count; i += kLanes)
    store(load(row + i) * splat(factor), row + i);
}

/// Copies a padded row times a factor to one of any length.
inline void writeRow(const float *from, float factor, int64_t count,
                     float *to) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    store(load(from + i) * splat(factor), to + i);
  for (; i < count; ++i)
    to[i] = from[i] * factor;
}

inline void clear(float *to, int64_t count) {
  for (int64_t i = 0; i < count; i += kLanes)
    store(Vector{}, to + i);
}

/// The scratch memory of a head, handed out from the front.
struct Scratch {
  float *next;
  float *take(int64_t count) {
    float *result = next;
    next += count;
    return result;
  }
};

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

struct ForwardPass {
  const Problem &problem;
  const ForwardHead &head;
  float *keys, *values, *weights, *sums, *largest, *total;
  int64_t padded;

  ForwardPass(const Problem &problem, const ForwardHead &head)
      : problem(problem), head(head),
        padded(roundToBlock(problem.valueChannels)) {
    int64_t queries = head.end - head.begin;
    int64_t block = smaller(queries, kQueryBlock);
    int64_t pass = smaller(queries, kQueryPass);
    int64_t keyBlock = roundToBlock(smaller(problem.keys, kKeyBlock));
    Scratch scratch{head.scratch};
    keys = scratch.take(keyBlock * problem.channels);
    values = scratch.take(keyBlock * padded);
    weights = scratch.take(block * keyBlock);
    sums = scratch.take(pass * padded);
    largest = scratch.take(pass);
    total = scratch.take(pass);
  }

  /// Adds a row's weights of one block to its sums: all are relative to the
  /// largest score so far.
  void weigh(float *row, int64_t count, int64_t width, int64_t index,
             bool isFirst) {
    float before = isFirst ? -__builtin_inff() : largest[index];
    float now = largestScore(row, count, problem.scale);
    now = now > before ? now : before;
    // A row of minus infinities so far has no weights yet.
    float shift = now == -__builtin_inff() ? 0.0f : now;
    float sum = weighRow(row, count, width, problem.scale, shift);
    if (!isFirst) {
      float factor = exponential(before - shift);
      if (factor != 1.0f)
        scaleRow(sums + index * padded, padded, factor);
      sum += total[index] * factor;
    }
    largest[index] = now;
    total[index] = sum;
  }

  /// Queries [begin, begin + count), their sums from row `index` on.
  void attend(int64_t begin, int64_t count, int64_t index, int64_t firstKey,
              int64_t numKeys) {
    int64_t visible =
        smaller(numKeys, visibleKeys(problem, begin + count - 1, firstKey));
    if (visible <= 0)
      return;
    int64_t width = roundToBlock(visible), stride = roundToBlock(numKeys);
    multiply(
        count, width, problem.channels,
        {head.query + begin * problem.channelStride, problem.channelStride, 1},
        {keys, problem.channels, stride}, weights, stride,
        /*accumulate=*/false);
    bool isFirst = firstKey == 0;
    for (int64_t i = 0; i < count; ++i) {
      int64_t seen =
          smaller(visible, visibleKeys(problem, begin + i, firstKey));
      if (seen > 0)
        weigh(weights + i * stride, seen, width, index + i, isFirst);
      else
        clear(weights + i * stride, width);
    }
    multiply(count, padded, visible, {weights, stride, 1},
             {values, numKeys, padded}, sums + index * padded, padded,
             /*accumulate=*/!isFirst);
  }

  void run(int64_t begin, int64_t end) {
    int64_t allKeys = smaller(problem.keys, visibleKeys(problem, end - 1, 0));
    for (int64_t key = 0; key < allKeys; key += kKeyBlock) {
      int64_t numKeys = smaller(kKeyBlock, allKeys - key);
      packTransposed(head.key + key * problem.channelStride,
                     problem.channelStride, problem.channels, numKeys, keys);
      packRows(head.value + key * problem.valueStride, problem.valueStride,
               numKeys, problem.valueChannels, values);
      for (int64_t query = begin; query < end; query += kQueryBlock)
        attend(query, smaller(kQueryBlock, end - query), query - begin, key,
               numKeys);
    }
    for (int64_t query = begin; query < end; ++query) {
      int64_t i = query - begin;
      writeRow(sums + i * padded, 1.0f / total[i], problem.valueChannels,
               head.result + query * problem.valueStride);
      double logarithm = __builtin_log(static_cast<double>(total[i]));
      head.logsumexp[query] =
          static_cast<float>(static_cast<double>(largest[i]) + logarithm);
    }
  }
};

void forward(const Problem &problem, const ForwardHead &head) {
  ForwardPass pass(problem, head);
  for (int64_t begin = head.begin; begin < head.end; begin += kQueryPass)
    pass.run(begin, smaller(head.end, begin + kQueryPass));
}

//===----------------------------------------------------------------------===//
// Gradient
//===----------------------------------------------------------------------===//

struct GradPass {
  const Problem &problem;
  const GradHead &head;
  /// Keys and values, transposed; keys; one block of queries and of gradients.
  float *keysT, *valuesT, *keys, *queries, *grads;
  float *weights, *scoreGrads;
  /// Sums of the gradients of a block of keys and of all queries.
  float *keySums, *valueSums, *querySums;
  /// The product of each query's result and its gradient.
  float *products;
  int64_t channels, values;

  GradPass(const Problem &problem, const GradHead &head)
      : problem(problem), head(head), channels(roundToBlock(problem.channels)),
        values(roundToBlock(problem.valueChannels)) {
    int64_t all = head.end - head.begin;
    int64_t block = smaller(all, kQueryBlock);
    int64_t keyBlock = roundToBlock(smaller(problem.keys, kKeyBlock));
    Scratch scratch{head.scratch};
    keysT = scratch.take(keyBlock * problem.channels);
    valuesT = scratch.take(keyBlock * problem.valueChannels);
    keys = scratch.take(keyBlock * channels);
    queries = scratch.take(block * channels);
    grads = scratch.take(block * values);
    weights = scratch.take(block * keyBlock);
    scoreGrads = scratch.take(block * keyBlock);
    keySums = scratch.take(keyBlock * channels);
    valueSums = scratch.take(keyBlock * values);
    querySums = scratch.take(all * channels);
    products = scratch.take(all);
  }

  void findProducts() {
    for (int64_t query = head.begin; query < head.end; ++query) {
      const float *grad = head.grad + query * problem.valueStride;
      const float *result = head.result + query * problem.valueStride;
      Vector sum = {};
      int64_t i = 0;
      for (; i + kLanes <= problem.valueChannels; i += kLanes)
        sum += load(grad + i) * load(result + i);
      float product = sumOfLanes(sum);
      for (; i < problem.valueChannels; ++i)
        product += grad[i] * result[i];
      products[query - head.begin] = product;
    }
  }

  /// Scores and gradients of weights of one row to weights and gradients of
  /// scores, with zeros from `count` to `width`.
  void weigh(float *weightRow, float *gradRow, int64_t count, int64_t width,
             int64_t query) {
    Vector scale = splat(problem.scale), shift = splat(head.logsumexp[query]);
    Vector product = splat(products[query - head.begin]);
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      Vector weight = exponential(load(weightRow + i) * scale - shift);
      store(weight, weightRow + i);
      store(weight * (load(gradRow + i) - product), gradRow + i);
    }
    for (; i < width; i += kLanes) {
      Vector weight = {}, grad = {};
      if (i < count) {
        Vector raw = exponential(load(weightRow + i) * scale - shift);
        weight = firstLanes(raw, count - i, Vector{});
        grad = firstLanes(raw * (load(gradRow + i) - product), count - i,
                          Vector{});
      }
      store(weight, weightRow + i);
      store(grad, gradRow + i);
    }
  }

  /// Queries [begin, begin + count) and one block of keys.
  void attend(int64_t begin, int64_t count, int64_t firstKey, int64_t numKeys) {
    int64_t visible =
        smaller(numKeys, visibleKeys(problem, begin + count - 1, firstKey));
    if (visible <= 0)
      return;
    int64_t width = roundToBlock(visible), stride = roundToBlock(numKeys);
    const float *query = head.query + begin * problem.channelStride;
    const float *grad = head.grad + begin * problem.valueStride;
    multiply(count, width, problem.channels, {query, problem.channelStride, 1},
             {keysT, problem.channels, stride}, weights, stride,
             /*accumulate=*/false);
    multiply(count, width, problem.valueChannels,
             {grad, problem.valueStride, 1},
             {valuesT, problem.valueChannels, stride}, scoreGrads, stride,
             /*accumulate=*/false);
    for (int64_t i = 0; i < count; ++i) {
      int64_t seen =
          smaller(visible, visibleKeys(problem, begin + i, firstKey));
      weigh(weights + i * stride, scoreGrads + i * stride, seen > 0 ? seen : 0,
            width, begin + i);
    }
    packRows(query, problem.channelStride, count, problem.channels, queries);
    packRows(grad, problem.valueStride, count, problem.valueChannels, grads);
    multiply(visible, values, count, {weights, 1, stride},
             {grads, count, values}, valueSums, values, /*accumulate=*/true);
    multiply(visible, channels, count, {scoreGrads, 1, stride},
             {queries, count, channels}, keySums, channels,
             /*accumulate=*/true);
    multiply(count, channels, visible, {scoreGrads, stride, 1},
             {keys, numKeys, channels},
             querySums + (begin - head.begin) * channels, channels,
             /*accumulate=*/firstKey != 0);
  }

  void runKeys(int64_t firstKey, int64_t numKeys) {
    packTransposed(head.key + firstKey * problem.channelStride,
                   problem.channelStride, problem.channels, numKeys, keysT);
    packTransposed(head.value + firstKey * problem.valueStride,
                   problem.valueStride, problem.valueChannels, numKeys,
                   valuesT);
    packRows(head.key + firstKey * problem.channelStride, problem.channelStride,
             numKeys, problem.channels, keys);
    clear(keySums, numKeys * channels);
    clear(valueSums, numKeys * values);
    for (int64_t query = head.begin; query < head.end; query += kQueryBlock)
      attend(query, smaller(kQueryBlock, head.end - query), firstKey, numKeys);
    for (int64_t i = 0; i < numKeys; ++i) {
      writeRow(keySums + i * channels, problem.scale, problem.channels,
               head.keyGrad + (firstKey + i) * head.keyGradStride);
      writeRow(valueSums + i * values, 1.0f, problem.valueChannels,
               head.valueGrad + (firstKey + i) * head.valueGradStride);
    }
  }

  void run() {
    findProducts();
    int64_t allKeys =
        smaller(problem.keys, visibleKeys(problem, head.end - 1, 0));
    for (int64_t key = 0; key < allKeys; key += kKeyBlock)
      runKeys(key, smaller(kKeyBlock, allKeys - key));
    for (int64_t key = allKeys; key < problem.keys; ++key) {
      for (int64_t i = 0; i < problem.channels; ++i)
        head.keyGrad[key * head.keyGradStride + i] = 0;
      for (int64_t i = 0; i < problem.valueChannels; ++i)
        head.valueGrad[key * head.valueGradStride + i] = 0;
    }
    for (int64_t query = head.begin; query < head.end; ++query)
      writeRow(querySums + (query - head.begin) * channels, problem.scale,
               problem.channels,
               head.queryGrad + query * problem.channelStride);
  }
};

void grad(const Problem &problem, const GradHead &head) {
  GradPass(problem, head).run();
}

void exponentials(const float *x, float *result, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    result[i] = exponential(x[i]);
}

} // namespace

const Kernels jobrt::attention::JOBRT_ATTENTION_KERNELS = {
    JOBRT_ATTENTION_INSTRUCTIONS, forward, grad, exponentials};
