//! What planning and placing have in common: watching a search, and stopping it.

use std::fmt;
use std::os::raw::c_void;
use std::ptr;
use std::time::Duration;

use tolk_memory_sys as sys;

use crate::enums::Placer;
use crate::error::{check, Result};
use crate::panics;

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes of the best plan of the arena so far.
    pub size: u64,
    /// No arena is smaller, bytes.
    pub bound: u64,
    /// Steps of work.
    pub spent: u64,
}

/// Stops searches from another thread.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{place, Cancel, Lifetime, PlaceOptions, Placer, Stop};
///
/// let buffers: Vec<_> = (0..200).map(|i| Lifetime::new(i * 7 % 40..i * 7 % 40 + 5 + i % 11, 100 + i * 37 % 900)).collect();
/// let cancel = Cancel::new()?;
/// cancel.request()?;
/// let placement = place(&buffers, PlaceOptions::new().placer(Placer::Best).cancel(&cancel))?;
/// assert_eq!(placement.offsets.len(), 200); // the best so far
/// # Ok(())
/// # }
/// ```
pub struct Cancel {
    handle: *mut sys::tolk_cancel,
}

// SAFETY: the library lets any thread use it, and several at once; the handle is a number that it looks up.
unsafe impl Send for Cancel {}
// SAFETY: the same.
unsafe impl Sync for Cancel {}

impl Cancel {
    /// A new one, which nobody has asked for yet.
    ///
    /// # Errors
    /// [`Status::Forked`](crate::Status::Forked) in a child made by `fork()`.
    pub fn new() -> Result<Cancel> {
        let mut handle = ptr::null_mut();
        // SAFETY: handle is a place for the result.
        check(unsafe { sys::tolk_cancel_create(&mut handle) })?;
        Ok(Cancel { handle })
    }

    /// Has every search that was given this, now or later, stop at once with its best plan so far.
    ///
    /// # Errors
    /// [`Status::Forked`](crate::Status::Forked) in a child made by `fork()`.
    pub fn request(&self) -> Result<()> {
        // SAFETY: the handle is its own.
        check(unsafe { sys::tolk_cancel_request(self.handle) })
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").finish_non_exhaustive()
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        // SAFETY: no reference to it is left.
        unsafe { sys::tolk_cancel_destroy(self.handle) };
    }
}

type Callback<'a> = Box<dyn FnMut(Progress) + 'a>;

/// The options that planning and placing share.
pub(crate) struct Search<'a> {
    pub(crate) placer: Placer,
    pub(crate) granule: u64,
    pub(crate) effort: u64,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) progress: Option<Callback<'a>>,
    pub(crate) cancel: Option<&'a Cancel>,
}

impl Default for Search<'_> {
    fn default() -> Self {
        Search { placer: Placer::Tlsf, granule: 0, effort: 0, time_limit: None, progress: None, cancel: None }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("placer", &self.placer)
            .field("granule", &self.granule)
            .field("effort", &self.effort)
            .field("time_limit", &self.time_limit)
            .field("progress", &self.progress.is_some())
            .field("cancel", &self.cancel)
            .finish()
    }
}

impl Search<'_> {
    /// The time limit in milliseconds, rounded up; 0 for none, as C has it.
    pub(crate) fn time_limit_ms(&self) -> i64 {
        let ceil =
            |limit: Duration| i64::try_from(limit.as_nanos().saturating_add(999_999) / 1_000_000).unwrap_or(i64::MAX);
        self.time_limit.map_or(0, |limit| ceil(limit).max(1))
    }

    /// What C calls with progress, and with what; for as long as self stays where it is.
    pub(crate) fn callback(&mut self) -> (sys::tolk_progress_callback, *mut c_void) {
        match &mut self.progress {
            None => (None, ptr::null_mut()),
            Some(callback) => (Some(call_back), (callback as *mut Callback<'_>).cast()),
        }
    }

    /// What C is to look at.
    pub(crate) fn cancel(&self) -> *mut sys::tolk_cancel {
        self.cancel.map_or(ptr::null_mut(), |cancel| cancel.handle)
    }
}

unsafe extern "C" fn call_back(user: *mut c_void, progress: *const sys::tolk_progress) {
    // SAFETY: user is what Search::callback gave, whose options live until the search is over; nobody else uses the callback.
    let (callback, now) = unsafe { (&mut *user.cast::<Callback<'_>>(), &*progress) };
    let now = Progress { size: now.size as u64, bound: now.bound as u64, spent: now.spent as u64 };
    panics::keep(|| callback(now));
}

/// The setters of the shared options, for a type whose field `search` has them.
macro_rules! search_setters {
    ($what:literal, $granule:literal) => {
        /// The strategy.
        pub fn placer(mut self, placer: $crate::Placer) -> Self {
            self.search.placer = placer;
            self
        }

        #[doc = concat!("The bytes that ", $what, " are multiples of: a power of two up to 1 GiB; ", $granule, " if not set.")]
        pub fn granule(mut self, bytes: u64) -> Self {
            self.search.granule = bytes;
            self
        }

        /// The steps of work that [`Placer::Best`](crate::Placer::Best) may spend on an arena; if not set, milliseconds for
        /// real models, about a second for hard problems, several for hard ones of a million buffers.
        pub fn effort(mut self, steps: u64) -> Self {
            self.search.effort = steps;
            self
        }

        /// The time for it all, rounded up to milliseconds. With it the result depends on the machine.
        pub fn time_limit(mut self, limit: ::std::time::Duration) -> Self {
            self.search.time_limit = Some(limit);
            self
        }

        /// What is told how far a search has come, on the thread that asked for it. It may call the library. If it panics it
        /// is not called again, the search goes on, and the panic goes on where the search was asked for.
        pub fn progress(mut self, callback: impl FnMut($crate::Progress) + 'a) -> Self {
            self.search.progress = Some(Box::new(callback));
            self
        }

        /// What may stop the search, which then gives its best so far.
        pub fn cancel(mut self, cancel: &'a $crate::Cancel) -> Self {
            self.search.cancel = Some(cancel);
            self
        }
    };
}
pub(crate) use search_setters;
