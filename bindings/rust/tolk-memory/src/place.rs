//! Placing lifetimes, without ops.

use std::ops::Range;

use tolk_memory_sys as sys;

use crate::enums::{c_enum, Proof, Stop};
use crate::error::{check, Error, Result, Status};
use crate::panics;
use crate::search::{search_setters, Search};

/// A buffer of one arena: when it lives, and what it needs.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Lifetime(sys::tolk_lifetime);

impl Lifetime {
    /// A buffer of `bytes` bytes that lives at the entries of a range, which is not empty. One of no bytes overlaps nothing.
    pub fn new(entries: Range<u64>, bytes: u64) -> Lifetime {
        // C has entries before 0, so that a cut to 64 bits with a sign would pass there; a lifetime that begins at the last is none.
        let entry = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
        let (first, end) = (entry(entries.start), entry(entries.end));
        Lifetime(sys::tolk_lifetime { first, end, bytes: bytes as i64, ..Default::default() })
    }

    /// The same with its offset a multiple of `bytes`: a power of two up to 1 GiB. Without one, of the granule.
    pub fn align(mut self, bytes: u64) -> Lifetime {
        self.0.align = bytes as i64;
        self
    }

    /// The same at an offset that is given.
    pub fn fixed(mut self, offset: u64) -> Lifetime {
        self.0.offset = offset as i64;
        self.0.fixed = 1;
        self
    }
}

/// How to place. What is not set is [`Placer::Tlsf`](crate::Placer::Tlsf) and a granule of 1.
#[derive(Debug, Default)]
pub struct PlaceOptions<'a> {
    search: Search<'a>,
    capacity: u64,
}

impl<'a> PlaceOptions<'a> {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    search_setters!("offsets and the arena", "1");

    /// The most bytes of the arena.
    pub fn capacity(mut self, bytes: u64) -> Self {
        self.capacity = bytes;
        self
    }

    /// The options as C takes them, for as long as self stays where it is.
    fn raw(&mut self) -> sys::tolk_place_options {
        let mut raw = sys::tolk_place_options::init();
        raw.placer = self.search.placer.raw();
        raw.granule = self.search.granule as i64;
        raw.capacity = self.capacity as i64;
        raw.effort = self.search.effort as i64;
        raw.time_limit_ms = self.search.time_limit_ms();
        raw.cancel = self.search.cancel();
        (raw.progress, raw.progress_user) = self.search.callback();
        raw
    }
}

/// What came of placing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// Bytes from the arena's start, of each buffer.
    pub offsets: Vec<u64>,
    /// Bytes of the arena.
    pub size: u64,
    /// The greatest load.
    pub lower_bound: u64,
    /// No plan has fewer bytes; at least `lower_bound`.
    pub proven_bound: u64,
    /// The first entry of the greatest load.
    pub peak_entry: u64,
    /// Steps of work.
    pub spent: u64,
    /// Why the arena is known to be as small as can be.
    pub proof: Proof,
    /// Why the placer stopped.
    pub stopped: Stop,
    /// Whether `size` is `proven_bound`.
    pub optimal: bool,
}

impl Placement {
    fn new(offsets: Vec<u64>, result: &sys::tolk_place_result) -> Placement {
        Placement {
            offsets,
            size: result.size as u64,
            lower_bound: result.lower_bound as u64,
            proven_bound: result.proven_bound as u64,
            peak_entry: result.peak_entry as u64,
            spent: result.spent as u64,
            proof: Proof::from_raw(result.proof).unwrap_or(Proof::None),
            stopped: Stop::from_raw(result.stopped).unwrap_or(Stop::Effort),
            optimal: result.optimal != 0,
        }
    }
}

/// An offset for each of the buffers, such that buffers that live at once share no byte.
///
/// # Errors
/// [`Status::InvalidArgument`] names the buffer and the field, or the option; [`Status::Overflow`];
/// [`Status::Infeasible`] and [`Status::NotFound`] for a capacity.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{place, Lifetime, PlaceOptions, Placer};
///
/// //   entry  0    1
/// //   0      ====
/// //   1      ==== ====
/// //   2           ====
/// let buffers = [Lifetime::new(0..1, 256), Lifetime::new(0..2, 256), Lifetime::new(1..2, 512)];
/// let quick = place(&buffers, PlaceOptions::new())?;
/// let best = place(&buffers, PlaceOptions::new().placer(Placer::Best))?;
/// assert_eq!((quick.size, best.size, best.optimal), (1024, 768, true));
/// # Ok(())
/// # }
/// ```
pub fn place(buffers: &[Lifetime], mut options: PlaceOptions<'_>) -> Result<Placement> {
    let (raw, mut result) = (options.raw(), sys::tolk_place_result::init());
    let mut offsets = vec![0u64; buffers.len()];
    // SAFETY: Lifetime is a transparent wrapper; offsets is as long as buffers; what raw points to lives until the end; result is
    // a place, and tells its size.
    let status = unsafe {
        sys::tolk_place(buffers.as_ptr().cast(), buffers.len(), &raw, offsets.as_mut_ptr().cast(), &mut result)
    };
    let status = check(status); // while its message is the thread's last
    panics::resume();
    status.map(|()| Placement::new(offsets, &result))
}

c_enum! {
    /// What is wrong with a plan.
    pub enum FaultKind: u32 {
        /// `buffer` is fixed at `want`, and is at `got`.
        Moved = TOLK_FAULT_MOVED,
        /// The offset of `buffer`, `got`, is no multiple of `want`.
        Misaligned = TOLK_FAULT_MISALIGNED,
        /// Bytes `[from, to)` of `buffer` leave the arena, whose size is `want`.
        OutOfArena = TOLK_FAULT_OUT_OF_ARENA,
        /// The size, `got`, is above the capacity, `want`.
        OverCapacity = TOLK_FAULT_OVER_CAPACITY,
        /// `buffer` and `other` both live at `entry` and share bytes `[from, to)`.
        Overlap = TOLK_FAULT_OVERLAP,
    }
}

/// A fault of a plan. What its kind does not name is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The index of the buffer.
    pub buffer: u64,
    /// The index of the other buffer.
    pub other: u64,
    /// An entry.
    pub entry: i64,
    /// Where the bytes begin.
    pub from: i64,
    /// Where the bytes end.
    pub to: i64,
    /// What is there.
    pub got: i64,
    /// What would be right.
    pub want: i64,
}

impl Fault {
    fn new(raw: &sys::tolk_fault) -> Result<Fault> {
        let newer =
            || Error::new(Status::Internal, format!("fault kind {} is newer than the crate tolk-memory", raw.kind));
        Ok(Fault {
            kind: FaultKind::from_raw(raw.kind).ok_or_else(newer)?,
            buffer: raw.buffer,
            other: raw.other,
            entry: raw.entry,
            from: raw.from,
            to: raw.to,
            got: raw.got,
            want: raw.want,
        })
    }
}

/// The faults of offsets, by whomever, as a plan for the buffers in an arena of `size` bytes: empty if the plan is right.
///
/// Of the options granule and capacity count. It takes about n log n, and twice that if there are more than a few faults.
///
/// # Errors
/// [`Status::InvalidArgument`] names the buffer and the field, the option, or the number of offsets.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{verify, FaultKind, Lifetime, PlaceOptions};
///
/// let buffers = [Lifetime::new(0..2, 8), Lifetime::new(1..3, 8)];
/// assert!(verify(&buffers, PlaceOptions::new(), &[0, 8], 16)?.is_empty());
/// let fault = verify(&buffers, PlaceOptions::new(), &[0, 4], 12)?[0];
/// assert_eq!((fault.kind, fault.entry, fault.from..fault.to), (FaultKind::Overlap, 1, 4..8));
/// # Ok(())
/// # }
/// ```
pub fn verify(buffers: &[Lifetime], mut options: PlaceOptions<'_>, offsets: &[u64], size: u64) -> Result<Vec<Fault>> {
    if offsets.len() != buffers.len() {
        let message =
            format!("there are {} offsets for {} buffers; there must be one each", offsets.len(), buffers.len());
        return Err(Error::new(Status::InvalidArgument, message));
    }
    let raw = options.raw();
    let mut faults = vec![sys::tolk_fault::default(); 16]; // most fit
    loop {
        let (room, mut count) = (faults.len(), 0);
        // SAFETY: buffers and offsets are equally long, faults has that room, and what raw points to lives until the end.
        let status = unsafe {
            let (items, offsets) = (buffers.as_ptr().cast(), offsets.as_ptr().cast());
            let to = faults.as_mut_ptr();
            sys::tolk_place_verify(items, buffers.len(), &raw, offsets, size as i64, to, room, &mut count)
        };
        if status != sys::TOLK_ERR_INVALID_PLAN {
            check(status)?;
        }
        faults.resize(count, sys::tolk_fault::default());
        if count <= room {
            return faults.iter().map(Fault::new).collect();
        }
    }
}
