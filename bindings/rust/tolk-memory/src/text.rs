//! Schedules and plans as texts.

use std::ffi::CStr;
use std::os::raw::c_char;
use std::{ptr, slice};

use tolk_memory_sys as sys;

use crate::error::{c_string, check, Result};
use crate::graph::Graph;
use crate::op::{raw, Op};
use crate::panics;
use crate::plan::Plan;

/// A text that the library gave, to be freed by it.
pub(crate) struct Text(*mut c_char);

impl Text {
    /// A copy of the text that `get` gives.
    pub(crate) fn get(get: impl FnOnce(*mut *mut c_char, *mut usize) -> sys::tolk_status) -> Result<String> {
        let (mut text, mut len) = (Text(ptr::null_mut()), 0);
        check(get(&mut text.0, &mut len))?;
        // SAFETY: the library gave that many bytes.
        let bytes = unsafe { slice::from_raw_parts(text.0.cast::<u8>(), len) };
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: it is the library's, or NULL.
        unsafe { sys::tolk_string_free(self.0) };
    }
}

/// The answer to a request to plan, both JSON, as `docs/formats.md` of the library has it.
///
/// # Errors
/// [`Status::Parse`](crate::Status::Parse) says where the request is wrong; the others are those of [`Graph::plan`].
///
/// ```
/// let answer = tolk_memory::plan_text(r#"{"lifetimes": [[0, 2, 4096], [2, 4, 4096]]}"#)?;
/// assert!(answer.contains("4096"));
/// # Ok::<(), tolk_memory::Error>(())
/// ```
pub fn plan_text(request: &str) -> Result<String> {
    // SAFETY: request is as long as told; answer and len are places for the result.
    let answer =
        Text::get(|answer, len| unsafe { sys::tolk_plan_text(request.as_ptr().cast(), request.len(), answer, len) });
    panics::resume();
    answer
}

/// A schedule that was read from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schedule {
    /// The LINEAR.
    pub schedule: Op,
    /// Its storage, by index in the text.
    pub storage: Vec<Op>,
    /// The storage that is marked as held.
    pub held: Vec<Op>,
    /// Its name.
    pub name: String,
}

/// What C fills, to be freed by it.
struct RawSchedule(sys::tolk_schedule);

impl Drop for RawSchedule {
    fn drop(&mut self) {
        // SAFETY: its arrays are the library's, or NULL.
        unsafe { sys::tolk_schedule_free(&mut self.0) };
    }
}

impl Graph {
    /// The schedule of a text, built in the graph. Each storage takes a fresh slot.
    ///
    /// # Errors
    /// [`Status::Parse`](crate::Status::Parse) says where the text is wrong; the others are those of the constructors.
    pub fn read_schedule(&self, text: &str) -> Result<Schedule> {
        let mut read = RawSchedule(sys::tolk_schedule::init());
        // SAFETY: text is as long as told; read is a place for the result, and tells its size.
        check(unsafe { sys::tolk_schedule_read(self.handle(), text.as_ptr().cast(), text.len(), &mut read.0) })?;
        let from = &read.0;
        // SAFETY: the library gave arrays of these lengths and a name that ends in NUL.
        Ok(unsafe {
            Schedule {
                schedule: Op::given(from.schedule),
                storage: array(from.storage.cast(), from.storage_count as usize).to_vec(),
                held: array(from.held.cast(), from.held_count as usize).to_vec(),
                name: string(from.name),
            }
        })
    }

    /// The text of a schedule, to be planned again with the same plan; `name` may be "".
    ///
    /// It holds what planning looks at: not slots, ranges, names, tags, scalar arguments, or effects that are no values. A
    /// start that is no CONST is written as its least value. Storage is numbered in order of first use.
    ///
    /// # Errors
    /// [`Status::WrongKind`](crate::Status::WrongKind) if it is no LINEAR; [`Status::InvalidOp`](crate::Status::InvalidOp).
    pub fn write_schedule(&self, schedule: Op, name: &str, held: &[Op]) -> Result<String> {
        let name = c_string("the name", name)?;
        // SAFETY: name ends in NUL, held is as long as told, and text and len are places for the result.
        Text::get(|text, len| unsafe {
            sys::tolk_schedule_write(self.handle(), schedule.number(), name.as_ptr(), raw(held), held.len(), text, len)
        })
    }

    /// The text of a plan that was made in this graph, storage numbered as [`write_schedule`](Graph::write_schedule) numbers
    /// it in the schedule that was planned.
    ///
    /// # Errors
    /// [`Status::InvalidOp`](crate::Status::InvalidOp) if the plan was made in another graph.
    pub fn write_plan(&self, plan: &Plan) -> Result<String> {
        // SAFETY: text and len are places for the result.
        Text::get(|text, len| unsafe { sys::tolk_plan_write(self.handle(), plan.handle(), text, len) })
    }
}

/// The items of an array that the library gave.
///
/// # Safety
/// `items` leads to `count` items that are good for as long as the result is used, or `count` is 0.
pub(crate) unsafe fn array<'a, T>(items: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[]; // items may be NULL
    }
    // SAFETY: the caller's word.
    unsafe { slice::from_raw_parts(items, count) }
}

/// # Safety
/// `text` ends in NUL, or is NULL.
unsafe fn string(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's word.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
