/*===- VendorCuda.c - A libcuda for the vendor's cuDNN ---------------------===
 *
 * What cuDNN calls of libcuda to prepare kernels for a device that it is told
 * of. It finds no device, and loads whatever it is given.
 *
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

enum { kSuccess = 0, kNoDevice = 100, kNotFound = 500, kNotSupported = 801 };

int cuInit(unsigned flags) { return flags == 0 ? kNoDevice : 1; }
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return kSuccess;
}
int cuDeviceGetCount(int *count) {
  *count = 0;
  return kSuccess;
}
int cuGetErrorName(int error, const char **name) {
  *name = "an error of the libcuda of a test";
  return error >= 0 ? kSuccess : 1;
}
int cuGetErrorString(int error, const char **text) {
  return cuGetErrorName(error, text);
}

/* Handles, which nothing looks into. */
static void *handle(void) {
  static char object;
  return &object;
}
int cuLibraryLoadData(void **library, const void *code, int *jitOptions,
                      void **jitValues, unsigned numJitOptions,
                      int *libraryOptions, void **libraryValues,
                      unsigned numLibraryOptions) {
  (void)jitOptions, (void)jitValues, (void)numJitOptions;
  (void)libraryOptions, (void)libraryValues, (void)numLibraryOptions;
  *library = handle();
  return code ? kSuccess : 1;
}
int cuLibraryUnload(void *library) { return library ? kSuccess : 1; }
int cuLibraryGetKernel(void **kernel, void *library, const char *name) {
  *kernel = handle();
  return library && name ? kSuccess : 1;
}
int cuLibraryGetModule(void **module, void *library) {
  *module = handle();
  return library ? kSuccess : 1;
}
int cuKernelGetFunction(void **function, void *kernel) {
  *function = handle();
  return kernel ? kSuccess : 1;
}
int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device) {
  (void)device;
  /* The most threads of a block is the first attribute. */
  *value = attribute == 0 ? 1024 : 0;
  return kernel ? kSuccess : 1;
}
int cuKernelSetAttribute(int attribute, int value, void *kernel, int device) {
  (void)attribute, (void)value, (void)device;
  return kernel ? kSuccess : 1;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  return cuKernelGetAttribute(value, attribute, function, 0);
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  return cuKernelSetAttribute(attribute, value, function, 0);
}
int cuModuleLoadData(void **module, const void *code) {
  *module = handle();
  return code ? kSuccess : 1;
}
int cuModuleUnload(void *module) { return module ? kSuccess : 1; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = handle();
  return module && name ? kSuccess : 1;
}

/* Every other function, when it is called. */
static int refuse(void) { return kNotSupported; }

int cuGetProcAddress_v2(const char *name, void **address, int version,
                        uint64_t flags, int *status) {
  (void)version, (void)flags;
  Dl_info info;
  void *self = dladdr((void *)&cuInit, &info)
                   ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                   : NULL;
  *address = self ? dlsym(self, name) : NULL;
  if (!*address)
    *address = (void *)&refuse;
  if (status)
    *status = 0;
  return kSuccess;
}
int cuGetProcAddress(const char *name, void **address, int version,
                     uint64_t flags) {
  return cuGetProcAddress_v2(name, address, version, flags, NULL);
}
