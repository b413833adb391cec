"""Builds the runtime's wheel, installs it into a folder of its own and trains
one step with it:
check_wheel.py <runtime> <work folder with mlp.so> <C compiler> <C++ compiler>
"""

import os
import pathlib
import shutil
import subprocess
import sys

runtime, work = map(pathlib.Path, sys.argv[1:3])
environment = {**os.environ, "CC": sys.argv[3], "CXX": sys.argv[4]}
if shutil.which("ccache"):
    environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"

PROGRAM = """
import pathlib, sys
import numpy as np
import jobmlir_runtime

site = pathlib.Path(sys.argv[1]) / "site"
print("from the wheel:", pathlib.Path(jobmlir_runtime.__file__).is_relative_to(site))
model = jobmlir_runtime.load(pathlib.Path(sys.argv[1]) / "mlp.so")
model.init(seed=1)
images = np.zeros((100, 1, 28, 28), np.float32)
losses = model.run("train", images=images, labels=np.zeros(100, np.int32))
print(f"losses {losses.shape}, finite: {np.isfinite(losses).all()}")
"""


def run(*command, **kwargs):
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, **kwargs
    )
    if done.returncode != 0:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def pip(*arguments):
    run("-m", "pip", "--disable-pip-version-check", *arguments, env=environment)


pip("wheel", "--no-index", "--no-deps", "--no-build-isolation",
    "--wheel-dir", work, runtime)
(wheel,) = work.glob("*.whl")
print(wheel.name)
pip("install", "--no-index", "--no-deps", "--target", work / "site", wheel)
environment["PYTHONPATH"] = str(work / "site")
print(run("-c", PROGRAM, work, env=environment), end="")
