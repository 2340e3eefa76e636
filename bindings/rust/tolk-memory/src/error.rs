//! Statuses of C as errors.

use std::error;
use std::ffi::{CStr, CString};
use std::fmt;

use tolk_memory_sys as sys;

use crate::enums::c_enum;

/// A result whose error is the library's.
pub type Result<T> = std::result::Result<T, Error>;

c_enum! {
    /// What kind of failure an [`Error`] is.
    pub enum Status: i32 {
        /// A value is out of its range.
        InvalidArgument = TOLK_ERR_INVALID_ARGUMENT,
        /// A handle is none. Safe code never sees this one.
        InvalidHandle = TOLK_ERR_INVALID_HANDLE,
        /// An op is of another graph, or made up.
        InvalidOp = TOLK_ERR_INVALID_OP,
        /// An op is of a kind that does not belong there.
        WrongKind = TOLK_ERR_WRONG_KIND,
        /// A size or a sum does not fit in 63 bits.
        Overflow = TOLK_ERR_OVERFLOW,
        /// A list or a graph is longer than the library can hold.
        Limit = TOLK_ERR_LIMIT,
        /// A text is not of its form; the message has the line, column and byte.
        Parse = TOLK_ERR_PARSE,
        /// No allocated block starts at the address to free.
        NotAllocated = TOLK_ERR_NOT_ALLOCATED,
        /// An array is too short. Safe code never sees this one.
        BufferTooSmall = TOLK_ERR_BUFFER_TOO_SMALL,
        /// A capacity cannot be met: proven.
        Infeasible = TOLK_ERR_INFEASIBLE,
        /// A capacity was not met within the effort: there may be a plan.
        NotFound = TOLK_ERR_NOT_FOUND,
        /// Verifying found faults.
        InvalidPlan = TOLK_ERR_INVALID_PLAN,
        /// The C heap is exhausted.
        OutOfMemory = TOLK_ERR_OUT_OF_MEMORY,
        /// This process is a child made by `fork()`: the library works in its parent only.
        Forked = TOLK_ERR_FORKED,
        /// A fault of the library, or a status that is newer than this crate; please report its message.
        Internal = TOLK_ERR_INTERNAL,
    }
}

impl fmt::Display for Status {
    /// Writes the name that C has for it, such as `TOLK_ERR_OVERFLOW`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: takes any number, and gives a static text.
        f.write_str(&unsafe { CStr::from_ptr(sys::tolk_status_string(self.raw())) }.to_string_lossy())
    }
}

/// Why a call failed: a status to act on, and a message to read.
///
/// The message names the op, the entry and the argument, and says what would be right. It writes an op as `#` and its place in
/// its graph, as [`Op`](crate::Op) is displayed too. A failing call changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    message: Box<str>,
}

impl Error {
    pub(crate) fn new(status: Status, message: impl Into<Box<str>>) -> Error {
        Error { status, message: message.into() }
    }

    /// The failure that a call on this thread has just had.
    pub(crate) fn last() -> Error {
        // SAFETY: both are this thread's; the text is copied before the next call.
        let (status, message) = unsafe { (sys::tolk_last_status(), CStr::from_ptr(sys::tolk_last_error())) };
        Error::new(Status::from_raw(status).unwrap_or(Status::Internal), message.to_string_lossy())
    }

    /// What kind of failure it is.
    pub fn status(&self) -> Status {
        self.status
    }

    /// What failed, and what would be right.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    /// Writes the message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl error::Error for Error {}

/// Whether a call of C succeeded.
pub(crate) fn check(status: sys::tolk_status) -> Result<()> {
    if status < 0 {
        return Err(Error::last());
    }
    Ok(())
}

/// `text` as C takes it; `what` names it in the error that a NUL in it is.
pub(crate) fn c_string(what: &str, text: &str) -> Result<CString> {
    CString::new(text).map_err(|e| {
        let message = format!("{} {:?} has a NUL at byte {}; texts end there in C", what, text, e.nul_position());
        Error::new(Status::InvalidArgument, message)
    })
}
