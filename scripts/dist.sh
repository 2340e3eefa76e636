#!/bin/sh
# dist.sh OUT VERSION packs OUT/libtolk_memory-VERSION-linux-x86_64.tar.gz: the installed tree, with the wheel and the crates where what
# makes them is there. Equal files in, equal bytes out. Needs cmake, go, a C compiler and GNU tar.
set -eu
out=$1
name=libtolk_memory-$2-linux-x86_64
root=$(cd "$(dirname "$0")/.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tree=$stage/$name

[ "$(uname -sm)" = "Linux x86_64" ] || { echo "dist: this is $(uname -sm), and a tarball is of Linux x86_64" >&2; exit 1; }
command -v cmake >/dev/null || { echo "dist: cmake is not installed" >&2; exit 1; }

cmake -S "$root" -B "$stage/build" -DCMAKE_INSTALL_PREFIX="$tree" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=OFF >/dev/null
cmake --build "$stage/build" >/dev/null
cmake --install "$stage/build" >/dev/null

if command -v python3 >/dev/null; then
  mkdir "$tree/python"
  TOLK_MEMORY_LIBRARY=$stage/build/libtolk_memory.so PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/bindings/python/backend \
    python3 -c 'import sys, tolk_memory_build; tolk_memory_build.build_wheel(sys.argv[1])' "$tree/python"
else
  echo "dist: without the wheel: python3 is not installed" >&2
fi

minor=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
if [ "${minor:-0}" -ge 90 ]; then
  "$root/scripts/crates.sh" "$tree/rust"
else
  echo "dist: without the crates: cargo is not there, or older than 1.90" >&2
fi

mkdir -p "$out"
tar -C "$stage" --sort=name --format=gnu --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w -cf "$stage/$name.tar" "$name"
gzip -9n "$stage/$name.tar"
mv "$stage/$name.tar.gz" "$out"
