//! The allocator.

use std::fmt;
use std::ptr;

use tolk_memory_sys as sys;

use crate::error::{check, Result};

/// A two-level segregated fit allocator over addresses from 0; it touches no memory.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{Status, Tlsf};
///
/// let mut tlsf = Tlsf::new(1024)?;
/// let a = tlsf.alloc(100, 1)?.expect("there is room");
/// assert_eq!(tlsf.alloc(2000, 1)?, None); // no room is an answer, not an error
/// tlsf.free(a)?;
/// let error = tlsf.free(a).unwrap_err();
/// assert_eq!(error.status(), Status::NotAllocated);
/// # Ok(())
/// # }
/// ```
///
/// Several threads may use one, one at a time, which the types see to:
///
/// ```compile_fail,E0499
/// # fn main() -> Result<(), tolk_memory::Error> {
/// let mut tlsf = tolk_memory::Tlsf::new(1024)?;
/// std::thread::scope(|scope| {
///     scope.spawn(|| tlsf.alloc(1, 1));
///     scope.spawn(|| tlsf.alloc(1, 1));
/// });
/// # Ok(())
/// # }
/// ```
pub struct Tlsf {
    handle: *mut sys::tolk_tlsf,
}

// SAFETY: the library lets any thread use an allocator, one at a time, which &mut self is; shared references do nothing.
unsafe impl Send for Tlsf {}
// SAFETY: the same.
unsafe impl Sync for Tlsf {}

impl Tlsf {
    /// An allocator of addresses below `size`, with blocks of at least 16 bytes and 16 second-level lists.
    ///
    /// # Errors
    /// Those of [`with_lists`](Tlsf::with_lists).
    pub fn new(size: u64) -> Result<Tlsf> {
        Tlsf::with_lists(size, sys::TOLK_TLSF_BLOCK_SIZE.into(), sys::TOLK_TLSF_LIST_COUNT.into())
    }

    /// The same with the least size of a block and the number of second-level lists of each power of two. Both are positive,
    /// `list_count` at most 4096, and `block_size`, written in binary, has at least as many digits as `list_count`.
    ///
    /// # Errors
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument).
    pub fn with_lists(size: u64, block_size: u64, list_count: u64) -> Result<Tlsf> {
        let mut handle = ptr::null_mut();
        // SAFETY: handle is a place for the result.
        check(unsafe { sys::tolk_tlsf_create(size as i64, 0, block_size as i64, list_count as i64, &mut handle) })?;
        Ok(Tlsf { handle })
    }

    /// The start of a free block of `size` bytes that is a multiple of `align`, 1 or more; none if there is no such block.
    /// Constant time.
    ///
    /// # Errors
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument).
    pub fn alloc(&mut self, size: u64, align: u64) -> Result<Option<u64>> {
        let mut address = 0;
        // SAFETY: address is a place for the result.
        let status = unsafe { sys::tolk_tlsf_alloc(self.handle, size as i64, align as i64, &mut address) };
        check(status)?;
        Ok((status != sys::TOLK_NO_ROOM).then_some(address as u64))
    }

    /// Frees the block that starts at an address. Constant time.
    ///
    /// # Errors
    /// [`Status::NotAllocated`](crate::Status::NotAllocated) if none does.
    pub fn free(&mut self, address: u64) -> Result<()> {
        // SAFETY: the handle is its own.
        check(unsafe { sys::tolk_tlsf_free(self.handle, address as i64) })
    }
}

impl Drop for Tlsf {
    fn drop(&mut self) {
        // SAFETY: no reference to it is left.
        unsafe { sys::tolk_tlsf_destroy(self.handle) };
    }
}

impl fmt::Debug for Tlsf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tlsf").finish_non_exhaustive()
    }
}
