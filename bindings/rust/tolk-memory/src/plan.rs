//! Plans, and what is read from them.

use std::fmt;
use std::ptr;

use tolk_memory_sys as sys;

use crate::error::{check, Result};
use crate::op::Op;
use crate::records::{Arena, Bind, Placed};
use crate::text::array;

/// A plan's handle, destroyed with it.
pub(crate) struct Handle(*mut sys::tolk_plan);

impl Handle {
    pub(crate) fn none() -> Handle {
        Handle(ptr::null_mut())
    }

    /// Where C writes one.
    pub(crate) fn place(&mut self) -> *mut *mut sys::tolk_plan {
        &mut self.0
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: no reference to the plan's arrays is left, or it is NULL.
        unsafe { sys::tolk_plan_destroy(self.0) };
    }
}

/// Where planning has put each buffer, and what each argument binds to.
///
/// What its methods give lies in the plan and is borrowed from it: reading costs no call and no copy. Any number of threads may
/// read a plan at once. It stays readable when its graph is gone.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// # let graph = tolk_memory::Graph::new()?;
/// # let read = graph.read_schedule(r#"{"tolk_schedule": 1, "storage": [{"device": "CUDA:0", "dtype": "int8", "count": 4096}],
/// #     "entries": [{"call": {"body": "sink", "args": [0]}}]}"#)?;
/// # let schedule = read.schedule;
/// let plan = graph.plan(schedule, &[])?;
/// for arena in plan.arenas() {
///     println!("allocate {} bytes on {}", arena.size(), arena.devices().collect::<Vec<_>>().join(", "));
/// }
/// for (e, binds) in plan.entries().enumerate() {
///     for bind in binds {
///         println!("entry {} argument {:?}: arena {:?}, byte {}", e, bind.argument(), bind.arena(), bind.offset());
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// What is read cannot outlive the plan:
///
/// ```compile_fail,E0505
/// # fn main() -> Result<(), tolk_memory::Error> {
/// # let graph = tolk_memory::Graph::new()?;
/// # let schedule = graph.linear(&[])?;
/// let plan = graph.plan(schedule, &[])?;
/// let binds = plan.binds();
/// drop(plan);
/// println!("{}", binds.len());
/// # Ok(())
/// # }
/// ```
pub struct Plan {
    handle: Handle,
    arenas: (*const sys::tolk_arena, usize),
    places: (*const sys::tolk_placed, usize),
    binds: (*const sys::tolk_bind, usize),
    begins: (*const u64, usize),
    totals: Totals,
    schedule: Op,
}

// SAFETY: nothing changes a plan's arrays, and the library lets any thread use its handle.
unsafe impl Send for Plan {}
// SAFETY: the same.
unsafe impl Sync for Plan {}

/// Bytes of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The sum of the blocks of all planned buffers.
    pub before: u64,
    /// The sum of the arenas.
    pub after: u64,
    /// The sum of the arenas' lower bounds.
    pub lower_bound: u64,
    /// Whether every arena is proven to be as small as can be.
    pub optimal: bool,
}

/// What one of the readers of a plan gives.
fn read<T>(plan: &Handle, reader: Reader<T>) -> Result<(*const T, usize)> {
    let (mut items, mut count) = (ptr::null(), 0);
    // SAFETY: both are places for the result.
    check(unsafe { reader(plan.0, &mut items, &mut count) })?;
    Ok((items, count))
}

type Reader<T> = unsafe extern "C" fn(*const sys::tolk_plan, *mut *const T, *mut usize) -> sys::tolk_status;

impl Plan {
    /// The plan of a handle, read once.
    pub(crate) fn new(handle: Handle) -> Result<Plan> {
        let (mut totals, mut schedule) = (sys::tolk_totals::init(), sys::TOLK_NONE);
        // SAFETY: totals is a place for the result, and tells its size.
        check(unsafe { sys::tolk_plan_totals(handle.0, &mut totals) })?;
        // SAFETY: schedule is a place for the result.
        check(unsafe { sys::tolk_plan_schedule(handle.0, &mut schedule) })?;
        Ok(Plan {
            arenas: read(&handle, sys::tolk_plan_arenas)?,
            places: read(&handle, sys::tolk_plan_places)?,
            binds: read(&handle, sys::tolk_plan_binds)?,
            begins: read(&handle, sys::tolk_plan_entries)?,
            totals: Totals {
                before: totals.before as u64,
                after: totals.after as u64,
                lower_bound: totals.lower_bound as u64,
                optimal: totals.optimal != 0,
            },
            schedule: Op::given(schedule),
            handle,
        })
    }

    pub(crate) fn handle(&self) -> *const sys::tolk_plan {
        self.handle.0
    }

    /// The rewritten schedule, an op of the graph: the same entries in the same order, and in place of each planned buffer,
    /// wherever the schedule reaches it outside the bodies of calls, the bytes of its arena. It is the schedule itself if
    /// planning is switched off or nothing is planned.
    pub fn schedule(&self) -> Op {
        self.schedule
    }

    /// The bytes before and after.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The arenas, in order of the first buffer placed in each.
    pub fn arenas(&self) -> &[Arena] {
        // SAFETY: the arrays are the plan's for as long as it lives; Arena is a transparent wrapper.
        unsafe { array(self.arenas.0.cast(), self.arenas.1) }
    }

    /// The planned buffers, in order of first use.
    pub fn places(&self) -> &[Placed] {
        // SAFETY: as in arenas.
        unsafe { array(self.places.0.cast(), self.places.1) }
    }

    /// What every argument that is a value binds to: in order of entry, of call in the entry (a back edge's flag before the
    /// calls inside), of argument, of shard. Scalars bind to nothing.
    pub fn binds(&self) -> &[Bind] {
        // SAFETY: as in arenas.
        unsafe { array(self.binds.0.cast(), self.binds.1) }
    }

    fn begins(&self) -> &[u64] {
        // SAFETY: as in arenas.
        unsafe { array(self.begins.0, self.begins.1) }
    }

    /// The number of entries of the schedule.
    pub fn entry_count(&self) -> usize {
        self.begins.1.saturating_sub(1)
    }

    /// The binds of an entry.
    ///
    /// # Panics
    /// If `entry` is not below [`entry_count`](Plan::entry_count).
    pub fn entry(&self, entry: usize) -> &[Bind] {
        &self.binds()[self.begins()[entry] as usize..self.begins()[entry + 1] as usize]
    }

    /// The binds of each entry, in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &[Bind]> + DoubleEndedIterator + '_ {
        (0..self.entry_count()).map(move |entry| self.entry(entry))
    }

    /// Whether the places are right, by a checker that shares no code with the placers.
    ///
    /// # Errors
    /// [`Status::InvalidPlan`](crate::Status::InvalidPlan), the message naming the first fault.
    pub fn verify(&self) -> Result<()> {
        // SAFETY: the handle is the plan's.
        check(unsafe { sys::tolk_plan_verify(self.handle.0) })
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("entries", &self.entry_count())
            .field("arenas", &self.arenas())
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}
