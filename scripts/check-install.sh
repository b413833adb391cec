#!/usr/bin/env bash
# Tries what docs/install.md says, in fresh minimal roots of Debian 12.
#
#   check-install.sh FOLDER [--ccache DIR] [--tests] [--tensorflow] [STEP...]
#
# Needs root, debootstrap and a Debian 12 whose apt finds LLVM 22; its settings of
# apt and pip are used. FOLDER gets the roots (about 10 GB) and the logs; roots that
# are there stay, with a new checkout of the last commit, so that single steps can be
# tried again. The steps are the blocks of docs/install.md in this order.
#
#   demo user artifact pip wheels    in a root that has the build packages
#   install uninstall runtime tensorflow    in one that has Python alone
#   c c-wheel                in one that has a C++ compiler
#
#   --ccache DIR   compiled objects of this machine; shortens the builds
#   --tests        scripts/test.sh too
#   --tensorflow   beside TensorFlow too, which has 2 GB

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
  sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
[ $# -gt 0 ] && [ "${1#-}" = "$1" ] || usage
folder=$(realpath -m "$1")
shift
cache=
steps=()
optional=()
while [ $# -gt 0 ]; do
  case $1 in
    --ccache) cache=$(realpath "${2:?}") && shift ;;
    --tests) optional+=(test) ;;
    --tensorflow) optional+=(tensorflow) ;;
    -*) usage ;;
    *) steps+=("$1") ;;
  esac
  shift
done
((${#steps[@]})) ||
  steps=(demo user artifact pip wheels install "${optional[@]}" uninstall runtime c
    c-wheel)
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
  echo "check-install.sh: expects root and debootstrap" >&2
  exit 1
fi
mkdir -p "$folder"
# The authorities that pip trusts here, if it is told of some.
certificate=${PIP_CERT:-$(python3 -m pip config get global.cert 2>/dev/null || true)}

# in_root <root> <user> <command>...: in the checkout of a user, which is where
# this one is: objects of ccache have the paths of their sources.
in_root() {
  local target=$folder/$1 user=$2 home launcher=
  shift 2
  [ -z "$cache" ] || [ ! -x "$target/usr/bin/ccache" ] || launcher=ccache
  home=/home/$user
  [ "$user" != root ] || home=/root
  # The mounts end with their namespace.
  unshare --mount bash -euc '
    target=$1 cache=$2 checkout=$3 home=$4
    shift 4
    mkdir -p "$target$home/jobmlir" "$target$checkout"
    mount --bind "$target$home/jobmlir" "$target$checkout"
    for mounted in proc sys dev; do
      mount --rbind "/$mounted" "$target/$mounted"
    done
    if [ -n "$cache" ]; then
      mkdir -p "$target/ccache"
      mount --bind "$cache" "$target/ccache"
    fi
    exec chroot "$target" "$@"' in_root "$target" "$cache" "$root" "$home" \
    runuser -u "$user" -- env -i HOME="$home" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    ${cache:+CCACHE_DIR=/ccache CCACHE_READONLY=1 CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=locale
      CCACHE_TEMPDIR=/tmp/ccache-$user CCACHE_BASEDIR="$root"} \
    ${launcher:+CMAKE_C_COMPILER_LAUNCHER=$launcher
      CMAKE_CXX_COMPILER_LAUNCHER=$launcher} \
    ${certificate:+PIP_CERT=/etc/pip-authorities.crt} "$@"
}

# make_root <name> [package...]: a root with apt's and pip's settings of this
# machine, an ordinary user, and a checkout for each user.
make_root() {
  local target=$folder/$1 file
  if [ -e "$target/made" ]; then
    checkout "$target"
    return
  fi
  echo "making $target"
  rm -rf "$target"
  if [ ! -e "$folder/minimal/made" ]; then
    rm -rf "$folder/minimal"
    debootstrap --variant=minbase bookworm "$folder/minimal" \
      "$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' | head -n 1)" \
      >"$folder/debootstrap.log"
    touch "$folder/minimal/made"
  fi
  cp -a "$folder/minimal" "$target"
  rm "$target/made" "$target/etc/apt/sources.list"
  cp -a /etc/apt/. "$target/etc/apt"
  for file in /etc/resolv.conf /etc/pip.conf; do
    [ ! -f "$file" ] || install -m 644 "$file" "$target$file"
  done
  # Debian's packages write the usual file of them again.
  [ -z "$certificate" ] ||
    install -m 644 "$certificate" "$target/etc/pip-authorities.crt"
  shift
  in_root "${target##*/}" root apt-get update >"$target.log"
  (($# == 0)) || in_root "${target##*/}" root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@" >>"$target.log" 2>&1
  in_root "${target##*/}" root useradd --create-home --shell /bin/bash user
  checkout "$target"
  touch "$target/made"
}

# checkout <folder of a root>: the last commit, for each user.
checkout() {
  local home folder
  for home in "$1/root" "$1/home/user"; do
    folder=$home/jobmlir
    mkdir -p "$folder"
    git init --quiet "$folder"
    # The checkout may have another owner.
    git -c safe.directory='*' -C "$folder" fetch --quiet "$root" HEAD
    git -c safe.directory='*' -C "$folder" reset --quiet --hard FETCH_HEAD
    chown -R --reference="$home" "$folder"
  done
}

# The blocks of docs/install.md that are a step.
block() {
  awk -v mark="<!-- not run: scripts/check-install.sh does: $1 -->" '
    $0 == mark { found = 1; next }
    found && /^```sh$/ { inside = 1; next }
    inside && /^```$/ { inside = found = 0; count++; next }
    inside { print }
    END { if (!count) { print "no block for the step" >"/dev/stderr"; exit 1 } }
  ' "$root/docs/install.md"
}

# try <step> <root> <user>: the blocks as they stand, in the checkout.
try() {
  local log=$folder/$1-$3.log commands
  commands=$(block "$1")
  echo "$1, as $3 in $2"
  if ! in_root "$2" "$3" bash -euxo pipefail -c \
    "cd '$root'; $commands" </dev/null >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "check-install.sh: the step $1 failed; all of it is in $log" >&2
    exit 1
  fi
}

# The README's first program.
first_program() {
  sed -n '/^```python$/,/^```$/{/^```/!p}' "$root/README.md" \
    >"$folder/$1/home/user/jobmlir/first.py"
}

for step in "${steps[@]}"; do
  case $step in
    demo | test)
      make_root build
      try "$step" build root
      ;;
    user)
      # It has no sudo: what is missing is told, and nothing else done.
      make_root python python3 python3-venv dataset-fashion-mnist
      if in_root python user "$root/scripts/setup.sh" 2>"$folder/missing.log"; then
        echo "check-install.sh: expects an error without the packages" >&2
        exit 1
      fi
      grep -q '^setup.sh: expects root, or sudo, .*libmlir-22-dev' "$folder/missing.log"
      # The command that it prints, with what that root has, is all that an
      # administrator does.
      make_root build
      read -ra command < <(sed -n 's/.*; ask for: //p' "$folder/missing.log") || true
      if ! in_root build root env DEBIAN_FRONTEND=noninteractive "${command[@]}" \
        python3-venv dataset-fashion-mnist --yes >>"$folder/build.log" 2>&1; then
        echo "check-install.sh: '${command[*]}' failed; see $folder/build.log" >&2
        exit 1
      fi
      try demo build user
      ;;
    pip | wheels | artifact)
      make_root build
      first_program build
      try "$step" build user
      ;;
    install | uninstall | runtime | tensorflow)
      make_root python python3 python3-venv dataset-fashion-mnist
      first_program python
      install -m 644 -t "$folder/python/home/user/jobmlir" \
        "$folder"/build/home/user/jobmlir/build-wheel/dist/*.whl \
        "$folder"/build/home/user/jobmlir/mlp.{so,h}
      try "$step" python user
      ;;
    c | c-wheel)
      make_root c cmake make g++ pkg-config zlib1g-dev libdnnl-dev \
        nlohmann-json3-dev dataset-fashion-mnist python3 python3-venv
      install -m 644 -t "$folder/c/home/user/jobmlir" \
        "$folder"/build/home/user/jobmlir/{mlp.so,mlp.h,build-wheel/dist/*.whl}
      try "$step" c user
      ;;
    *) usage ;;
  esac
done
echo "all steps passed: ${steps[*]}"
