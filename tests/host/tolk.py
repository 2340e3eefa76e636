"""The library by plain ctypes, as a host in Python has it."""
import ctypes
import os

library = ctypes.CDLL(os.environ["TOLK_TEST_LIBRARY"])
library.tolk_last_error.restype = ctypes.c_char_p
REQUEST = (b'{"tolk_schedule":1,"name":"t","storage":[{"device":"GPU","dtype":"float32","count":64}],'
           b'"entries":[{"call":{"body":"sink","args":[0]}}]}')
ERR_FORKED = -14


def plan():
    """The status of planning, and the answer or the error."""
    answer, length = ctypes.c_void_p(), ctypes.c_size_t()
    status = library.tolk_plan_text(REQUEST, ctypes.c_size_t(len(REQUEST)), ctypes.byref(answer), ctypes.byref(length))
    if status < 0:
        return status, library.tolk_last_error()
    text = ctypes.string_at(answer, length.value)
    library.tolk_string_free(answer)
    return status, text
