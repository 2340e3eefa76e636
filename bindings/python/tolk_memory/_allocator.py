"""The two-level segregated fit allocator."""

import ctypes
from typing import Optional

from . import _raw
from ._convert import integer
from ._errors import check
from ._handles import Closable, Owner


class Allocator(Closable):
    """An allocator of addresses [base, base + size); it touches no memory.

    block_size is the least size of a block and list_count the second-level lists of each power of two; both are positive, and
    block_size, written in binary, has at least as many digits as list_count.
    """

    def __init__(
        self, size: int, base: int = 0, block_size: int = _raw.TOLK_TLSF_BLOCK_SIZE, list_count: int = _raw.TOLK_TLSF_LIST_COUNT
    ) -> None:
        self.size, self.base = integer(size, "size"), integer(base, "base")
        number = ctypes.c_void_p()
        check(_raw.tolk_tlsf_create(self.size, self.base, integer(block_size, "block_size"), integer(list_count, "list_count"),
                                    ctypes.byref(number)))
        self._owner = Owner(number.value, _raw.tolk_tlsf_destroy)

    def alloc(self, size: int, align: int = 1) -> Optional[int]:
        """The start of a free block of `size` bytes whose distance from base is a multiple of align; None if there is none."""
        address = ctypes.c_int64()
        status = _raw.tolk_tlsf_alloc(self._handle, integer(size, "size"), integer(align, "align"), ctypes.byref(address))
        check(status)
        return None if status == _raw.StatusCode.NO_ROOM else address.value

    def free(self, address: int) -> None:
        """Frees the block that starts at address; a NotAllocatedError if none does."""
        check(_raw.tolk_tlsf_free(self._handle, integer(address, "address")))

    def __repr__(self) -> str:
        return "<Allocator, closed>" if self.closed else f"<Allocator of [{self.base}, {self.base + self.size})>"
