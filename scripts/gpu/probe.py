#!/usr/bin/env python3
"""Takes and frees memory of the first GPU, which shows whether a tool can watch a
program of CUDA on this machine. Needs CUDA's driver, which JOBMLIR_CUDA_LIBRARY names.
"""

import ctypes
import os
import sys


def main():
    cuda = ctypes.CDLL(os.environ.get("JOBMLIR_CUDA_LIBRARY") or "libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    memory = ctypes.c_uint64()
    for function, *values in (
            ("cuInit", ctypes.c_uint(0)),
            ("cuDeviceGet", ctypes.byref(device), ctypes.c_int(0)),
            ("cuDevicePrimaryCtxRetain", ctypes.byref(context), device),
            ("cuCtxSetCurrent", context),
            ("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(4096)),
            ("cuMemFree_v2", memory),
            ("cuDevicePrimaryCtxRelease_v2", device)):
        error = getattr(cuda, function)(*values)
        if error:
            print(f"{function} failed with the error {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
