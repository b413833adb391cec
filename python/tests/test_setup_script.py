"""scripts/setup.sh on machines that lack something; their commands are stand-ins."""

import hashlib
import os
import pathlib
import shutil
import subprocess

import pytest

import tiny_wheel

ROOT = pathlib.Path(__file__).parents[2]
TOOLS = "bash cat cmp dirname env grep head mktemp rm tail true".split()


class Machine:
    """A checkout, and a folder of commands that is all of its PATH."""

    def __init__(self, folder):
        self.checkout = folder / "checkout"
        self.commands = folder / "bin"
        self.log = folder / "log"
        self.log.touch()
        self.commands.mkdir()
        (self.checkout / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "scripts/setup.sh", self.checkout / "scripts")
        for name in TOOLS:
            (self.commands / name).symlink_to(shutil.which(name))
        # A stamp of this very checkout: no Python package is installed.
        self.lock("")

    def command(self, name, body):
        """A command that notes its arguments and the frontend of debconf."""
        path = self.commands / name
        path.write_text(
            f'#!/bin/bash\necho "{name} $* [${{DEBIAN_FRONTEND:-}}]" >>{self.log}\n'
            f"{body}\n"
        )
        path.chmod(0o755)

    def debian(self, installed="", unknown="none", user=0, lists=True):
        """apt and dpkg, on a machine where packages of these patterns are; `lists`
        says whether apt was updated. apt speaks German."""
        self.command("id", f"echo {user}")
        self.command(
            "dpkg-query",
            f'[[ "${{@: -1}}" != {installed or "none"} ]] || '
            "echo install ok installed",
        )
        self.command("dpkg", "")
        self.command("apt-get", "")
        self.command(
            "apt-cache",
            'if [ "$1" = madison ]; then\n'
            f'{"echo bash" if lists else "true"}; exit\nfi\n'
            'word=Installationskandidat none="(keine)"\n'
            '[ "${LC_ALL:-}" != C ] || { word=Candidate; none="(none)"; }\n'
            f'if [[ {int(not lists)} = 1 || $2 == {unknown} ]]; then\n'
            'echo "  $word: $none"; else echo "  $word: 1:22.1.8"; fi\n'
            # More than a pipe holds, as a long list of versions.
            "for ((i = 0; i < 2000; i++)); do echo '  500 an archive of Debian'; done",
        )

    def lock(self, text):
        (self.checkout / "scripts/requirements.lock").write_text(text)
        (self.checkout / "scripts/requirements-ptxas.lock").write_text("")

    def run(self):
        """Without a build; the commands that change something."""
        done = subprocess.run(
            ["bash", "-c", "without_build=1; source scripts/setup.sh"],
            cwd=self.checkout,
            env={"PATH": str(self.commands), "TMPDIR": os.environ.get("TMPDIR", "/tmp")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        changes = [
            line
            for line in self.log.read_text().splitlines()
            if line.split()[0] in ("apt-get", "dpkg", "sudo")
        ]
        return done, changes


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def refused(machine, message):
    """The set-up ends with this message alone."""
    done, changes = machine.run()
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("setup.sh: expects " + message)
    assert not (machine.checkout / ".venv").exists()
    return line, changes


def test_without_apt(machine):
    line, _ = refused(machine, "Debian's apt and dpkg; elsewhere, install what these")
    assert "libmlir-22-dev" in line and "python3-venv" in line


def test_without_root_and_sudo_all_missing_packages_are_named(machine):
    machine.debian(installed="*-22-*", user=1000)
    line, changes = refused(machine, "root, or sudo, to install Debian packages; ask")
    assert "python3-venv" in line and "libdnnl-dev" in line
    assert "libmlir-22-dev" not in line
    assert not changes


def test_sudo_that_refuses(machine):
    machine.debian(user=1000)
    machine.command("sudo", "exit 1")
    _, changes = refused(machine, "root, or sudo, to install Debian packages; ask")
    # Without a terminal it does not ask for a password.
    assert changes == ["sudo -n true []"]


def test_a_distribution_without_llvm_22(machine):
    machine.debian(unknown="*-22*")
    line, changes = refused(machine, "a distribution with LLVM 22, such as Debian 12")
    assert "libmlir-22-dev" in line and "clang-22" in line
    assert "python3-venv" not in line
    assert not [change for change in changes if "install" in change]


def test_a_distribution_without_llvm_22_as_an_ordinary_user(machine):
    """It is not told to ask for packages that do not exist."""
    machine.debian(unknown="*-22*", user=1000)
    line, changes = refused(machine, "a distribution with LLVM 22, such as Debian 12")
    assert "libmlir-22-dev" in line and "python3-venv" not in line
    assert not changes


def test_an_ordinary_user_before_the_first_update(machine):
    """apt then knows no package at all."""
    machine.debian(user=1000, lists=False)
    line, _ = refused(machine, "root, or sudo, to install Debian packages; ask for")
    assert "libmlir-22-dev" in line


FIX = "apt-get -y --no-install-recommends --fix-broken install [noninteractive]"


def test_a_package_without_its_dependencies(machine):
    """As an installation leaves it that was killed after it was unpacked."""
    machine.debian(installed="lib*")
    fixed = machine.commands / "fixed"
    machine.command("dpkg", f"[ -e {fixed} ] || exit 1")
    machine.command(
        "apt-get",
        f'case "$*" in *--fix-broken*) echo >{fixed} ;; '
        f"install*) [ -e {fixed} ] && echo no space; exit 100 ;; esac",
    )
    done, changes = machine.run()
    assert (done.returncode, done.stderr) == (1, "no space\n")
    assert changes[1:3] == ["dpkg --configure -a [noninteractive]", FIX]
    assert changes[3].startswith("apt-get install ")


def test_what_apt_cannot_mend_is_shown(machine):
    machine.debian()
    machine.command("dpkg", "echo a line of dpkg; exit 1")
    machine.command(
        "apt-get", 'case "$*" in *--fix-broken*) echo unmet; exit 100 ;; esac'
    )
    done, changes = machine.run()
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "unmet\n")
    assert changes[-1] == FIX


def test_an_update_that_fails_is_shown(machine):
    machine.debian()
    machine.command("apt-get", "echo no route; exit 100")
    done, _ = machine.run()
    assert (done.returncode, done.stderr) == (1, "no route\n")


def with_wheel(machine):
    """The lock has one package, which is a file; its hash."""
    wheel = tiny_wheel.write(machine.checkout)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    machine.lock(f"./{wheel.name} --hash=sha256:{digest}\n")
    machine.command("ptxas", "")
    return digest


def test_sudo_has_the_settings_of_apt(machine):
    """It clears the environment of what it runs."""
    machine.debian(installed="lib*", user=1000)
    machine.command(
        "sudo", f'[ "$1" != -n ] || shift; exec env -i PATH={machine.commands} "$@"'
    )
    # The last step of the installation is the last of the test.
    machine.command("apt-get", '[ "$1" != install ] || { echo no space; exit 100; }')
    done, changes = machine.run()
    assert (done.returncode, done.stderr) == (1, "no space\n")
    assert "installing mlir-22-tools " in done.stdout
    changes = [change for change in changes if not change.startswith("sudo ")]
    assert changes[:3] == [
        "apt-get update [noninteractive]",
        "dpkg --configure -a [noninteractive]",
        FIX,
    ]
    assert changes[3].startswith(
        "apt-get install -y --no-install-recommends mlir-22-tools "
    )
    assert len(changes) == 4


def test_an_environment_that_was_not_finished(machine):
    """Killed before pip was in it; then the file that comes is another one."""
    digest = with_wheel(machine)
    machine.debian(installed="*", user=1000)
    environment = machine.checkout / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin/python").symlink_to("/usr/bin/python3")
    (environment / "left").touch()
    machine.lock(f"./{tiny_wheel.NAME} --hash=sha256:{'0' * 64}\n")
    done, _ = machine.run()
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (environment / "left").exists()
    assert not list(environment.glob("lib/*/site-packages/package.py"))
    machine.lock(f"./{tiny_wheel.NAME} --hash=sha256:{digest}\n")
    done, changes = machine.run()
    assert (done.returncode, changes) == (0, []), done.stderr
    assert done.stdout == "installing Python packages into .venv\n"
    assert list(environment.glob("lib/*/site-packages/package.py"))
    # A second time there is nothing to do.
    assert machine.run()[0].stdout == ""
