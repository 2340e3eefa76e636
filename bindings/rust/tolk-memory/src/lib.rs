//! Plans the memory of machine-learning schedules.
//!
//! A schedule is an ordered list of calls (kernels, copies, loops around them) over buffers. Most buffers are needed by a few
//! calls only. Planning places buffers whose lifetimes do not overlap at shared bytes of one large buffer a placement, the
//! arena, and rewrites the schedule to views of the arenas. It never touches device memory: it deals in sizes and offsets.
//!
//! ```
//! use tolk_memory::{Dtype, Graph, Storage};
//!
//! fn main() -> Result<(), tolk_memory::Error> {
//!     let graph = Graph::new()?;
//!     let row = Storage::new(Dtype::Float32, 1024, "CUDA:0")?;
//!     let x = graph.param(&row)?;
//!     let (a, b, c, y) = (graph.buffer(&row)?, graph.buffer(&row)?, graph.buffer(&row)?, graph.buffer(&row)?);
//!     let relu = graph.program("relu", 0, &[])?;
//!     let calls = [graph.call(relu, &[a, x])?, graph.call(relu, &[b, a])?, graph.call(relu, &[c, b])?, graph.call(relu, &[y, c])?];
//!     let schedule = graph.linear(&calls)?;
//!
//!     let plan = graph.plan(schedule, &[y])?; // y outlives the schedule: it is held
//!     for bind in plan.binds() {
//!         match bind.arena() {
//!             Some(arena) => println!("entry {}: arena {}, byte {}", bind.entry(), arena, bind.offset()),
//!             None => println!("entry {}: {} has storage of its own", bind.entry(), bind.storage()),
//!         }
//!     }
//!     assert_eq!(plan.totals().after, 2 * 4096);
//!     Ok(())
//! }
//! ```
//!
//! # What to know
//! * [`Graph`], [`Plan`], [`Cancel`] and [`Tlsf`] free what they own when dropped. What a plan lists is borrowed from it.
//! * [`Graph`], [`Plan`], [`Cancel`], [`Storage`] and [`Batch`] are `Send` and `Sync`: several threads may build and plan in one
//!   graph at once. An allocator is `Send`, and needs `&mut`.
//! * [`Op`]s are plain numbers. An op of another graph, living or gone, is an [`Error`], never a crash.
//! * Sizes and counts are `u64`, and the library's limit is 2^63 - 1: greater ones are errors, whose messages show them as the
//!   negative numbers that they are in two's complement, as after an underflow.
//! * In a child made by `fork()` every call that can fail gives [`Status::Forked`]; plans may still be read.
//! * Results depend on the inputs and options only, unless a time limit or a [`Cancel`] is given.
//! * The library carries a Go runtime; `docs/reliability.md` of the library tells what that means.
//!
//! How the library is found and linked is told by the crate `tolk-memory-sys`.
#![warn(missing_docs, missing_debug_implementations, rust_2018_idioms)]
#![warn(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod batch;
mod construct;
mod enums;
mod error;
mod graph;
mod op;
mod panics;
mod place;
mod plan;
mod planning;
mod records;
mod search;
pub mod settings;
mod storage;
mod text;
mod tlsf;

use std::ffi::CStr;

use tolk_memory_sys as sys;

pub use batch::{Batch, Built, Source};
pub use enums::{Copies, Dtype, Kind, Placer, Proof, Stop};
pub use error::{Error, Result, Status};
pub use graph::{unique_num, Graph};
pub use op::{Op, OpInfo};
pub use place::{place, verify, Fault, FaultKind, Lifetime, PlaceOptions, Placement};
pub use plan::{Plan, Totals};
pub use planning::PlanOptions;
pub use records::{Arena, Bind, Placed};
pub use search::{Cancel, Progress};
pub use storage::Storage;
pub use text::{plan_text, Schedule};
pub use tlsf::Tlsf;

/// The version of the loaded library, such as `0.1.0`.
pub fn version() -> &'static str {
    // SAFETY: takes nothing, and gives a static text.
    unsafe { CStr::from_ptr(sys::tolk_version_string()) }.to_str().unwrap_or_default()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
mod misuse;
