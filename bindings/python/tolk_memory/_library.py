"""Finds and loads the shared library, once a process."""

import ctypes
import os
import sys
from typing import Iterator

_NAMES = {"darwin": "libtolk_memory.dylib", "win32": "tolk_memory.dll"}
_NAME = _NAMES.get(sys.platform, "libtolk_memory.so.0")
_ABI = 0
_FORKED = -14


def _candidates() -> Iterator[str]:
    """Where to look: the environment's word, the wheel's own, then wherever the system's loader looks."""
    override = os.environ.get("TOLK_MEMORY_LIBRARY")
    if override:
        yield override
        return
    carried = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    if os.path.exists(carried):
        yield carried
    yield _NAME


def _load() -> ctypes.CDLL:
    problems = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError(
        f"tolk_memory found no {_NAME}: {'; '.join(problems)}. Install the wheel, which carries it, "
        "or set TOLK_MEMORY_LIBRARY to the path of one."
    )


def _checked(library: ctypes.CDLL) -> ctypes.CDLL:
    """The library, once it is known to speak this package's ABI and to work in this process."""
    abi = library.tolk_abi_version()
    if abi != _ABI:
        raise ImportError(f"this tolk_memory wants a library of ABI {_ABI}; {library._name} is of ABI {abi}")
    if library.tolk_graph_destroy(None) == _FORKED:
        raise ImportError(
            "tolk_memory cannot work here: this process was forked from one that had loaded the library, whose Go runtime does not "
            'outlive a fork. Import it in the child only, or start children by multiprocessing.set_start_method("spawn").'
        )
    return library


LIBRARY = _checked(_load())
