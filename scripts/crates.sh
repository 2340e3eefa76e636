#!/bin/sh
# crates.sh OUT packs the crates of bindings/rust to OUT, as they are published. The raw one carries the library's Go source, so that
# it builds wherever Go and a C compiler are. Needs go, and cargo 1.90 or newer.
set -eu
out=$1
root=$(cd "$(dirname "$0")/.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
export CGO_ENABLED=1
cd "$root"

for part in Cargo.toml Cargo.lock tolk-memory-sys tolk-memory; do
  cp -RL "bindings/rust/$part" "$stage" # -L: the licence is a link
done

# What is shipped is what capi imports; the modules that go.mod requires are the tests'.
source=$stage/tolk-memory-sys/source
mkdir -p "$source"
sed '/^require/,/^)/d' go.mod > "$source/go.mod"
files='{{$p := .}}{{range .GoFiles}}{{$p.Dir}}/{{.}} {{end}}{{range .CgoFiles}}{{$p.Dir}}/{{.}} {{end}}{{range .CFiles}}{{$p.Dir}}/{{.}} {{end}}{{range .HFiles}}{{$p.Dir}}/{{.}} {{end}}'
for file in $(go list -deps -f "{{if not .Standard}}$files{{end}}" ./capi) "$root/include/tolk_memory.h"; do
  mkdir -p "$source/$(dirname "${file#"$root"/}")"
  cp "$file" "$source/${file#"$root"/}"
done

cd "$stage"
CARGO_TARGET_DIR=$stage/target cargo package --quiet --workspace --offline --no-verify
mkdir -p "$out"
cp target/package/*.crate "$out"
