"""Stands for scripts/gpu/check.py: what becomes of a unit is in its name."""

import os
import pathlib
import signal
import sys
import time

unit = pathlib.Path(sys.argv[1])
with open("order", "a") as order:
    print(unit.stem, *sys.argv[2:], file=order)
if unit.stem == "fails" and not pathlib.Path("mended").exists():
    for line in range(30):
        print(f"line {line}")
    sys.exit("the reason")
if unit.stem == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if unit.stem == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if unit.stem in ("slow", "stubborn"):
    time.sleep(60)
print("4 jobs, 0 differences")
