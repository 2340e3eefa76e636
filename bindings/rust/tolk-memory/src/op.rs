//! Ops.

use std::fmt;
use std::num::NonZeroU64;

use tolk_memory_sys as sys;

use crate::enums::{Dtype, Kind};
use crate::error::{Error, Result, Status};

/// An op of a [`Graph`](crate::Graph): a number that knows its graph.
///
/// Ops of one graph are equal exactly if they are built alike, so that they serve as keys. An op is as cheap as a number, and
/// outlives its graph without harm: a graph refuses the ops of others, living or gone, with [`Status::InvalidOp`].
/// `Option<Op>` is no larger than `Op`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Op(NonZeroU64);

impl Op {
    /// The op of a number that [`Op::number`] gave; none for 0. A number that was made up is an op that graphs refuse.
    pub fn from_number(number: u64) -> Option<Op> {
        NonZeroU64::new(number).map(Op)
    }

    /// The number, which is C's `tolk_op`.
    pub fn number(self) -> u64 {
        self.0.get()
    }

    /// What a constructor gave.
    pub(crate) fn made(number: sys::tolk_op) -> Result<Op> {
        Op::from_number(number).ok_or_else(Error::last)
    }

    /// An op where the library always has one.
    pub(crate) fn given(number: sys::tolk_op) -> Op {
        Op::from_number(number).expect("the library gives an op here")
    }
}

impl fmt::Display for Op {
    /// Writes the op as messages do: `#` and its place in its graph.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number() as u32)
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `ops` as C takes them.
pub(crate) fn raw(ops: &[Op]) -> *const sys::tolk_op {
    ops.as_ptr().cast() // Op is a transparent wrapper
}

/// All that is known of an op but its name, devices and sources. What its kind does not have is 0 or `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpInfo {
    /// What it is.
    pub kind: Kind,
    /// Its element type: [`Dtype::WeakInt`] for scalars, [`Dtype::Void`] for what is no value.
    pub dtype: Dtype,
    /// Values: how many devices it is on; [`Graph::devices`](crate::Graph::devices) names them.
    pub device_count: u32,
    /// Values: elements.
    pub count: u64,
    /// Values: bytes of the elements.
    pub bytes: u64,
    /// How many sources it has; [`Graph::sources`](crate::Graph::sources) gives them.
    pub source_count: u64,
    /// Storage: what tells it from other storage that is alike.
    pub slot: u64,
    /// Storage: bytes by which the first element lies past a multiple of `align`.
    pub phase: u32,
    /// Storage: bytes.
    pub align: u32,
    /// Values: the storage or MSTACK that it is or, through any chain of views, ends at.
    pub base: Option<Op>,
    /// Bodies: the caller's own number.
    pub tag: u64,
    /// SHRINK: the first element, a scalar.
    pub start: Option<Op>,
    /// SHRINK: how many elements, a CONST.
    pub length: Option<Op>,
    /// RANGE: the count, a scalar.
    pub range_count: Option<Op>,
    /// RANGE: the caller's own number.
    pub axis: i64,
    /// RANGE: the caller's own number.
    pub axis_kind: u32,
    /// MSELECT: which device.
    pub shard: u32,
    /// Scalars: the least value; of a CONST its value.
    pub least: i64,
    /// Scalars: the greatest value; of a CONST its value.
    pub greatest: i64,
}

impl OpInfo {
    pub(crate) fn new(raw: &sys::tolk_op_info) -> Result<OpInfo> {
        let newer =
            |what| Error::new(Status::Internal, format!("the op's {} is newer than the crate tolk-memory", what));
        Ok(OpInfo {
            kind: Kind::from_raw(raw.kind).ok_or_else(|| newer("kind"))?,
            dtype: Dtype::from_raw(raw.dtype).ok_or_else(|| newer("element type"))?,
            device_count: raw.device_count,
            count: raw.count as u64,
            bytes: raw.bytes as u64,
            source_count: raw.source_count,
            slot: raw.slot as u64,
            phase: raw.phase,
            align: raw.align,
            base: Op::from_number(raw.base),
            tag: raw.tag,
            start: Op::from_number(raw.start),
            length: Op::from_number(raw.length),
            range_count: Op::from_number(raw.range_count),
            axis: raw.axis,
            axis_kind: raw.axis_kind,
            shard: raw.shard,
            least: raw.least,
            greatest: raw.greatest,
        })
    }
}
