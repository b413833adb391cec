"""Installs the runtime of a build folder and builds programs against it.

check_install.py <build folder> <work folder> <C compiler> <C++ compiler> <llvm-nm>
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

build, work, compiler, cxx, nm = sys.argv[1:]
work = pathlib.Path(work)
here = pathlib.Path(__file__).resolve().parent
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
# A machine that builds the project may lack make.
os.environ.update(CMAKE_GENERATOR="Ninja", CC=compiler, CXX=cxx)


def run(*command, **kwargs):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **kwargs
    )
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


# An installed tree may be moved.
run("cmake", "--install", build, "--component", "jobrt", "--prefix", work / "first")
prefix = (work / "first").rename(work / "prefix")
(library,) = prefix.glob("**/libjobrt.so")
print("library below 5 MB:", library.stat().st_size < 5_000_000)

# Every function of the header leaves the library under the header's version,
# and no other function of C does.
header = (prefix / "include" / "jobrt" / "c_api.h").read_text()
declared = set(
    re.findall(r"^JOBRT_C_API [^;(]*?\b(jobrt_\w+)\(", header, re.MULTILINE)
)
exported = set()
for line in run(nm, "-D", "--defined-only", library).splitlines():
    match = re.search(r" T (jobrt_\w+)(@@?\w+)?$", line)
    if match:
        exported.add(match[1])
        if match[2] != "@@JOBRT_C_API_1":
            print("without its version:", line)
print("declared, not exported:", sorted(declared - exported))
print("exported, not declared:", sorted(exported - declared))
print("many functions:", len(declared) > 90)

# CMake.
run(
    "cmake",
    "-S",
    here / "consumer",
    "-B",
    work / "consumer",
    f"-DCMAKE_PREFIX_PATH={prefix}",
    "-DCMAKE_BUILD_TYPE=Debug",
)
run("cmake", "--build", work / "consumer")
for program in ("consumer_c", "consumer_cxx"):
    print(run(work / "consumer" / program).strip())

# The examples, as their CMakeLists.txt says; how they train is a test in Python.
examples = here.parents[2] / "examples" / "c"
run(
    "cmake",
    "-S",
    examples,
    "-B",
    work / "examples",
    f"-DCMAKE_PREFIX_PATH={prefix};{build}",
)
run("cmake", "--build", work / "examples")
for name in ("mlp", "lenet"):
    # Without data to train with.
    folder = work / "examples"
    done = subprocess.run(
        [folder / name, folder / f"{name}.so", "--data", work],
        capture_output=True,
        text=True,
    )
    print("example", name, done.returncode, "images" in done.stderr)

# pkg-config.
if shutil.which("pkg-config"):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(library.parent / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "jobrt", env=environment).split()
    program = work / "with-pkg-config"
    source = here / "consumer" / "main.c"
    run(compiler, source, *flags, f"-Wl,-rpath,{library.parent}", "-o", program)
    print("pkg-config,", run(program).strip())
else:
    print("pkg-config, C, jobrt: skipped, it is not installed")
