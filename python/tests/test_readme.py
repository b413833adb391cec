"""The README's example, as it stands there."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_readme_example(tmp_path):
    text = (ROOT / "README.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    script = tmp_path / "first.py"
    script.write_text(code)
    run = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    losses = [float(line) for line in run.stdout.split()]
    assert len(losses) == 100
    # The classes are balanced: guessing costs ln 10 = 2.3.
    assert sum(losses[-10:]) / 10 < 1.0
