//===- Linker.cpp - From an object to a shared object ---------------------===//

#include "Linker.h"

#include "lld/Common/Driver.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace mlir::job;

// The functions that generated code may call: what LLVM puts in place of loops
// that copy or fill, and what the math and arith dialects become on processors
// without an instruction for it.
static constexpr StringLiteral libcSymbols[] = {"bcmp", "memcmp", "memcpy",
                                                "memmove", "memset"};
static constexpr StringLiteral libmSymbols[] = {
    "ceil",       "ceilf",  "floor", "floorf", "fma",   "fmaf",
    "fmod",       "fmodf",  "rint",  "rintf",  "round", "roundeven",
    "roundevenf", "roundf", "sqrt",  "sqrtf",  "trunc", "truncf"};

/// Writes a library without code that has the given symbols, so that the
/// linker can check and record what an artifact needs although no development
/// files are installed.
static llvm::Error writeStub(StringRef path, StringRef name,
                             ArrayRef<StringLiteral> symbols,
                             const llvm::Triple &triple) {
  llvm::ifs::IFSStub stub;
  stub.IfsVersion = llvm::VersionTuple(3, 0);
  stub.SoName = name.str();
  stub.Target.Arch =
      triple.isAArch64() ? llvm::ELF::EM_AARCH64 : llvm::ELF::EM_X86_64;
  stub.Target.BitWidth = llvm::ifs::IFSBitWidthType::IFS64;
  stub.Target.Endianness = llvm::ifs::IFSEndiannessType::Little;
  for (StringRef symbol : symbols) {
    stub.Symbols.emplace_back(symbol.str());
    stub.Symbols.back().Type = llvm::ifs::IFSSymbolType::Func;
  }
  return llvm::ifs::writeBinaryStub(path, stub);
}

static llvm::Error writeFile(StringRef path, ArrayRef<char> data) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return llvm::errorCodeToError(code);
  stream.write(data.data(), data.size());
  stream.close();
  code = stream.error();
  stream.clear_error();
  return llvm::errorCodeToError(code);
}

/// Runs the linker; what it has to say about a failure goes to `messages`.
static bool runLinker(ArrayRef<const char *> arguments, std::string &messages) {
  // The linker keeps its state in globals, and is unusable after a crash.
  static std::mutex mutex;
  static bool usable = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!usable) {
    messages = "it has crashed before in this process";
    return false;
  }
  llvm::raw_string_ostream stream(messages);
  lld::DriverDef driver = {lld::Gnu, &lld::elf::link};
  lld::Result result = lld::lldMain(arguments, llvm::nulls(), stream, driver);
  usable = result.canRunAgain;
  return result.retCode == 0;
}

FailureOr<SmallVector<char, 0>>
job::linkSharedObject(Location loc, const TargetDescription &target,
                      ArrayRef<SmallVector<char, 0>> objects) {
  auto fail = [&](const Twine &reason) {
    return emitError(loc) << "cannot link the kernels: " << reason;
  };
  SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("jobmlir", folder))
    return fail("no temporary folder: " + code.message());
  llvm::scope_exit remove(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  auto in = [&](StringRef name) {
    SmallString<128> path = folder;
    llvm::sys::path::append(path, name);
    return std::string(path);
  };
  std::string output = in("kernels.so");
  std::string libc = in("libc.so"), libm = in("libm.so");
  llvm::Triple triple(target.triple);
  SmallVector<std::string> inputs;
  llvm::Error error = llvm::Error::success();
  for (auto [index, object] : llvm::enumerate(objects)) {
    inputs.push_back(in("kernels." + std::to_string(index) + ".o"));
    if (!error)
      error = writeFile(inputs.back(), object);
  }
  if (!error)
    error = writeStub(libc, "libc.so.6", libcSymbols, triple);
  if (!error)
    error = writeStub(libm, "libm.so.6", libmSymbols, triple);
  if (error)
    return fail(llvm::toString(std::move(error)));

  SmallVector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "--gc-sections",
                                         "--build-id=none",
                                         "--hash-style=gnu",
                                         "--threads=1",
                                         "-z",
                                         "defs",
                                         "-z",
                                         "noexecstack",
                                         "-o",
                                         output.c_str()};
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  arguments.append({"--as-needed", libc.c_str(), libm.c_str()});
  std::string messages;
  if (!runLinker(arguments, messages))
    return fail(StringRef(messages).trim());

  auto buffer = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  StringRef data = (*buffer)->getBuffer();
  return SmallVector<char, 0>(data.begin(), data.end());
}
