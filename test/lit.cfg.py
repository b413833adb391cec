"""Configuration of the lit tests: job-opt, job-compile and job-run on files.

Takes the build folder from the parameter `build` (default: build/ beside test/).
"""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys

import lit.formats
import lit.util

config.name = "JobMLIR"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
# lib/ holds passes for tests, Inputs/ what tests read.
config.excludes = ["Inputs", "lib", "CMakeLists.txt"]

source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.abspath(
    lit_config.params.get("build", os.path.join(source, "build")))
config.test_source_root = os.path.join(source, "test")
config.test_exec_root = os.path.join(build, "test")

llvm_bin = lit_config.params.get("llvm_bin", "/usr/lib/llvm-22/bin")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), llvm_bin, config.environment.get("PATH", "")])
for tool in ("job-opt", "FileCheck"):
    if not shutil.which(tool, path=config.environment["PATH"]):
        lit_config.fatal(f"{tool} is not in {build}/bin or {llvm_bin}: build first")
config.environment["JOBMLIR_LLVM_BIN"] = llvm_bin
config.environment["PYTHONPATH"] = os.path.join(build, "python")
# A cache of the tests' own, so that they neither see nor fill the user's.
config.environment["JOBMLIR_CACHE_DIR"] = os.path.join(build, "test", "cache")
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS",
             "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# Tests that look at machine code say which.
config.available_features.add(platform.machine())

# Some of what a library computes with needs instructions that few processors have.
flags = set()
if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo") as file:
        flags.update(re.search(r"^flags\s*:.*$|\Z", file.read(), re.MULTILINE)[0].split())
config.available_features.update(
    name for name in ("avx512-bf16", "amx-bf16") if name.replace("-", "_") in flags)

# Some tests build programs, as users do. A machine that builds the project may have
# no other compiler than LLVM's.
for c, cxx, path in (("cc", "c++", None), ("clang", "clang++", llvm_bin)):
    if shutil.which(c, path=path) and shutil.which(cxx, path=path):
        config.available_features.add("compilers")
        config.substitutions.append(("%cc", shutil.which(c, path=path)))
        config.substitutions.append(("%cxx", shutil.which(cxx, path=path)))
        break
if shutil.which("cmake"):
    config.available_features.add("cmake")
# What draws --job-print-graph's pictures.
if shutil.which("dot"):
    config.available_features.add("graphviz")
# What builds a wheel without a network.
if all(importlib.util.find_spec(module)
       for module in ("pip", "pybind11", "scikit_build_core")):
    config.available_features.add("wheel-tools")
cache = os.path.join(build, "CMakeCache.txt")
if os.path.exists(cache):
    with open(cache) as file:
        variables = file.read()
    # Programs without a sanitizer cannot use a library that has one.
    if "\nJOBMLIR_SANITIZE:STRING=\n" in variables:
        config.available_features.add("uninstrumented")
    # What assembles code for GPUs.
    ptxas = re.search(r"^JOBMLIR_PTXAS:FILEPATH=(.*)$", variables, re.MULTILINE)
    if ptxas:
        config.substitutions.append(("%ptxas", ptxas[1]))

# NVIDIA's cuDNN, a part of which needs no GPU; 9.18 has all that is asked for.
plans = os.path.join(build, "bin", "jobrt_vendor_plans")
if os.path.exists(plans):
    version = subprocess.run([plans], capture_output=True, text=True).stdout
    if int(version or 0) >= 91800:
        config.available_features.add("vendor-cudnn")
# What scripts/gpu-pack.sh copies from.
if (os.path.exists(os.path.join(source, ".git"))
        and all(map(os.path.exists, ("/usr/src/googletest", "/usr/include/nlohmann",
                                     "/usr/share/cmake/nlohmann_json",
                                     "/usr/include/zlib.h")))
        and all(map(shutil.which, ("git", "ninja", "cmake", "c++")))):
    config.available_features.add("gpu-pack")

config.substitutions.append(("%build", build))
config.substitutions.append(("%runtime", os.path.join(source, "runtime")))
config.substitutions.append(("%examples", os.path.join(source, "examples")))
config.substitutions.append(("%scripts", os.path.join(source, "scripts")))
config.substitutions.append(("%docs", os.path.join(source, "docs")))
# The interpreter has no sanitizer but loads modules of ours that may have one.
# It frees little at its end, so what it leaks says nothing about us.
asan_runtime = lit_config.params.get("asan_runtime")
package_python = sys.executable
if asan_runtime:
    options = config.environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    package_python = (f"env LD_PRELOAD={asan_runtime} "
                      f"ASAN_OPTIONS={options.lstrip(':')} {package_python}")
config.substitutions.append(("%{package-python}", package_python))
config.environment["JOBMLIR_PYTHON"] = package_python
config.substitutions.append(("%python", sys.executable))
