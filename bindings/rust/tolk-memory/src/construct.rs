//! Constructors of ops, one call of C each.

use tolk_memory_sys as sys;

use crate::enums::Dtype;
use crate::error::{c_string, Result};
use crate::graph::Graph;
use crate::op::{raw, Op};
use crate::storage::Storage;

type BodyConstructor = unsafe extern "C" fn(
    *mut sys::tolk_graph,
    *const std::os::raw::c_char,
    u64,
    *const sys::tolk_op,
    usize,
) -> sys::tolk_op;

/// Constructors. Each costs about a call into Go and a hash look-up; [`Batch`](crate::Batch) pays the first once for many.
///
/// Each fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) for a value out of range,
/// [`Status::WrongKind`](crate::Status::WrongKind) for a source of a wrong kind, [`Status::InvalidOp`](crate::Status::InvalidOp)
/// for one of another graph, [`Status::Overflow`](crate::Status::Overflow) for a size past 63 bits and
/// [`Status::Limit`](crate::Status::Limit) where the graph is full.
impl Graph {
    /// Storage that the schedule allocates: what planning places. Before its first use and after its last a planned buffer
    /// holds anything: what comes in from outside is a [`param`](Graph::param), or held.
    pub fn buffer(&self, storage: &Storage) -> Result<Op> {
        // SAFETY: storage's pointers are good for as long as it lives.
        Op::made(unsafe { sys::tolk_buffer(self.handle(), storage.raw()) })
    }

    /// Call-local storage; never planned.
    pub fn alloc(&self, storage: &Storage) -> Result<Op> {
        // SAFETY: as in buffer.
        Op::made(unsafe { sys::tolk_alloc(self.handle(), storage.raw()) })
    }

    /// Storage that whoever runs the schedule binds; never planned.
    pub fn param(&self, storage: &Storage) -> Result<Op> {
        // SAFETY: as in buffer.
        Op::made(unsafe { sys::tolk_param(self.handle(), storage.raw()) })
    }

    /// A scalar in `[least, greatest]` that is known when the schedule runs; `name` is not empty.
    pub fn variable(&self, name: &str, least: i64, greatest: i64) -> Result<Op> {
        let name = c_string("the name", name)?;
        // SAFETY: name ends in NUL and is copied.
        Op::made(unsafe { sys::tolk_variable(self.handle(), name.as_ptr(), least, greatest) })
    }

    /// The scalar `value`.
    pub fn constant(&self, value: i64) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_const(self.handle(), value) })
    }

    /// A loop's variable in `[0, count)`, `count` being a scalar that is never negative. What `axis` and `axis_kind` mean is
    /// the caller's; ranges alike in all three are one op, so that nested loops want different axes.
    pub fn range(&self, count: Op, axis: i64, axis_kind: u32) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_range(self.handle(), count.number(), axis, axis_kind) })
    }

    /// `x + y`, which must fit in 64 bits for all values that they may have.
    pub fn add(&self, x: Op, y: Op) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_add(self.handle(), x.number(), y.number()) })
    }

    /// `x * y`, which must fit in 64 bits for all values that they may have.
    pub fn mul(&self, x: Op, y: Op) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_mul(self.handle(), x.number(), y.number()) })
    }

    /// Elements `[start, start + length)` of a value; the value itself if that is all of it.
    pub fn shrink(&self, value: Op, start: u64, length: u64) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_shrink(self.handle(), value.number(), start as i64, length as i64) })
    }

    /// The same with a start that is a scalar, of which every value must fit.
    pub fn shrink_at(&self, value: Op, start: Op, length: u64) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_shrink_at(self.handle(), value.number(), start.number(), length as i64) })
    }

    /// The bytes of a value at another type, whose size must divide them; the value itself if the type is the same.
    pub fn bitcast(&self, value: Op, dtype: Dtype) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_bitcast(self.handle(), value.number(), dtype.raw()) })
    }

    /// A value, ordered after the effects, which may be any ops; the value itself if there are none.
    pub fn after(&self, value: Op, effects: &[Op]) -> Result<Op> {
        // SAFETY: effects is as long as told.
        Op::made(unsafe { sys::tolk_after(self.handle(), value.number(), raw(effects), effects.len()) })
    }

    /// The part of a value on several devices that is on the device at index `shard`.
    pub fn mselect(&self, value: Op, shard: u32) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_mselect(self.handle(), value.number(), shard) })
    }

    /// One value on several devices, of parts on one device each, alike in type and count.
    pub fn mstack(&self, parts: &[Op]) -> Result<Op> {
        // SAFETY: parts is as long as told.
        Op::made(unsafe { sys::tolk_mstack(self.handle(), raw(parts), parts.len()) })
    }

    /// The body of a call, opaque to planning: a name, a number of the caller's own, and any ops.
    pub fn sink(&self, name: &str, tag: u64, sources: &[Op]) -> Result<Op> {
        self.body(sys::tolk_sink, name, tag, sources)
    }

    /// The same as [`sink`](Graph::sink); a call of it is a copy.
    pub fn store(&self, name: &str, tag: u64, sources: &[Op]) -> Result<Op> {
        self.body(sys::tolk_store, name, tag, sources)
    }

    /// The same as [`sink`](Graph::sink).
    pub fn program(&self, name: &str, tag: u64, sources: &[Op]) -> Result<Op> {
        self.body(sys::tolk_program, name, tag, sources)
    }

    /// The same as [`sink`](Graph::sink).
    pub fn custom_function(&self, name: &str, tag: u64, sources: &[Op]) -> Result<Op> {
        self.body(sys::tolk_custom_function, name, tag, sources)
    }

    fn body(&self, constructor: BodyConstructor, name: &str, tag: u64, sources: &[Op]) -> Result<Op> {
        let name = c_string("the name", name)?;
        // SAFETY: name ends in NUL and is copied; sources is as long as told.
        Op::made(unsafe { constructor(self.handle(), name.as_ptr(), tag, raw(sources), sources.len()) })
    }

    /// One piece of work: a body (one of the four above, or a LINEAR) on arguments, which are values or scalars. Planning does
    /// not rewrite bodies: let a LINEAR body name PARAMs, not buffers of the schedule.
    pub fn call(&self, body: Op, arguments: &[Op]) -> Result<Op> {
        // SAFETY: arguments is as long as told.
        Op::made(unsafe { sys::tolk_call(self.handle(), body.number(), raw(arguments), arguments.len()) })
    }

    /// A schedule, or what a loop repeats: entries in order, each a CALL, END or BACKEDGE. There may be none.
    pub fn linear(&self, entries: &[Op]) -> Result<Op> {
        // SAFETY: entries is as long as told.
        Op::made(unsafe { sys::tolk_linear(self.handle(), raw(entries), entries.len()) })
    }

    /// `body`, a CALL or a LINEAR, once per value of the ranges; `body` itself if there are none.
    pub fn end(&self, body: Op, ranges: &[Op]) -> Result<Op> {
        // SAFETY: ranges is as long as told.
        Op::made(unsafe { sys::tolk_end(self.handle(), body.number(), raw(ranges), ranges.len()) })
    }

    /// `body`, a CALL or a LINEAR, for as long as `flag`, a value of one bool, holds before a trip of `range`, a RANGE.
    pub fn backedge(&self, body: Op, range: Op, flag: Op) -> Result<Op> {
        // SAFETY: the handle is the graph's.
        Op::made(unsafe { sys::tolk_backedge(self.handle(), body.number(), range.number(), flag.number()) })
    }
}
