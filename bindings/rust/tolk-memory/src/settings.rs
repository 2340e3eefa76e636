//! What holds for the whole process.
//!
//! Each setting starts from an environment variable, read at its first use; absent or no integer, it is 0. A plan may override
//! them: see [`PlanOptions`](crate::PlanOptions).

use std::ffi::CStr;
use std::os::raw::{c_char, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use tolk_memory_sys as sys;

use crate::enums::c_enum;
use crate::error::{check, Result};
use crate::panics;

c_enum! {
    /// A setting of the process.
    pub enum Setting: u32 {
        /// Not 0: schedules are left as they are. From `NO_MEMORY_PLANNER`.
        NoMemoryPlanner = TOLK_NO_MEMORY_PLANNER,
        /// 1 or more: planning prints the memory saved on standard output. Set it to 0 in a host whose standard output is
        /// data. From `DEBUG`.
        Debug = TOLK_DEBUG,
    }
}

/// The value of a setting.
///
/// # Errors
/// [`Status::Forked`](crate::Status::Forked) in a child made by `fork()`.
pub fn get(setting: Setting) -> Result<i64> {
    let mut value = 0;
    // SAFETY: value is a place for the result.
    check(unsafe { sys::tolk_setting_get(setting.raw(), &mut value) })?;
    Ok(value)
}

/// Gives a setting a value.
///
/// # Errors
/// [`Status::Forked`](crate::Status::Forked) in a child made by `fork()`.
pub fn set(setting: Setting, value: i64) -> Result<()> {
    // SAFETY: takes numbers.
    check(unsafe { sys::tolk_setting_set(setting.raw(), value) })
}

type Log = Arc<dyn Fn(&str) + Send + Sync>;

static LOG: Mutex<Option<Log>> = Mutex::new(None);

/// Has `log` called with each line that [`Setting::Debug`] prints, without its newline, beside printing it.
///
/// It is called on the thread that plans, with no lock held, and may call the library. If it panics, the panic goes on where the
/// plan was asked for. It takes the place of an earlier one.
///
/// # Errors
/// [`Status::Forked`](crate::Status::Forked) in a child made by `fork()`.
pub fn set_log(log: impl Fn(&str) + Send + Sync + 'static) -> Result<()> {
    replace(Some(Arc::new(log)));
    // SAFETY: print is there for as long as the process.
    check(unsafe { sys::tolk_log_set(Some(print), ptr::null_mut()) })
}

/// Ends what [`set_log`] began.
///
/// # Errors
/// [`Status::Forked`](crate::Status::Forked) in a child made by `fork()`.
pub fn clear_log() -> Result<()> {
    replace(None);
    // SAFETY: NULL is no function.
    check(unsafe { sys::tolk_log_set(None, ptr::null_mut()) })
}

fn replace(log: Option<Log>) {
    let earlier = std::mem::replace(&mut *LOG.lock().unwrap_or_else(PoisonError::into_inner), log);
    drop(earlier); // now that the lock is free: dropping may run anything
}

unsafe extern "C" fn print(_: *mut c_void, line: *const c_char) {
    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(log) = log {
        // SAFETY: line ends in NUL, and lives as long as this call.
        let line = unsafe { CStr::from_ptr(line) }.to_string_lossy();
        panics::keep(move || log(&line)); // the last user of a log that was replaced drops it
    }
}
