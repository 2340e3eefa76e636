//! Panics of callbacks, which must not run through C: they are kept until the call that led to them is back.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

thread_local! {
    /// The library calls back on the thread that called it.
    static KEPT: RefCell<Option<Box<dyn Any + Send>>> = RefCell::new(None);
}

/// Calls back, and keeps a panic of it. While one is kept nothing is called back.
pub(crate) fn keep(callback: impl FnOnce()) {
    if KEPT.with(|kept| kept.borrow().is_some()) {
        return;
    }
    // What the callback has left in pieces is seen by none but who catches the panic after all.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(callback)) {
        KEPT.with(|kept| *kept.borrow_mut() = Some(panic));
    }
}

/// Lets a panic that was kept go on.
pub(crate) fn resume() {
    if let Some(panic) = KEPT.with(|kept| kept.borrow_mut().take()) {
        resume_unwind(panic);
    }
}
