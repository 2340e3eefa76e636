#!/bin/sh
# Installs what the tests use beside Go, a C compiler and make, where this is a
# Debian that we may install on; otherwise says what is missing.
set -u
missing=""
want() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
want cmake cmake
want pkg-config pkg-config
want g++ g++
want python3 python3
want chromium chromium
want mypy mypy
python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
want cargo cargo
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -q >/dev/null 2>&1
  # shellcheck disable=SC2086 # a list of packages
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >/dev/null 2>&1 && exit 0
fi
echo "Missing, so that the tests that use them are skipped:$missing" >&2
exit 0
