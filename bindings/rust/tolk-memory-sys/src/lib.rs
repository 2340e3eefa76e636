//! Raw bindings to libtolk_memory, which plans the memory of machine-learning schedules.
//!
//! These are the declarations of `tolk_memory.h` under their own names, written by a generator, with the header's comments.
//! Programs want the crate `tolk-memory`, which is safe; this one is for those who need a call that it does not have.
//!
//! Records that begin with `struct_size` are made by `init()`, which is what the header's `_INIT` macros are:
//!
//! ```
//! use tolk_memory_sys::*;
//!
//! let buffers = [
//!     tolk_lifetime { first: 0, end: 2, bytes: 4096, ..Default::default() },
//!     tolk_lifetime { first: 2, end: 4, bytes: 4096, ..Default::default() },
//! ];
//! let (mut offsets, mut result) = ([0; 2], tolk_place_result::init());
//! // SAFETY: `offsets` has as many places as there are buffers, and NULL means the default options.
//! let status = unsafe {
//!     tolk_place(buffers.as_ptr(), buffers.len(), std::ptr::null(), offsets.as_mut_ptr(), &mut result)
//! };
//! assert_eq!((status, result.size), (TOLK_OK, 4096));
//! ```
#![warn(rust_2018_idioms)]

mod raw;

pub use raw::*;

/// A source, in a description for [`tolk_build`], that is what the description at index `i`, an earlier one of the same
/// array, gives: the macro of this name.
#[allow(non_snake_case)]
pub const fn TOLK_REF(i: u64) -> tolk_op {
    0x8000_0000_0000_0000 | i
}
