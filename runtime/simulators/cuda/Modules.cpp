//===- Modules.cpp - Code objects of the simulated CUDA -------------------===//

#include "simulators/cuda/State.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace jobsim;

static constexpr Elf64_Half kMachineCuda = 190;

ModuleState::~ModuleState() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

/// The size of the ELF file that begins at `image`: CUDA's call has none.
static Result findSize(const void *image, size_t &size) {
  const char *bytes = static_cast<const char *>(image);
  Elf64_Ehdr header;
  // Not further than the magic before it is seen.
  if (std::memcmp(bytes, ELFMAG, SELFMAG))
    return refuse(kErrorInvalidImage, "the code object is no ELF file");
  std::memcpy(&header, bytes, sizeof(header));
  if (header.e_machine == kMachineCuda)
    return refuse(kErrorNoBinary, "the code object is for a real GPU");
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_machine != EM_X86_64)
    return refuse(kErrorInvalidImage,
                  "the code object is no shared library for this machine");
  size = std::max(header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr),
                  header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    size = std::max<size_t>(size, segment.p_offset + segment.p_filesz);
  }
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes + header.e_shoff + i * sizeof(section),
                sizeof(section));
    if (section.sh_type != SHT_NOBITS)
      size = std::max<size_t>(size, section.sh_offset + section.sh_size);
  }
  return kSuccess;
}

/// A file in memory with the image, which is a new one for the loader each
/// time.
static int makeFile(const char *image, size_t size) {
  int file = memfd_create("jobsim", MFD_CLOEXEC);
  for (size_t written = 0; file >= 0 && written < size;) {
    ssize_t result = write(file, image + written, size - written);
    if (result < 0 && errno == EINTR)
      continue;
    if (result <= 0) {
      close(file);
      return -1;
    }
    written += result;
  }
  return file;
}

/// Where the library that holds `address` lies.
static void findRanges(const void *address, ModuleState &module) {
  struct Search {
    uintptr_t address;
    ModuleState *module;
  } search = {reinterpret_cast<uintptr_t>(address), &module};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        Search &search = *static_cast<Search *>(data);
        std::vector<std::pair<uintptr_t, uintptr_t>> ranges;
        bool found = false;
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
          const auto &segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD)
            continue;
          uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          ranges.push_back({begin, begin + segment.p_memsz});
          found |=
              search.address >= begin && search.address < ranges.back().second;
        }
        if (found)
          search.module->ranges = std::move(ranges);
        return int(found);
      },
      &search);
}

/// PTX begins with a comment or a directive. CUDA does not tell how long it is,
/// either: it ends with a NUL.
static bool isText(const void *image) {
  const char *text = static_cast<const char *>(image);
  text += std::strspn(text, " \t\r\n");
  return *text == '/' || *text == '.';
}

static Result loadText(const char *text, ModuleState &module) {
  std::string error;
  module.ptx = ptx::Module::parse(text, error);
  if (!module.ptx)
    return refuse(kErrorInvalidPtx, "PTX: " + error);
  if (int needed = module.ptx->neededCapability();
      needed > kCapability[0] * 10 + kCapability[1])
    return refuse(kErrorNoBinary, format("the PTX is for sm_%d", needed));
  module.module = &module.ptx->table();
  module.ranges = module.ptx->constants();
  return kSuccess;
}

static Result loadLibrary(const void *image, ModuleState &module) {
  size_t size = 0;
  if (Result result = findSize(image, size))
    return result;
  module.file = makeFile(static_cast<const char *>(image), size);
  if (module.file < 0)
    return refuse(kErrorOutOfMemory, "the code object fits in no file");
  std::string path = "/proc/self/fd/" + std::to_string(module.file);
  module.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module.library)
    return refuse(kErrorInvalidImage,
                  std::string("the code object cannot be loaded: ") +
                      dlerror());
  module.module = static_cast<const jobsim_module *>(
      dlsym(module.library, JOBSIM_MODULE_SYMBOL));
  if (!module.module)
    return refuse(kErrorInvalidImage,
                  "the code object has no symbol " JOBSIM_MODULE_SYMBOL);
  if (module.module->version != JOBSIM_ABI_VERSION)
    return refuse(kErrorNoBinary,
                  format("expected a code object of version %u but got %u",
                         JOBSIM_ABI_VERSION, module.module->version));
  findRanges(module.module, module);
  return kSuccess;
}

Result cuModuleLoadData(Module *handle, const void *image) {
  Call call(Symbol::cuModuleLoadData, kContext | kNoCapture);
  if (call.refused())
    return call.result;
  if (!handle || !image)
    return kErrorInvalidValue;
  auto module = std::make_shared<ModuleState>();
  module->context = call.context;
  if (Result result = isText(image)
                          ? loadText(static_cast<const char *>(image), *module)
                          : loadLibrary(image, *module))
    return result;
  *handle = call.sim.modules.insert(std::move(module));
  return kSuccess;
}

Result cuModuleUnload(Module handle) {
  Call call(Symbol::cuModuleUnload, kContext | kNoCapture | kReleases);
  if (call.refused())
    return call.result;
  std::shared_ptr<ModuleState> module = call.sim.modules.take(handle);
  if (!module)
    return call.finish(refuse(kErrorInvalidHandle, "no such module"));
  module->unloaded = true;
  std::erase_if(call.sim.functions.entries, [&](const auto &entry) {
    return entry.second->module == module;
  });
  return call.finish(kSuccess);
}

Result cuModuleGetFunction(Function *handle, Module moduleHandle,
                           const char *name) {
  Call call(Symbol::cuModuleGetFunction, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<ModuleState> module = call.sim.modules.find(moduleHandle);
  if (!module)
    return refuse(kErrorInvalidHandle, "no such module");
  if (!handle || !name)
    return kErrorInvalidValue;
  for (uint32_t i = 0; i < module->module->num_kernels; ++i) {
    const jobsim_kernel &kernel = module->module->kernels[i];
    if (std::strcmp(kernel.name, name))
      continue;
    *handle = call.sim.functions.insert(std::make_shared<FunctionState>(
        FunctionState{module->context, module, &kernel}));
    return kSuccess;
  }
  return refuse(kErrorNotFound,
                std::string("the module has no kernel ") + name);
}

Result cuFuncGetAttribute(int *value, int attribute, Function handle) {
  Call call(Symbol::cuFuncGetAttribute, kContext);
  if (call.refused())
    return call.result;
  std::shared_ptr<FunctionState> function = call.sim.functions.find(handle);
  if (!function)
    return refuse(kErrorInvalidHandle, "no such function");
  if (!value)
    return kErrorInvalidValue;
  switch (attribute) {
  case kFunctionMaxThreadsPerBlock:
    *value = function->kernel->max_threads;
    return kSuccess;
  case kFunctionSharedBytes:
    *value = function->kernel->shared_bytes;
    return kSuccess;
  case kFunctionLocalBytes:
    *value = 0;
    return kSuccess;
  case kFunctionRegisters:
    // What a kernel of a real GPU has at the least.
    *value = 16;
    return kSuccess;
  default:
    return refuse(kErrorInvalidValue,
                  format("no attribute %d of a function", attribute));
  }
}
