"""Builds wheels and source distributions of tolk_memory (PEP 517), with the standard library alone.

A wheel carries the shared library: the file that TOLK_MEMORY_LIBRARY names, or else the one in build/ of the checkout, which
`make lib` makes of the sources, with Go and a C compiler, where it is not there. Equal files in, equal bytes out.

As a program it writes a wheel to the folder that its argument names.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

HERE = Path(__file__).resolve().parent.parent
PACKAGE = HERE / "tolk_memory"
NAMES = {"darwin": "libtolk_memory.dylib", "win32": "tolk_memory.dll"}
LIBRARY = NAMES.get(sys.platform, "libtolk_memory.so.0")
#: What make lib reads.
SOURCES = ("Makefile", "LICENSE", "go.mod", "go.sum", "include", "capi", "ir", "planner", "placement", "tlsf", "text")
Settings = Optional[Dict[str, Any]]
Files = Dict[str, bytes]


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    """Writes a wheel and returns its name."""
    files = {f"tolk_memory/{path.name}": path.read_bytes() for path in package_files()}
    files[f"tolk_memory/{LIBRARY}"] = library().read_bytes()
    files.update((f"{dist_info()}/{name}", data) for name, data in metadata_files().items())
    files[f"{dist_info()}/RECORD"] = record(files)
    name = f"tolk_memory-{version()}-{tag()}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            info = zipfile.ZipInfo(path)  # of 1980: no clock reaches a wheel
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o755 if path.endswith(LIBRARY) else 0o644) << 16
            wheel.writestr(info, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Writes a source distribution, which holds what make lib reads, and returns its name."""
    base = f"tolk_memory-{version()}"
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sorted(own_files())}
    files.update((f"source/{path.relative_to(root())}", path.read_bytes()) for path in sorted(source_files()))
    files["PKG-INFO"] = metadata()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(f"{base}/{name}")
            info.size, info.mode = len(data), 0o644
            tar.addfile(info, io.BytesIO(data))
    Path(sdist_directory, base + ".tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return base + ".tar.gz"


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Writes what a wheel would say of itself, without building one."""
    folder = Path(metadata_directory, dist_info())
    folder.mkdir()
    for name, data in metadata_files().items():
        (folder / name).write_bytes(data)
    return dist_info()


def root() -> Path:
    """The folder of the sources: the checkout's, or, in a source distribution, source."""
    carried = HERE / "source"
    return carried if carried.is_dir() else HERE.parent.parent


def package_files() -> List[Path]:
    """What is in the package, the library aside."""
    return sorted(path for path in PACKAGE.iterdir() if path.suffix == ".py" or path.name == "py.typed")


def own_files() -> Iterator[Path]:
    yield from package_files()
    yield from (HERE / name for name in ("pyproject.toml", "README.md", "backend/tolk_memory_build.py"))


def source_files() -> Iterator[Path]:
    for name in SOURCES:
        path = root() / name
        yield from (each for each in ([path] if path.is_file() else path.rglob("*")) if each.is_file() and not each.name.endswith("_test.go"))


def library() -> Path:
    """The library to carry."""
    named = os.environ.get("TOLK_MEMORY_LIBRARY")
    if named:
        return Path(named)
    built = root() / "build" / LIBRARY
    if not built.exists():
        subprocess.run(["make", "-C", str(root()), "lib"], check=True)
    return built


def version() -> str:
    """The header's version, as the generated constants have it."""
    text = (PACKAGE / "_raw.py").read_text()
    return ".".join(constant(text, f"TOLK_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH"))


def constant(text: str, name: str) -> str:
    found = re.search(rf"^{name} = (\d+)$", text, re.MULTILINE)
    if not found:
        raise RuntimeError(f"_raw.py has no {name}")
    return found[1]


def tag() -> str:
    """Any Python 3 on this platform: the library does not know Python."""
    return "py3-none-" + re.sub(r"[-. ]", "_", sysconfig.get_platform())


def dist_info() -> str:
    return f"tolk_memory-{version()}.dist-info"


def metadata_files() -> Files:
    return {
        "METADATA": metadata(),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: tolk_memory_build\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode(),
        "LICENSE": (root() / "LICENSE").read_bytes(),
    }


def metadata() -> bytes:
    fields: List[Tuple[str, str]] = [
        ("Metadata-Version", "2.1"),
        ("Name", "tolk-memory"),
        ("Version", version()),
        ("Summary", "Plans the memory of machine-learning schedules"),
        ("License", "MIT"),
        ("License-File", "LICENSE"),
        ("Requires-Python", ">=3.9"),
        ("Classifier", "Typing :: Typed"),
        ("Description-Content-Type", "text/markdown"),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return head.encode() + b"\n" + (HERE / "README.md").read_bytes()


def record(files: Files) -> bytes:
    """The list of a wheel's files and what they hash to."""
    rows = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join(rows + [f"{dist_info()}/RECORD,,\n"]).encode()


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
