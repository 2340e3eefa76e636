"""Strings that the library makes."""

import ctypes
from typing import Any, Callable, Union

from . import _raw
from ._errors import check


def taken_string(write: Callable[[Any, Any], int]) -> str:
    """What a function writes to an out pointer and its length, freed."""
    at, length = ctypes.c_void_p(), ctypes.c_size_t()
    check(write(ctypes.byref(at), ctypes.byref(length)))
    try:
        return ctypes.string_at(at.value or 0, length.value).decode()
    finally:
        _raw.tolk_string_free(at.value)


def plan_text(request: Union[str, bytes]) -> str:
    """The answer to a request to plan, both JSON as docs/formats.md has it. A ParseError says where the request is wrong."""
    data = request.encode() if isinstance(request, str) else bytes(request)
    return taken_string(lambda at, length: _raw.tolk_plan_text(data, len(data), at, length))
