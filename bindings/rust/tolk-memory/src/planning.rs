//! How to plan, and planning.

use std::ptr;

use tolk_memory_sys as sys;

use crate::enums::Copies;
use crate::error::{check, Result};
use crate::graph::Graph;
use crate::op::{raw, Op};
use crate::panics;
use crate::plan::{Handle, Plan};
use crate::search::{search_setters, Search};
use crate::storage::Names;

/// How to plan. What is not set is the rule: [`Placer::Tlsf`](crate::Placer::Tlsf), copies with the rest, no capacities.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{Graph, PlanOptions, Placer, Status};
///
/// let graph = Graph::new()?;
/// # let read = graph.read_schedule(r#"{"tolk_schedule": 1, "storage": [{"device": "CUDA:0", "dtype": "int8", "count": 4096}],
/// #     "entries": [{"call": {"body": "sink", "args": [0]}}]}"#)?;
/// # let schedule = read.schedule;
/// let mut best = 0;
/// let options = PlanOptions::new().placer(Placer::Best).capacity(&["CUDA:0"], 1 << 30).progress(|now| best = now.size);
/// let plan = graph.plan_with(schedule, &[], options)?;
///
/// let tight = PlanOptions::new().capacity(&["CUDA:0"], 256);
/// assert_eq!(graph.plan_with(schedule, &[], tight).unwrap_err().status(), Status::Infeasible);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct PlanOptions<'a> {
    search: Search<'a>,
    copies: Option<Copies>,
    no_memory_planner: Option<i64>,
    debug: Option<i64>,
    capacities: Vec<(Vec<String>, u64)>,
}

impl<'a> PlanOptions<'a> {
    /// The rule.
    pub fn new() -> Self {
        Self::default()
    }

    search_setters!("needs", "256");

    /// Where the buffers of copies go.
    pub fn copies(mut self, copies: Copies) -> Self {
        self.copies = Some(copies);
        self
    }

    /// Whether planning is switched off, instead of as [`Setting::NoMemoryPlanner`](crate::settings::Setting) says.
    pub fn no_memory_planner(mut self, off: bool) -> Self {
        self.no_memory_planner = Some(off.into());
        self
    }

    /// How much is printed, instead of as [`Setting::Debug`](crate::settings::Setting) says: from 1 the memory saved.
    pub fn debug(mut self, level: i64) -> Self {
        self.debug = Some(level);
        self
    }

    /// The most bytes, above 0, of each arena on a placement: the names of its devices, in order. An arena on several devices
    /// is on each of them beside the device's own. A placement that the schedule has no arena on is no error.
    pub fn capacity(mut self, devices: &[&str], bytes: u64) -> Self {
        self.capacities.push((devices.iter().map(|name| name.to_string()).collect(), bytes));
        self
    }

    fn capacities(&self) -> Result<Capacities> {
        let named = |(devices, bytes): &(Vec<String>, u64)| {
            let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
            Ok((Names::new(&devices)?, *bytes))
        };
        self.capacities.iter().map(named).collect::<Result<Vec<_>>>().map(Capacities::new)
    }

    /// The options as C takes them, for as long as self and capacities stay where they are.
    fn raw(&mut self, capacities: &Capacities) -> sys::tolk_plan_options {
        let mut raw = sys::tolk_plan_options::init();
        raw.copies = self.copies.map_or(0, Copies::raw);
        raw.placer = self.search.placer.raw();
        raw.granule = self.search.granule as i64;
        raw.effort = self.search.effort as i64;
        raw.time_limit_ms = self.search.time_limit_ms();
        raw.cancel = self.search.cancel();
        (raw.progress, raw.progress_user) = self.search.callback();
        raw.capacities = capacities.list.as_ptr();
        raw.capacity_count = capacities.list.len() as u64;
        if let Some(value) = self.no_memory_planner {
            raw.overrides |= sys::TOLK_OVERRIDE_NO_MEMORY_PLANNER;
            raw.no_memory_planner = value;
        }
        if let Some(value) = self.debug {
            raw.overrides |= sys::TOLK_OVERRIDE_DEBUG;
            raw.debug = value;
        }
        raw
    }
}

/// Capacities as C takes them, with the names that they point to.
struct Capacities {
    list: Vec<sys::tolk_capacity>,
    _names: Vec<Names>,
}

impl Capacities {
    fn new(capacities: Vec<(Names, u64)>) -> Capacities {
        let list = capacities.iter().map(|(names, bytes)| sys::tolk_capacity {
            devices: names.pointers().as_ptr(),
            device_count: names.pointers().len() as u64,
            bytes: *bytes as i64,
        });
        Capacities { list: list.collect(), _names: capacities.into_iter().map(|(names, _)| names).collect() }
    }
}

impl Graph {
    /// The plan of a schedule, a LINEAR of calls and loops run in order, by the rule.
    ///
    /// A buffer is planned unless it is held, which says that its contents outlive the schedule, or on a disk. It lives from the
    /// first entry that takes it to the last, a loop being one entry. Sharing bytes is right where entries run in order: an
    /// engine that overlaps them, on several streams or devices, orders those that share bytes. `held` may hold views, which
    /// stand for the storage under them. [`Plan::schedule`] is the schedule on arenas, built in this graph.
    ///
    /// The time is linear in the arguments.
    ///
    /// # Errors
    /// [`Status::WrongKind`](crate::Status::WrongKind) if `schedule` is no LINEAR, [`Status::InvalidOp`](crate::Status::InvalidOp),
    /// [`Status::Overflow`](crate::Status::Overflow) if the needs sum to more than 2^61 bytes,
    /// [`Status::Limit`](crate::Status::Limit) if its loops, written out, have more than 2^26 arguments.
    pub fn plan(&self, schedule: Op, held: &[Op]) -> Result<Plan> {
        self.plan_with(schedule, held, PlanOptions::new())
    }

    /// The same by options.
    ///
    /// # Errors
    /// Those of [`plan`](Graph::plan), [`Status::InvalidArgument`](crate::Status::InvalidArgument) for an option,
    /// [`Status::Infeasible`](crate::Status::Infeasible) for a capacity that cannot be met,
    /// [`Status::NotFound`](crate::Status::NotFound) for one that was not met within the effort.
    pub fn plan_with(&self, schedule: Op, held: &[Op], mut options: PlanOptions<'_>) -> Result<Plan> {
        let capacities = options.capacities()?;
        let options = options.raw(&capacities);
        let (planned, mut plan) = (ptr::null_mut(), Handle::none());
        // SAFETY: held is as long as told; what options points to lives until the end; planned may be NULL, and plan is a place.
        let status = unsafe {
            let (held, held_count) = (raw(held), held.len());
            sys::tolk_memory_plan_rewrite(
                self.handle(),
                schedule.number(),
                held,
                held_count,
                &options,
                planned,
                plan.place(),
            )
        };
        let result = check(status); // while its message is the thread's last
        panics::resume();
        result.and_then(|()| Plan::new(plan))
    }
}
