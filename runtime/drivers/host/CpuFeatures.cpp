//===- CpuFeatures.cpp - What the processor can do ------------------------===//

#include "drivers/host/CpuFeatures.h"

using namespace jobrt;

namespace {
struct Feature {
  const char *name;
  bool present;
};
} // namespace

#if defined(__x86_64__)

/// The builtin queries the processor and the operating system; its argument
/// must be a literal.
#define JOBRT_FEATURE(name) {name, __builtin_cpu_supports(name) != 0}

static const std::vector<Feature> &knownFeatures() {
  static const std::vector<Feature> features = [] {
    __builtin_cpu_init();
    return std::vector<Feature>{
        // Every x86-64 processor has these; the builtin does not know them.
        {"64bit", true},
        {"cx8", true},
        {"fxsr", true},
        {"x87", true},
        // An instruction of SSE 4.2 with a name of its own.
        {"crc32", __builtin_cpu_supports("sse4.2") != 0},
        JOBRT_FEATURE("cmov"),
        JOBRT_FEATURE("mmx"),
        JOBRT_FEATURE("sse"),
        JOBRT_FEATURE("sse2"),
        JOBRT_FEATURE("sse3"),
        JOBRT_FEATURE("ssse3"),
        JOBRT_FEATURE("sse4.1"),
        JOBRT_FEATURE("sse4.2"),
        JOBRT_FEATURE("sse4a"),
        JOBRT_FEATURE("popcnt"),
        JOBRT_FEATURE("avx"),
        JOBRT_FEATURE("avx2"),
        JOBRT_FEATURE("fma"),
        JOBRT_FEATURE("fma4"),
        JOBRT_FEATURE("xop"),
        JOBRT_FEATURE("f16c"),
        JOBRT_FEATURE("bmi"),
        JOBRT_FEATURE("bmi2"),
        JOBRT_FEATURE("lzcnt"),
        JOBRT_FEATURE("movbe"),
        JOBRT_FEATURE("aes"),
        JOBRT_FEATURE("pclmul"),
        JOBRT_FEATURE("sha"),
        JOBRT_FEATURE("gfni"),
        JOBRT_FEATURE("vaes"),
        JOBRT_FEATURE("vpclmulqdq"),
        JOBRT_FEATURE("avxvnni"),
        JOBRT_FEATURE("avx512f"),
        JOBRT_FEATURE("avx512vl"),
        JOBRT_FEATURE("avx512bw"),
        JOBRT_FEATURE("avx512dq"),
        JOBRT_FEATURE("avx512cd"),
        JOBRT_FEATURE("avx512ifma"),
        JOBRT_FEATURE("avx512vbmi"),
        JOBRT_FEATURE("avx512vbmi2"),
        JOBRT_FEATURE("avx512vnni"),
        JOBRT_FEATURE("avx512bitalg"),
        JOBRT_FEATURE("avx512vpopcntdq"),
        JOBRT_FEATURE("avx512bf16"),
        JOBRT_FEATURE("avx512fp16"),
        JOBRT_FEATURE("avx512vp2intersect"),
        JOBRT_FEATURE("amx-tile"),
        JOBRT_FEATURE("amx-int8"),
        JOBRT_FEATURE("amx-bf16"),
        JOBRT_FEATURE("adx"),
        JOBRT_FEATURE("rdrnd"),
        JOBRT_FEATURE("rdseed"),
        JOBRT_FEATURE("xsave"),
        JOBRT_FEATURE("xsaveopt"),
        JOBRT_FEATURE("xsavec"),
        JOBRT_FEATURE("xsaves"),
        JOBRT_FEATURE("clflushopt"),
        JOBRT_FEATURE("clwb"),
        JOBRT_FEATURE("prfchw"),
        JOBRT_FEATURE("fsgsbase"),
        JOBRT_FEATURE("movdiri"),
        JOBRT_FEATURE("movdir64b"),
        JOBRT_FEATURE("serialize"),
        JOBRT_FEATURE("rdpid"),
        JOBRT_FEATURE("cldemote"),
        JOBRT_FEATURE("waitpkg"),
        JOBRT_FEATURE("ptwrite"),
#if defined(__clang__)
        // GCC 12 does not know the names of these.
        JOBRT_FEATURE("avxifma"),
        JOBRT_FEATURE("avxvnniint8"),
        JOBRT_FEATURE("avxneconvert"),
        JOBRT_FEATURE("amx-fp16"),
        JOBRT_FEATURE("cx16"),
        JOBRT_FEATURE("sahf"),
#endif
    };
  }();
  return features;
}

#else

/// Only the baseline of other architectures is in use so far.
static const std::vector<Feature> &knownFeatures() {
  static const std::vector<Feature> features;
  return features;
}

#endif

Status jobrt::checkCpuFeatures(const std::vector<std::string> &features) {
  std::string missing;
  for (const std::string &name : features) {
    const Feature *found = nullptr;
    for (const Feature &feature : knownFeatures())
      if (name == feature.name)
        found = &feature;
    if (!found)
      return Status(StatusCode::kUnimplemented,
                    "expects the processor feature '" + name +
                        "', which this runtime does not know");
    if (!found->present)
      missing += (missing.empty() ? "" : ", ") + name;
  }
  if (missing.empty())
    return {};
  return Status(StatusCode::kUnimplemented,
                "expects processor features that this machine lacks: " +
                    missing);
}
