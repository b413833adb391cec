//===- TargetDescription.cpp - What code is generated for -----------------===//
//
// LLVM aborts the process on targets that it cannot generate code for, so that
// everything is checked against its tables first.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Target/Artifact.h"

#include "jobrt/calls.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::job;

// What generated code may use of an x86-64 processor, in LLVM's names. The
// runtime asks the machine for them before it loads an artifact, so every name
// must be known there too (runtime/drivers/host/CpuFeatures.cpp).
// clang-format off
static constexpr StringLiteral x86Features[] = {
    "64bit",       "cmov",        "cx8",         "fxsr",
    "mmx",         "x87",         "sse",         "sse2",
    "sse3",        "ssse3",       "sse4.1",      "sse4.2",
    "sse4a",       "crc32",       "popcnt",      "avx",
    "avx2",        "fma",         "fma4",        "xop",
    "f16c",        "bmi",         "bmi2",        "lzcnt",
    "movbe",       "adx",         "gfni",        "vaes",
    "vpclmulqdq",  "avxvnni",     "avx512f",     "avx512vl",
    "avx512bw",    "avx512dq",    "avx512cd",    "avx512ifma",
    "avx512vbmi",  "avx512vbmi2", "avx512vnni",  "avx512bitalg",
    "avx512vpopcntdq", "avx512fp16"};
// clang-format on

// What functions of libraries may use beside these, as the configurations of
// calls name it (jobrt/calls.h).
static constexpr StringRef x86CallFeatures[] = {jobrt::calls::kBF16Feature};

// What LLVM would use on its own although no runtime can ask for it, or
// although it makes zeros of denormal numbers: conversions to bf16.
static constexpr StringLiteral x86Unused[] = {
    "avx512bf16",   "avx10.1",     "avx10.2",      "avxifma",
    "avxneconvert", "avxvnniint8", "avxvnniint16", "ccmp",
    "cf",           "egpr",        "ndd",          "nf",
    "ppx",          "push2pop2",   "tbm",          "zu"};

static const llvm::Target *lookupHostTarget(const llvm::Triple &triple,
                                            std::string &error) {
  static const bool failed = llvm::InitializeNativeTarget() ||
                             llvm::InitializeNativeTargetAsmPrinter();
  if (failed) {
    error = "LLVM has no code generator for this machine";
    return nullptr;
  }
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

static bool hasFeature(const llvm::MCSubtargetInfo &info, StringRef name) {
  for (const llvm::SubtargetFeatureKV &feature : info.getAllProcessorFeatures())
    if (name == feature.Key)
      return info.hasFeature(feature.Value);
  return false;
}

static bool isKnownToLLVM(const llvm::MCSubtargetInfo &info, StringRef name) {
  return llvm::any_of(info.getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &feature) {
                        return name == feature.Key;
                      });
}

/// Checks "+avx2,-amx-tile" and appends its parts to `features`.
static LogicalResult appendFeatures(Location loc, StringRef list,
                                    SmallVectorImpl<std::string> &features) {
  SmallVector<StringRef> parts;
  list.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    part = part.trim();
    if (!part.starts_with("+") && !part.starts_with("-"))
      return emitError(loc) << "expects processor features with '+' or '-' "
                               "before them but got '"
                            << part << "'";
    if (llvm::is_contained(x86CallFeatures, part.drop_front()))
      continue;
    if (!llvm::is_contained(x86Features, part.drop_front()))
      return emitError(loc) << "expects processor features that generated code "
                               "can use but got '"
                            << part.drop_front() << "'";
    features.push_back(part.str());
  }
  return success();
}

std::vector<std::string> job::getCallFeatures(StringRef cpu,
                                              StringRef features) {
  std::vector<std::string> result;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target = lookupHostTarget(triple, error);
  if (!target || triple.getArch() != llvm::Triple::x86_64)
    return result;
  llvm::StringMap<bool> host;
  std::unique_ptr<llvm::MCSubtargetInfo> info;
  if (cpu == "native") {
    host = llvm::sys::getHostCPUFeatures();
  } else {
    info.reset(target->createMCSubtargetInfo(triple, "x86-64", ""));
    if (!info->isCPUStringValid(cpu))
      return result;
    info.reset(target->createMCSubtargetInfo(triple, cpu, ""));
  }
  SmallVector<StringRef> parts;
  features.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : x86CallFeatures) {
    bool has = info ? hasFeature(*info, name) : host.lookup(name);
    // The last one counts.
    for (StringRef part : parts)
      if (part = part.trim(); part.drop_front() == name)
        has = part.front() == '+';
    if (has)
      result.push_back(name.str());
  }
  return result;
}

FailureOr<TargetDescription>
TargetDescription::create(Location loc, StringRef cpu, StringRef features) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target = lookupHostTarget(triple, error);
  if (!target)
    return emitError(loc) << "expects a target that LLVM knows but got '"
                          << triple.str() << "': " << error;

  TargetDescription result;
  result.triple = triple.str();
  bool isNative = cpu == "native";
  if (triple.getArch() != llvm::Triple::x86_64) {
    // The runtime checks no features of other architectures.
    if (!isNative && cpu != "generic")
      return emitError(loc)
             << "expects the processor 'generic' or 'native' on "
             << triple.getArchName() << " but got '" << cpu << "'";
    if (!features.empty())
      return emitError(loc)
             << "expects no processor features on " << triple.getArchName()
             << " but got '" << features << "'";
    result.cpu = "generic";
    return result;
  }

  // The tables of the target; its own processor does not matter.
  std::unique_ptr<llvm::MCSubtargetInfo> tables(
      target->createMCSubtargetInfo(triple, "x86-64", ""));
  result.cpu = isNative ? llvm::sys::getHostCPUName().str() : cpu.str();
  if (!tables->isCPUStringValid(result.cpu)) {
    if (!isNative)
      return emitError(loc)
             << "expects a processor that LLVM knows but got '" << cpu << "'";
    // A processor newer than LLVM: its features still are known.
    result.cpu = "x86-64";
  }

  SmallVector<std::string> parts;
  if (isNative) {
    // The operating system or a hypervisor may hide what the processor has.
    llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
    for (StringRef name : x86Features)
      if (auto it = host.find(name); it != host.end())
        parts.push_back((it->second ? "+" : "-") + name.str());
  }
  if (failed(appendFeatures(loc, features, parts)))
    return failure();
  for (StringRef name : x86Unused)
    if (isKnownToLLVM(*tables, name))
      parts.push_back("-" + name.str());
  result.features = llvm::join(parts, ",");

  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, result.cpu, result.features));
  // Without SSE2 floats would be computed with the x87's other bits.
  for (StringRef name : {"64bit", "sse2"})
    if (!hasFeature(*info, name))
      return emitError(loc)
             << "expects a processor with " << name << " but got '"
             << result.cpu << "'" << (features.empty() ? "" : " with '")
             << features << (features.empty() ? "" : "'");
  for (StringRef name : x86Features)
    if (hasFeature(*info, name))
      result.requiredFeatures.push_back(name.str());
  result.callFeatures = getCallFeatures(cpu, features);
  return result;
}
