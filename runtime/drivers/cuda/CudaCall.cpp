//===- CudaCall.cpp - Library functions a plan may call on a GPU ----------===//

#include "drivers/cuda/CudaCall.h"
#include "drivers/cuda/cublaslt/CublasLt.h"
#include "drivers/cuda/cudnn/Cudnn.h"

using namespace jobrt;
using namespace jobrt::cuda;

Call::~Call() = default;
Library::~Library() = default;

static constexpr LibraryEntry kLibraries[] = {
    {"cublaslt.", cublaslt::openLibrary},
    {"cudnn.", cudnn::openLibrary},
};

static const LibraryEntry *findLibrary(std::string_view callee) {
  for (const LibraryEntry &entry : kLibraries)
    if (callee.starts_with(entry.prefix))
      return &entry;
  return nullptr;
}

bool Libraries::has(std::string_view callee) {
  return findLibrary(callee) != nullptr;
}

Expected<std::unique_ptr<Call>> Libraries::prepare(const Command &command) {
  const LibraryEntry *entry = findLibrary(command.callee);
  std::unique_ptr<Library> &library = opened[entry];
  if (!library) {
    Expected<std::unique_ptr<Library>> made = entry->open(context);
    if (!made.ok())
      return made.status();
    library = std::move(*made);
  }
  return library->prepare(command);
}
