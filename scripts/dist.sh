#!/bin/sh
# dist.sh OUT VERSION packs OUT/libtolk_memory-VERSION-linux-MACHINE.tar.gz: the installed tree, with the wheel and the crates where what
# makes them is there. Equal files in, equal bytes out. Needs Linux, cmake, go, a C compiler and GNU tar.
set -eu
out=$1
name=libtolk_memory-$2-linux-$(uname -m)
root=$(cd "$(dirname "$0")/.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tree=$stage/$name

[ "$(uname -s)" = Linux ] || { echo "dist: this is $(uname -s), and a tarball is of Linux" >&2; exit 1; }
command -v cmake >/dev/null || { echo "dist: cmake is not installed" >&2; exit 1; }

cmake -S "$root" -B "$stage/build" -DCMAKE_INSTALL_PREFIX="$tree" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=OFF >/dev/null
cmake --build "$stage/build" >/dev/null
cmake --install "$stage/build" >/dev/null

# add FOLDER TARGET FILES puts what make TARGET writes into a folder of the tree.
add() {
  make -s -C "$root" "$2" B="$stage/build" >/dev/null
  mkdir "$tree/$1"
  mv "$stage/build/dist/"$3 "$tree/$1" # unquoted: FILES is a pattern
}

if command -v python3 >/dev/null; then
  add python wheel '*.whl'
else
  echo "dist: without the wheel: python3 is not installed" >&2
fi

minor=$(cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\)\..*/\1/p')
if [ "${minor:-0}" -ge 90 ]; then
  add rust crates '*.crate'
else
  echo "dist: without the crates: cargo is not there, or older than 1.90" >&2
fi

mkdir -p "$out"
tar -C "$stage" --sort=name --format=gnu --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w -cf "$stage/$name.tar" "$name"
gzip -9n "$stage/$name.tar"
mv "$stage/$name.tar.gz" "$out"
