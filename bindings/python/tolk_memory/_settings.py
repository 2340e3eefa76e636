"""Settings of the process, and its log."""

import ctypes
from typing import Any, Callable, List, Optional, Union

from . import _raw
from ._convert import integer, member
from ._errors import check
from ._raw import Setting


def get_setting(setting: Union[Setting, str]) -> int:
    """The value of a setting, "debug" or "no_memory_planner". It starts from the environment variable of its name; absent or no integer, it is 0."""
    value = ctypes.c_int64()
    check(_raw.tolk_setting_get(member(Setting, setting), ctypes.byref(value)))
    return value.value


def set_setting(setting: Union[Setting, str], value: int) -> None:
    """Gives a setting a value for the whole process."""
    check(_raw.tolk_setting_set(member(Setting, setting), integer(value, "value")))


#: Callbacks that were set. One that was replaced may still be running, so that none is let go.
_callbacks: List[Any] = []


def set_log(callback: Optional[Callable[[str], object]]) -> None:
    """Has callback called with each line that planning prints while Setting.DEBUG is 1 or more; None ends that.

    It is called on the thread that plans. What it raises is shown and dropped, as in a destructor.
    """
    if callback is None:
        check(_raw.tolk_log_set(_raw.tolk_log_callback(0), None))
        return
    take = callback

    def call(user: Any, line: Optional[bytes]) -> None:
        take((line or b"").decode("utf-8", "replace"))

    wrapped = _raw.tolk_log_callback(call)
    _callbacks.append(wrapped)
    check(_raw.tolk_log_set(wrapped, None))


def unique_num() -> int:
    """The next number of the process-wide counter that slots come from."""
    number = _raw.tolk_unique_num()
    if number < 0:
        check(_raw.StatusCode.ERR_FORKED)
    return number
