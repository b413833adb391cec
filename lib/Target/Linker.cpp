//===- Linker.cpp - From an object to a shared object ---------------------===//

#include "Linker.h"

#include "JobDialect/Support/SystemError.h"
#include "JobDialect/Support/TemporaryFiles.h"

#include "lld/Common/Driver.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
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

static llvm::Error makeError(std::error_code code) {
  return llvm::createStringError(code, describeSystemError(code));
}

static llvm::Error writeFile(StringRef path, ArrayRef<char> data) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return makeError(code);
  stream.write(data.data(), data.size());
  stream.close();
  code = stream.error();
  stream.clear_error();
  return code ? makeError(code) : llvm::Error::success();
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
  llvm::Triple triple(target.triple);
  TemporaryFiles files;
  std::string output, libc, libm;
  SmallVector<std::string> inputs(objects.size());
  auto write = [&]() -> llvm::Error {
    for (auto [path, suffix] :
         {std::pair(&output, "so"), {&libc, "libc.so"}, {&libm, "libm.so"}})
      if (llvm::Error error = files.create(suffix).moveInto(*path))
        return error;
    for (auto [path, object] : llvm::zip_equal(inputs, objects)) {
      if (llvm::Error error = files.create("o").moveInto(path))
        return error;
      if (llvm::Error error = writeFile(path, object))
        return error;
    }
    if (llvm::Error error = writeStub(libc, "libc.so.6", libcSymbols, triple))
      return error;
    return writeStub(libm, "libm.so.6", libmSymbols, triple);
  };
  if (llvm::Error error = write())
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
    return fail(describeSystemError(buffer.getError()));
  StringRef data = (*buffer)->getBuffer();
  return SmallVector<char, 0>(data.begin(), data.end());
}
