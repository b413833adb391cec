//===- PtxTest.cpp - PTX, interpreted -------------------------------------===//

#include "SimTest.h"

#include <bit>
#include <limits>

namespace {

/// CUDA_ERROR_INVALID_PTX.
constexpr Result kErrorInvalidPtx = 218;

constexpr const char *kHeader =
    ".version 8.1\n.target sm_90\n.address_size 64\n";

/// One kernel `k`, whose parameters are an address and three numbers.
std::string makeKernel(const std::string &body, const char *limits = "") {
  return std::string(kHeader) +
         "// a comment\n.visible .entry k(.param .u64 .ptr .global .align 8 "
         "k_param_0, .param .u64 k_param_1, .param .u64 k_param_2, .param .u64 "
         "k_param_3)\n" +
         limits + R"({
  .reg .pred %p<8>;
  .reg .b16 %rs<8>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<16>;
  ld.param.b64 %rd8, [k_param_0];
  cvta.to.global.u64 %rd8, %rd8;
  ld.param.b64 %rd1, [k_param_1];
  ld.param.b64 %rd2, [k_param_2];
  ld.param.b64 %rd3, [k_param_3];
  cvt.u32.u64 %r1, %rd1;
  cvt.u32.u64 %r2, %rd2;
  cvt.u32.u64 %r3, %rd3;
  cvt.u16.u64 %rs1, %rd1;
  cvt.u16.u64 %rs2, %rd2;
  cvt.u16.u64 %rs3, %rd3;
)" + body +
         "\n  ret;\n}\n";
}

class PtxTest : public SimTest {
protected:
  void load(const std::string &text) {
    ASSERT_OK(cuModuleUnload(module));
    ASSERT_OK(cuModuleLoadData(&module, text.c_str()));
  }

  /// The error of a text, and why it is refused.
  void expectRefused(const std::string &text, Result error,
                     const std::string &why) {
    Module other;
    EXPECT_EQ(cuModuleLoadData(&other, text.c_str()), error) << text;
    EXPECT_NE(std::string(jobsim_last_fault()).find(why), std::string::npos)
        << jobsim_last_fault();
  }

  uint64_t run(const std::string &body, uint64_t a = 0, uint64_t b = 0,
               uint64_t c = 0) {
    load(makeKernel(body + "\n  st.global.b64 [%rd8], %rd0;"));
    DevicePointer out = allocate(8);
    EXPECT_OK(launch("k", 1, 1, out, a, b, c));
    return download<uint64_t>(out, 1)[0];
  }

  /// The result of one instruction, in %p0, %rs0, %r0 or %rd0, of arguments in
  /// the registers 1 to 3 of each kind.
  uint64_t evaluate(const std::string &instruction, uint64_t a, uint64_t b,
                    uint64_t c) {
    std::string text = instruction + ";\n";
    if (text.find("%p0") != text.npos)
      text += "selp.b64 %rd0, 1, 0, %p0;";
    else if (text.find("%rs0") != text.npos)
      text += "cvt.u64.u16 %rd0, %rs0;";
    else if (text.find("%r0") != text.npos)
      text += "cvt.u64.u32 %rd0, %r0;";
    return run(text, a, b, c);
  }
};

struct Row {
  const char *instruction;
  uint64_t a, b, c, expected;
};

uint64_t bits(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr uint64_t kNaN = 0x7fc00000, kDoubleNaN = uint64_t(0x7ff8) << 48;
constexpr uint64_t kMinus1 = ~uint64_t(0);

TEST_F(PtxTest, ComputesIntegers) {
  const Row rows[] = {
      {"add.s32 %r0, %r1, %r2", 0x7fffffff, 1, 0, 0x80000000},
      {"sub.s64 %rd0, %rd1, %rd2", 1, 3, 0, kMinus1 - 1},
      {"add.s16 %rs0, %rs1, %rs2", 0xffff, 2, 0, 1},
      {"mul.lo.s32 %r0, %r1, %r2", 0x10001, 0x10001, 0, 0x20001},
      {"mul.hi.u32 %r0, %r1, %r2", 0xffffffff, 0xffffffff, 0, 0xfffffffe},
      {"mul.hi.s32 %r0, %r1, %r2", 0xffffffff, 2, 0, 0xffffffff},
      {"mul.hi.u64 %rd0, %rd1, %rd2", kMinus1, kMinus1, 0, kMinus1 - 1},
      {"mul.hi.s64 %rd0, %rd1, %rd2", kMinus1, kMinus1, 0, 0},
      {"mul.wide.s32 %rd0, %r1, %r2", 0xffffffff, 3, 0, kMinus1 - 2},
      {"mul.wide.u32 %rd0, %r1, %r2", 0xffffffff, 3, 0, 0x2fffffffd},
      {"mul.wide.u16 %r0, %rs1, %rs2", 0xffff, 0xffff, 0, 0xfffe0001},
      {"mad.wide.s32 %rd0, %r1, %r2, %rd3", 0xffffffff, 3, 5, 2},
      {"mad.lo.s32 %r0, %r1, %r2, %r3", 3, 4, 5, 17},
      {"mad.hi.u32 %r0, %r1, %r2, %r3", 0x80000000, 4, 5, 7},
      {"div.s32 %r0, %r1, %r2", 0xfffffff9, 2, 0, 0xfffffffd},
      {"div.u32 %r0, %r1, %r2", 0xfffffff9, 2, 0, 0x7ffffffc},
      {"rem.s64 %rd0, %rd1, %rd2", kMinus1 - 6, 4, 0, kMinus1 - 2},
      {"rem.u64 %rd0, %rd1, %rd2", 23, 4, 0, 3},
      {"div.s64 %rd0, %rd1, %rd2", uint64_t(1) << 63, kMinus1, 0,
       uint64_t(1) << 63},
      {"abs.s32 %r0, %r1", 0xfffffff9, 0, 0, 7},
      {"neg.s32 %r0, %r1", 7, 0, 0, 0xfffffff9},
      {"min.s32 %r0, %r1, %r2", 0xffffffff, 1, 0, 0xffffffff},
      {"min.u32 %r0, %r1, %r2", 0xffffffff, 1, 0, 1},
      {"max.s64 %rd0, %rd1, %rd2", kMinus1, 1, 0, 1},
      {"add.s32 %r0, %r1, -7", 5, 0, 0, 0xfffffffe},
      {"add.s16x2 %r0, %r1, %r2", 0xffff0001, 0x10002, 0, 0x3},
      {"max.u16x2 %r0, %r1, %r2", 0xffff0001, 0x10002, 0, 0xffff0002},
      {"min.s16x2 %r0, %r1, %r2", 0xffff0001, 0x10002, 0, 0xffff0001},
      {"mov.b32 %r0, 0xff", 0, 0, 0, 255},
      {"mov.b32 %r0, 010", 0, 0, 0, 8},
      {"mov.b32 %r0, 0b101", 0, 0, 0, 5}};
  for (const Row &row : rows)
    EXPECT_EQ(evaluate(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction;
}

TEST_F(PtxTest, ComputesOnBits) {
  const Row rows[] = {
      {"and.b32 %r0, %r1, %r2", 0xc, 0xa, 0, 0x8},
      {"or.b64 %rd0, %rd1, %rd2", 0xc, 0xa, 0, 0xe},
      {"xor.b16 %rs0, %rs1, %rs2", 0xc, 0xa, 0, 0x6},
      {"not.b32 %r0, %r1", 1, 0, 0, 0xfffffffe},
      // Everything is shifted out.
      {"shl.b32 %r0, %r1, %r2", 1, 31, 0, 0x80000000},
      {"shl.b32 %r0, %r1, %r2", 1, 32, 0, 0},
      {"shl.b64 %rd0, %rd1, %r2", 1, 64, 0, 0},
      {"shr.u32 %r0, %r1, %r2", 0x80000000, 100, 0, 0},
      {"shr.s32 %r0, %r1, %r2", 0x80000000, 100, 0, 0xffffffff},
      {"shr.s64 %rd0, %rd1, %r2", kMinus1 - 7, 2, 0, kMinus1 - 1},
      {"shr.s16 %rs0, %rs1, %r2", 0x8000, 3, 0, 0xf000},
      {"shf.l.wrap.b32 %r0, %r1, %r2, %r3", 0x80000000, 1, 33, 3},
      {"shf.l.clamp.b32 %r0, %r1, %r2, %r3", 0x80000000, 1, 33, 0x80000000},
      {"shf.r.wrap.b32 %r0, %r1, %r2, %r3", 2, 1, 1, 0x80000001},
      {"prmt.b32 %r0, %r1, %r2, %r3", 0x33221100, 0x77665544, 0x5410,
       0x55441100},
      {"prmt.b32 %r0, %r1, %r2, %r3", 0x80, 0, 0x8000, 0xff808080},
      {"bfe.u32 %r0, %r1, %r2, %r3", 0xabcd, 4, 8, 0xbc},
      {"bfe.s32 %r0, %r1, %r2, %r3", 0xabcd, 4, 8, 0xffffffbc},
      {"bfe.u32 %r0, %r1, 28, 8", 0xf0000000, 0, 0, 0xf},
      {"bfe.s64 %rd0, %rd1, 0, 0", 5, 0, 0, 0},
      {"bfi.b32 %r0, %r1, %r2, 4, 8", 0xff, 0xffff0000, 0, 0xffff0ff0},
      {"popc.b32 %r0, %r1", 0xf1, 0, 0, 5},
      {"popc.b64 %r0, %rd1", kMinus1, 0, 0, 64},
      {"clz.b32 %r0, %r1", 1, 0, 0, 31},
      {"clz.b64 %r0, %rd1", 0, 0, 0, 64},
      {"brev.b32 %r0, %r1", 1, 0, 0, 0x80000000}};
  for (const Row &row : rows)
    EXPECT_EQ(evaluate(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction;
}

TEST_F(PtxTest, ComputesFloats) {
  const float tiny = 0x1p-149f;
  const Row rows[] = {
      {"add.rn.f32 %r0, %r1, %r2", bits(1.f), bits(0x1p-24f), 0, bits(1.f)},
      {"add.rn.f32 %r0, %r1, 0f3F800000", bits(2.f), 0, 0, bits(3.f)},
      {"sub.rn.f64 %rd0, %rd1, %rd2", bits(1.), bits(3.), 0, bits(-2.)},
      // Subnormal numbers are not flushed.
      {"mul.rn.f32 %r0, %r1, %r2", bits(tiny), bits(1.f), 0, bits(tiny)},
      {"fma.rn.f32 %r0, %r1, %r2, %r3", bits(1 + 0x1p-23f), bits(1 - 0x1p-23f),
       bits(-1.f), bits(-0x1p-46f)},
      // The sign of a NaN that is computed is that of CUDA, not the host's.
      {"sub.rn.f32 %r0, %r1, %r2", bits(kInfinity), bits(kInfinity), 0,
       0x7fffffff},
      {"mul.rn.f32 %r0, %r1, %r2", 0xffc01234, bits(1.f), 0, 0x7fffffff},
      {"div.rn.f32 %r0, %r1, %r2", bits(1.f), bits(3.f), 0, bits(1.f / 3)},
      {"sqrt.rn.f32 %r0, %r1", bits(2.f), 0, 0, bits(std::sqrt(2.f))},
      {"rsqrt.approx.f32 %r0, %r1", bits(4.f), 0, 0, bits(.5f)},
      {"rcp.rn.f64 %rd0, %rd1", bits(4.), 0, 0, bits(.25)},
      {"ex2.approx.f32 %r0, %r1", bits(3.f), 0, 0, bits(8.f)},
      {"lg2.approx.f32 %r0, %r1", bits(8.f), 0, 0, bits(3.f)},
      {"neg.f32 %r0, %r1", kNaN, 0, 0, kNaN | 0x80000000},
      {"abs.f64 %rd0, %rd1", bits(-2.), 0, 0, bits(2.)},
      // The sign of the first with the magnitude of the second.
      {"copysign.f32 %r0, %r1, %r2", bits(-1.f), bits(3.f), 0, bits(-3.f)},
      {"min.f32 %r0, %r1, %r2", kNaN, bits(3.f), 0, bits(3.f)},
      {"max.f32 %r0, %r1, %r2", bits(3.f), kNaN, 0, bits(3.f)},
      {"min.NaN.f32 %r0, %r1, %r2", bits(3.f), kNaN, 0, 0x7fffffff},
      {"max.NaN.f32 %r0, %r1, %r2", bits(3.f), bits(4.f), 0, bits(4.f)},
      {"min.f32 %r0, %r1, %r2", bits(0.f), bits(-0.f), 0, bits(-0.f)},
      {"max.f32 %r0, %r1, %r2", bits(-0.f), bits(0.f), 0, bits(0.f)},
      {"min.f64 %rd0, %rd1, %rd2", kDoubleNaN, bits(3.), 0, bits(3.)}};
  for (const Row &row : rows)
    EXPECT_EQ(evaluate(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction;
}

TEST_F(PtxTest, ComputesFloatsOf16Bits) {
  const Row rows[] = {
      {"add.rn.f16 %rs0, %rs1, %rs2", 0x3c00, 0x3c00, 0, 0x4000},
      // 1 + 2^-11: a tie, to even.
      {"add.rn.f16 %rs0, %rs1, %rs2", 0x3c00, 0x1000, 0, 0x3c00},
      {"mul.rn.f16 %rs0, %rs1, %rs2", 0x7bff, 0x4000, 0, 0x7c00},
      {"sub.rn.bf16 %rs0, %rs1, %rs2", 0x3f80, 0x4040, 0, 0xc000},
      // 1.5 * 1.0078125 is a tie, and what is added decides it.
      {"fma.rn.bf16 %rs0, %rs1, %rs2, %rs3", 0x3fc0, 0x3f81, 0, 0x3fc2},
      {"fma.rn.bf16 %rs0, %rs1, %rs2, %rs3", 0x3fc0, 0x3f81, 0x0080, 0x3fc2},
      {"fma.rn.bf16 %rs0, %rs1, %rs2, %rs3", 0x3fc0, 0x3f81, 0x8080, 0x3fc1},
      {"max.bf16 %rs0, %rs1, %rs2", 0x7fc0, 0x3f80, 0, 0x3f80},
      {"add.rn.bf16 %rs0, %rs1, %rs2", 0x7f80, 0xff80, 0, 0x7fff},
      {"neg.f16 %rs0, %rs1", 0x3c00, 0, 0, 0xbc00},
      {"neg.bf16x2 %r0, %r1", 0x3f80bf80, 0, 0, 0xbf803f80},
      {"abs.f16x2 %r0, %r1", 0xbc003c00, 0, 0, 0x3c003c00},
      {"add.rn.f16x2 %r0, %r1, %r2", 0x3c004000, 0x3c003c00, 0, 0x40004200},
      {"fma.rn.bf16x2 %r0, %r1, %r2, %r3", 0x3f804000, 0x40003f80, 0x3f803f80,
       0x40404040}};
  for (const Row &row : rows)
    EXPECT_EQ(evaluate(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction << " of " << row.a << ", " << row.b << ", " << row.c;
}

TEST_F(PtxTest, Compares) {
  const Row rows[] = {
      {"setp.lt.s32 %p0, %r1, %r2", 0xffffffff, 1, 0, 1},
      {"setp.lt.u32 %p0, %r1, %r2", 0xffffffff, 1, 0, 0},
      {"setp.hs.u64 %p0, %rd1, %rd2", kMinus1, kMinus1, 0, 1},
      {"setp.ne.b16 %p0, %rs1, %rs2", 0x10001, 1, 0, 0},
      {"setp.ge.s64 %p0, %rd1, 0", kMinus1, 0, 0, 0},
      {"setp.lt.f32 %p0, %r1, %r2", bits(1.f), bits(2.f), 0, 1},
      {"setp.lt.f32 %p0, %r1, %r2", kNaN, bits(2.f), 0, 0},
      {"setp.ltu.f32 %p0, %r1, %r2", kNaN, bits(2.f), 0, 1},
      {"setp.ne.f32 %p0, %r1, %r2", kNaN, kNaN, 0, 0},
      {"setp.neu.f32 %p0, %r1, %r2", kNaN, kNaN, 0, 1},
      {"setp.nan.f64 %p0, %rd1, %rd1", kDoubleNaN, 0, 0, 1},
      {"setp.num.f64 %p0, %rd1, %rd1", bits(1.), 0, 0, 1},
      {"setp.eq.f32 %p0, %r1, %r2", bits(0.f), bits(-0.f), 0, 1},
      {"setp.gt.bf16 %p0, %rs1, %rs2", 0x4000, 0x3f80, 0, 1},
      {"setp.eq.s32 %p1|%p0, %r1, %r2", 1, 2, 0, 1},
      // The low half, the high half.
      {"setp.lt.f16x2 %p0|%p1, %r1, %r2", 0x3c003c00, 0x3c004000, 0, 1},
      {"setp.lt.f16x2 %p1|%p0, %r1, %r2", 0x3c003c00, 0x3c004000, 0, 0},
      {"setp.eq.s32 %p1, %r1, 1; selp.b32 %r0, %r2, %r3, %p1", 1, 8, 9, 8},
      {"setp.eq.s32 %p1, %r1, 1; not.pred %p0, %p1", 1, 0, 0, 0},
      {"setp.eq.s32 %p1, %r1, 1; setp.eq.s32 %p2, %r2, 1; "
       "xor.pred %p0, %p1, %p2",
       1, 2, 0, 1},
      {"mov.b32 %r0, 5; setp.eq.s32 %p1, %r1, 1; @!%p1 mov.b32 %r0, 6", 1, 0, 0,
       5},
      {"mov.b32 %r0, 5; setp.eq.s32 %p1, %r1, 1; @%p1 mov.b32 %r0, 6", 1, 0, 0,
       6}};
  for (const Row &row : rows)
    EXPECT_EQ(evaluate(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction;
}

TEST_F(PtxTest, Converts) {
  const Row rows[] = {
      {"cvt.s32.s8 %r0, %rs1", 0xff, 0, 0, 0xffffffff},
      {"cvt.u32.u8 %r0, %rs1", 0x1ff, 0, 0, 0xff},
      {"cvt.s64.s32 %rd0, %r1", 0x80000000, 0, 0, 0xffffffff80000000},
      {"cvt.u64.u32 %rd0, %r1", 0x80000000, 0, 0, 0x80000000},
      {"cvt.u16.u32 %rs0, %r1", 0x12345, 0, 0, 0x2345},
      {"cvt.rn.f32.s32 %r0, %r1", 0x1000001, 0, 0, bits(0x1p24f)},
      {"cvt.rn.f32.u64 %r0, %rd1", kMinus1, 0, 0, bits(0x1p64f)},
      {"cvt.rz.f32.u32 %r0, %r1", 0xffffffff, 0, 0, bits(0x1.fffffep31f)},
      {"cvt.rn.f64.s64 %rd0, %rd1", kMinus1, 0, 0, bits(-1.)},
      // Just above a tie of bf16, and a tie of f32.
      {"cvt.rn.bf16.s32 %rs0, %r1", 0x1010001, 0, 0, 0x4b81},
      {"cvt.rn.bf16.s32 %rs0, %r1", 0x1010000, 0, 0, 0x4b80},
      {"cvt.rn.f16.f64 %rs0, %rd1", bits(1 + 0x1p-11 + 0x1p-40), 0, 0, 0x3c01},
      {"cvt.rn.f16.f64 %rs0, %rd1", bits(0x1p-24), 0, 0, 1},
      {"cvt.rn.f16.f32 %rs0, %r1", bits(65520.f), 0, 0, 0x7c00},
      {"cvt.rn.bf16x2.f32 %r0, %r1, %r2", bits(1.f), bits(2.f), 0, 0x3f804000},
      {"cvt.f32.bf16 %r0, %rs1", 0x3fc0, 0, 0, bits(1.5f)},
      {"cvt.f64.f32 %rd0, %r1", bits(1.5f), 0, 0, bits(1.5)},
      {"cvt.rn.f32.f64 %r0, %rd1", bits(1 + 0x1p-24), 0, 0, bits(1.f)},
      {"cvt.rp.f32.f64 %r0, %rd1", bits(1 + 0x1p-24), 0, 0, bits(1 + 0x1p-23f)},
      {"cvt.rm.f32.f64 %r0, %rd1", bits(-1 - 0x1p-30), 0, 0,
       bits(-1 - 0x1p-23f)},
      {"cvt.rni.f32.f32 %r0, %r1", bits(2.5f), 0, 0, bits(2.f)},
      {"cvt.rmi.f32.f32 %r0, %r1", bits(-2.5f), 0, 0, bits(-3.f)},
      {"cvt.rpi.f64.f64 %rd0, %rd1", bits(2.25), 0, 0, bits(3.)},
      {"cvt.rzi.s32.f32 %r0, %r1", bits(-2.9f), 0, 0, 0xfffffffe},
      // To the limits of the type, and a NaN to 0 or the smallest number.
      {"cvt.rzi.s32.f32 %r0, %r1", bits(1e20f), 0, 0, 0x7fffffff},
      {"cvt.rzi.u32.f32 %r0, %r1", bits(-1.f), 0, 0, 0},
      {"cvt.rzi.u8.f32 %rs0, %r1", bits(300.f), 0, 0, 255},
      {"cvt.rzi.s32.f32 %r0, %r1", kNaN, 0, 0, 0},
      {"cvt.rzi.s64.f32 %rd0, %r1", kNaN, 0, 0, uint64_t(1) << 63},
      {"cvt.rzi.s32.f64 %r0, %rd1", kDoubleNaN, 0, 0, 0x80000000},
      {"cvt.sat.f32.f32 %r0, %r1", bits(3.f), 0, 0, bits(1.f)},
      {"cvt.sat.f32.f32 %r0, %r1", kNaN, 0, 0, 0}};
  for (const Row &row : rows)
    EXPECT_EQ(evaluate(row.instruction, row.a, row.b, row.c), row.expected)
        << row.instruction << " of " << row.a;
}

TEST_F(PtxTest, MovesParts) {
  EXPECT_EQ(
      run("mov.b32 {%rs4, %rs5}, %r1; cvt.u64.u16 %rd0, %rs5;", 0x12345678),
      0x1234u);
  EXPECT_EQ(run("mov.b64 {%r4, _}, %rd1; cvt.u64.u32 %rd0, %r4;", kMinus1),
            0xffffffffu);
  EXPECT_EQ(run("mov.b64 %rd0, {%r1, %r2};", 1, 2), 0x200000001u);
  EXPECT_EQ(run("mov.b32 %r0, {%rs1, %rs2}; cvt.u64.u32 %rd0, %r0;", 1, 2),
            0x20001u);
}

TEST_F(PtxTest, LoadsAndStores) {
  load(makeKernel(R"(
  ld.global.nc.v4.b32 {%r4, %r5, %r6, %r7}, [%rd8+16];
  st.global.v2.b32 [%rd8], {%r7, %r4};
  ld.global.s8 %rs4, [%rd8+12];
  cvt.s32.s16 %r4, %rs4;
  st.global.b32 [%rd8+8], %r4;)"));
  std::vector<uint32_t> values = {0, 1, 2, 0x80, 4, 5, 6, 7};
  DevicePointer data = upload(values);
  ASSERT_OK(launch("k", 1, 1, data, uint64_t(0), uint64_t(0), uint64_t(0)));
  EXPECT_EQ(download<uint32_t>(data, 8),
            (std::vector<uint32_t>{7, 4, 0xffffff80, 0x80, 4, 5, 6, 7}));
}

TEST_F(PtxTest, HasEachMemory) {
  load(std::string(kHeader) + R"(
.global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.visible .entry k(.param .u64 k_param_0) .maxntid 64, 1, 1 {
  .local .align 8 .b8 stack[16];
  .shared .align 16 .b8 tile[256];
  .reg .b64 %SP; .reg .b64 %SPL;
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  mov.b64 %rd3, tile;
  add.s64 %rd4, %rd3, %rd2;
  st.shared.b32 [%rd4], %r1;
  bar.sync 0;
  // Through a generic address: the other end.
  cvta.shared.u64 %rd5, %rd3;
  mov.b32 %r2, 63;
  sub.s32 %r2, %r2, %r1;
  mul.wide.u32 %rd6, %r2, 4;
  add.s64 %rd5, %rd5, %rd6;
  ld.b32 %r3, [%rd5];
  mov.b64 %SPL, stack;
  st.local.b32 [%SPL+4], %r3;
  cvta.local.u64 %SP, %SPL;
  ld.b32 %r4, [%SP+4];
  ld.global.nc.b32 %r5, [table+4];
  add.s32 %r4, %r4, %r5;
  add.s64 %rd7, %rd1, %rd2;
  st.global.b32 [%rd7], %r4;
  ret;
})");
  DevicePointer out = allocate(256);
  repeat(10, [&] {
    ASSERT_OK(launch("k", 1, 64, out));
    std::vector<uint32_t> values = download<uint32_t>(out, 64);
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(values[i], 63 - i + 0x08070605);
  });
  int value;
  ASSERT_OK(cuFuncGetAttribute(&value, kFunctionSharedBytes, function("k")));
  EXPECT_EQ(value, 256);
  ASSERT_OK(
      cuFuncGetAttribute(&value, kFunctionMaxThreadsPerBlock, function("k")));
  EXPECT_EQ(value, 64);
}

TEST_F(PtxTest, BranchesAndShuffles) {
  // The sum of a warp, by every thread; and a table of branches.
  load(makeKernel(R"(
  mov.u32 %r4, %laneid;
  mov.b32 %r5, 16;
$L__BB0_1:
  shfl.sync.bfly.b32 %r6|%p1, %r4, %r5, 31, -1;
  add.s32 %r4, %r4, %r6;
  shr.u32 %r5, %r5, 1;
  setp.ne.b32 %p2, %r5, 0;
  @%p2 bra $L__BB0_1;
  mov.u32 %r7, %tid.x;
  mul.wide.u32 %rd9, %r7, 4;
  add.s64 %rd9, %rd8, %rd9;
  setp.gt.u32 %p3, %r7, 1;
  @%p3 bra $L__BB0_4;
  $L_brx_0: .branchtargets
    $L__BB0_2,
    $L__BB0_3;
  brx.idx %r7, $L_brx_0;
$L__BB0_2:
  add.s32 %r4, %r4, 1000;
  bra.uni $L__BB0_4;
$L__BB0_3:
  add.s32 %r4, %r4, 2000;
$L__BB0_4:
  shfl.sync.down.b32 %r6|%p4, %r4, 1, 31, -1;
  selp.b32 %r4, %r4, 7, %p4;
  st.global.b32 [%rd9], %r4;)"));
  DevicePointer out = allocate(128);
  repeat(10, [&] {
    ASSERT_OK(launch("k", 1, 32, out, uint64_t(0), uint64_t(0), uint64_t(0)));
    std::vector<uint32_t> values = download<uint32_t>(out, 32);
    EXPECT_EQ(values[0], 1496u);
    EXPECT_EQ(values[1], 2496u);
    EXPECT_EQ(values[2], 496u);
    // The last lane has nothing to read.
    EXPECT_EQ(values[31], 7u);
  });
}

TEST_F(PtxTest, UpdatesAtomically) {
  load(makeKernel(R"(
  mov.u32 %r4, %tid.x;
  atom.global.add.u32 %r5, [%rd8], %r4;
  red.global.max.s32 [%rd8+4], %r4;)"));
  DevicePointer data = upload(std::vector<int32_t>{10, -5});
  ASSERT_OK(launch("k", 2, 64, data, uint64_t(0), uint64_t(0), uint64_t(0)));
  EXPECT_EQ(download<int32_t>(data, 2), (std::vector<int32_t>{10 + 4032, 63}));
}

TEST_F(PtxTest, FindsFaults) {
  struct Fault {
    const char *body, *text;
    Result error = kErrorLaunchFailed;
  };
  const Fault faults[] = {
      {"st.global.b32 [%rd8+16], %r1;", "write of 4 bytes out of bounds",
       kErrorIllegalAddress},
      {"ld.global.v2.b32 {%r4, %r5}, [%rd8+4];", "misaligned read of 8 bytes",
       kErrorMisalignedAddress},
      {"st.global.b32 [%rd8], %r1; ld.global.nc.b32 %r4, [%rd8];",
       "(ld.global.nc), which it has written"},
      // All threads read the words, and then one writes.
      {"mov.u32 %r4, %tid.x; ld.global.nc.b32 %r6, [%rd8]; bar.sync 0; "
       "setp.eq.u32 %p1, %r4, 7; @%p1 st.global.b32 [%rd8], %r6;",
       "that the kernel has read as of memory that it does not write"},
      {"mov.b32 %r4, 1; bar.sync %r4;", "a barrier with another number than 0"},
      {"again: bra again;", "a thread that does not end"},
      {"mov.u32 %r4, %tid.x; st.global.b32 [%rd8], %r4;", "race: write"},
      {".shared .align 4 .b8 tile[4]; ld.shared.b32 %r4, [tile];",
       "that nothing has written"},
      {".shared .align 4 .b8 tile[4]; st.shared.b32 [tile+4], %r4;",
       "out of bounds: shared memory of 4 bytes +4", kErrorIllegalAddress},
      {".local .align 4 .b8 stack[4]; ld.local.b32 %r4, [stack+4];",
       "out of bounds of local memory"},
      {"mov.u32 %r4, %tid.x; setp.eq.u32 %p1, %r4, 0; @%p1 bar.sync 0;",
       "barrier that a part of the block reaches"},
      {"mov.u32 %r4, %tid.x; setp.eq.u32 %p1, %r4, 0; "
       "@%p1 shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;",
       "shuffle with mask 0xffffffff waits for"},
      {"trap;", "trap"},
      {"L1: .branchtargets L2; mov.b32 %r4, 9; brx.idx %r4, L1; L2:",
       "an index that it lacks"}};
  for (const Fault &fault : faults) {
    load(makeKernel(fault.body));
    DevicePointer data = upload(std::vector<uint32_t>(4));
    ASSERT_OK(launch("k", 1, 32, data, uint64_t(0), uint64_t(0), uint64_t(0)));
    expectFault(fault.error, fault.text);
    close();
    open();
  }
}

TEST_F(PtxTest, RefusesOtherText) {
  auto refused = [&](const std::string &text, const std::string &why) {
    expectRefused(text, kErrorInvalidPtx, why);
  };
  refused("// PTX", "line 1: expected '.version' but got 'the end'");
  refused(".version 8.1 .target sm_90 .address_size 32", "expected '64'");
  refused(".version 8.1 .target gpu .address_size 64",
          "expected a target sm_90 and so on but got 'gpu'");
  expectRefused(".version 8.6\n.target sm_100\n.address_size 64\n",
                kErrorNoBinary, "the PTX is for sm_100");
  refused(std::string(kHeader) + ".func f() {}", "unknown directive '.func'");
  refused(std::string(kHeader) + ".entry k", "expected the body of a kernel");
  refused(std::string(kHeader) + "/* ", "line 4: a comment without an end");
  refused(std::string(kHeader) + "\"", "line 4: a string without an end");
  refused(std::string(kHeader) + ".shared .b8 tile[4];",
          "expected shared memory inside of a kernel");
  refused(std::string(kHeader) + ".global .b8 table[2] = {1, 2, 3};",
          "more values than the variable has");
  refused(std::string(kHeader) + ".global .align 3 .b8 table[2];",
          "a variable aligned to 3");
  refused(std::string(kHeader) + ".global .b8 a[1073741825];",
          "more constants than a module may have");
  refused(std::string(kHeader) + ".global .b64 a[1073741824][1073741824][16];",
          "more constants than a module may have");
  refused(".version 8.1 .target sm_ .address_size 64", "but got 'sm_'");
  refused(".version 8.1 .target sm_99999999999 .address_size 64",
          "but got 'sm_99999999999'");
  refused(makeKernel("") + ".entry k", "expected a kernel once but got 'k'");
  refused(std::string(kHeader) + ".entry k(.param .u64 p", "the parameters");
  auto refusedBody = [&](const std::string &body, const std::string &why) {
    refused(makeKernel(body), why);
  };
  refusedBody("foo.b32 %r1, %r2;",
              "line 22: unknown instruction or operands of 'foo.b32'");
  refusedBody("add.s32 %r1, %r2;", "operands of 'add.s32'");
  refusedBody("add.s32 %r1, %r2, {%r3, %r4};", "operands of 'add.s32'");
  refusedBody("add.s32.u32.zz %r1, %r2, %r3;", "operands of 'add.s32.u32.zz'");
  refusedBody("add.rz.f32 %r1, %r2, %r3;", "operands of 'add.rz.f32'");
  refusedBody("cvt.s32.f32 %r1, %r2;", "operands of 'cvt.s32.f32'");
  refusedBody("ld.global.v2.b32 {%r1, %r2, %r3}, [%rd8];",
              "'ld.global.v2.b32'");
  refusedBody("ld.param.b64 %rd1, [k_param_0+4];", "'ld.param.b64'");
  refusedBody("ld.global.b32 %r1, %rd8;", "'ld.global.b32'");
  refusedBody("bra;", "operands of 'bra'");
  refusedBody("bra nowhere;", "line 22: no label 'nowhere'");
  refusedBody("again: again:", "expected a label once but got 'again' again");
  refusedBody("mov.b32 %r1, %nothing;", "no register or variable '%nothing'");
  refusedBody("mov.b32 %r1, 12x;", "expected a number but got '12x'");
  refusedBody("mov.b32 %r1 %r2;", "expected ',' but got '%r2'");
  refusedBody(".reg .b33 %x;", "expected the type of registers");
  refusedBody(".reg .b32 %x<99999999>;", "more registers than");
  refusedBody("{ .reg .b32 %r1; }", "expected a register once but got '%r1'");
  refusedBody(".shared .b8 tile[1048576];", "more shared memory than");
  refusedBody(".local .b8 a[300000]; .local .b8 b[300000];",
              "more local memory than");
  refusedBody("mov.b32 5, %r1;", "a register for the result of 'mov.b32'");
  refusedBody("mov.u32 %tid.x, %r1;", "a register for the result");
  refusedBody("ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd8];",
              "'ld.global.v4.b64'");
  refusedBody("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4};",
              "'ld.global.v4.b32'");
  refusedBody("st.release.gpu.global.b32 [%rd8], %r1;", "'st.release");
  refusedBody("cvt.rn.f32.b32 %r1, %r2;", "'cvt.rn.f32.b32'");
  refusedBody("add.f32.f16 %r1, %r2, %r3;", "'add.f32.f16'");
  refusedBody("brx.idx %r1, nowhere;", "no table 'nowhere'");
  refusedBody("12;", "expected an instruction but got '12'");
  refusedBody("{", "expected the end of a kernel");
}

} // namespace
