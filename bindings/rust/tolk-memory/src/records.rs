//! The records of a plan's arrays: C's, under methods.

use std::ffi::CStr;
use std::fmt;
use std::ops::Range;

use tolk_memory_sys as sys;

use crate::enums::{Proof, Stop};
use crate::op::Op;
use crate::text::array;

/// One arena: what an engine allocates.
#[repr(transparent)]
pub struct Arena(sys::tolk_arena); // never copied out of its plan, whose arrays it points to

// SAFETY: nothing changes what it points to.
unsafe impl Send for Arena {}
// SAFETY: the same.
unsafe impl Sync for Arena {}

impl Arena {
    /// The new BUFFER, of int8, in the rewritten schedule.
    pub fn op(&self) -> Op {
        Op::given(self.0.op)
    }

    /// The names of its devices, one or several.
    pub fn devices(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        // SAFETY: the plan, which self is borrowed from, owns the array.
        let names = unsafe { array(self.0.devices, self.0.device_count as usize) };
        // SAFETY: and its texts, which end in NUL.
        names.iter().map(|name| unsafe { CStr::from_ptr(*name) }.to_str().unwrap_or("a name that is not UTF-8"))
    }

    /// Bytes: what to allocate on each of its devices, aligned to the greater of 256 and the granule.
    pub fn size(&self) -> u64 {
        self.0.size as u64
    }

    /// The greatest load: bytes of blocks live at one entry.
    pub fn lower_bound(&self) -> u64 {
        self.0.lower_bound as u64
    }

    /// No plan has fewer bytes; at least [`lower_bound`](Arena::lower_bound).
    pub fn proven_bound(&self) -> u64 {
        self.0.proven_bound as u64
    }

    /// The first entry of the greatest load.
    pub fn peak_entry(&self) -> u64 {
        self.0.peak_entry
    }

    /// The buffers that live there, largest block first: indices into [`Plan::places`](crate::Plan::places).
    pub fn live(&self) -> &[u64] {
        // SAFETY: the plan, which self is borrowed from, owns the array.
        unsafe { array(self.0.live, self.0.live_count as usize) }
    }

    /// Steps of work that the placer has spent.
    pub fn spent(&self) -> u64 {
        self.0.spent as u64
    }

    /// Why it is known to be as small as can be.
    pub fn proof(&self) -> Proof {
        Proof::from_raw(self.0.proof).unwrap_or(Proof::None)
    }

    /// Why the placer stopped.
    pub fn stopped(&self) -> Stop {
        Stop::from_raw(self.0.stopped).unwrap_or(Stop::Effort)
    }

    /// Whether it holds the buffers of copies, kept apart.
    pub fn is_of_copies(&self) -> bool {
        self.0.copies != 0
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena")
            .field("op", &self.op())
            .field("devices", &self.devices().collect::<Vec<_>>())
            .field("size", &self.size())
            .field("lower_bound", &self.lower_bound())
            .finish_non_exhaustive()
    }
}

/// Where a buffer was placed, and when it lives.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Placed(sys::tolk_placed);

impl Placed {
    /// The planned BUFFER.
    pub fn buffer(&self) -> Op {
        Op::given(self.0.buffer)
    }

    /// The index of its arena in [`Plan::arenas`](crate::Plan::arenas).
    pub fn arena(&self) -> usize {
        self.0.arena as usize
    }

    /// The bytes of its block in the arena.
    pub fn block(&self) -> Range<u64> {
        self.0.place as u64..(self.0.place + self.0.need) as u64
    }

    /// The bytes of its elements in the arena: from the block's start they lie the buffer's phase away.
    pub fn bytes(&self) -> Range<u64> {
        self.0.start as u64..(self.0.start + self.0.bytes) as u64
    }

    /// The entries that it lives at, from the first that takes it; from the end of the range on its bytes are free.
    pub fn lifetime(&self) -> Range<u64> {
        self.0.first..self.0.end
    }
}

impl fmt::Debug for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Placed")
            .field("buffer", &self.buffer())
            .field("arena", &self.arena())
            .field("block", &self.block())
            .field("bytes", &self.bytes())
            .field("lifetime", &self.lifetime())
            .finish()
    }
}

/// What one argument of the rewritten schedule binds to.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Bind(sys::tolk_bind);

impl Bind {
    /// Which entry of the schedule.
    pub fn entry(&self) -> u64 {
        self.0.entry
    }

    /// The CALL, in the entry or in loops of it; or the BACKEDGE whose flag it is.
    pub fn call(&self) -> Op {
        Op::given(self.0.call)
    }

    /// The argument's index, scalars counted too; none for the flag of a back edge.
    pub fn argument(&self) -> Option<u32> {
        unless(self.0.argument, sys::TOLK_FLAG)
    }

    /// Which part of an MSTACK; 0 otherwise.
    pub fn shard(&self) -> u32 {
        self.0.shard
    }

    /// The argument: storage or a view.
    pub fn value(&self) -> Op {
        Op::given(self.0.value)
    }

    /// The arena's op, or the BUFFER, ALLOC or PARAM.
    pub fn storage(&self) -> Op {
        Op::given(self.0.storage)
    }

    /// The arena's index in [`Plan::arenas`](crate::Plan::arenas); none for storage of its own.
    pub fn arena(&self) -> Option<usize> {
        unless(self.0.arena, sys::TOLK_NO_ARENA).map(|index| index as usize)
    }

    /// Bytes from the storage's first element. Starts that are [symbolic](Bind::is_symbolic) count as 0.
    pub fn offset(&self) -> u64 {
        self.0.offset as u64
    }

    /// Bytes of the argument.
    pub fn bytes(&self) -> u64 {
        self.0.bytes as u64
    }

    /// Which device of the storage, an index; none where it is on several and none is picked.
    pub fn device(&self) -> Option<u32> {
        unless(self.0.device, sys::TOLK_ALL_DEVICES)
    }

    /// Whether a start is known only when the schedule runs. For each SHRINK on the way from value to storage whose start has
    /// a least that differs from its greatest ([`Graph::read`](crate::Graph::read)), add the start times the element size to
    /// the offset. Through an MSTACK the way goes by source [`shard`](Bind::shard), but that an MSELECT over it picks its own.
    pub fn is_symbolic(&self) -> bool {
        self.0.symbolic != 0
    }
}

impl fmt::Debug for Bind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bind")
            .field("entry", &self.entry())
            .field("call", &self.call())
            .field("argument", &self.argument())
            .field("storage", &self.storage())
            .field("arena", &self.arena())
            .field("offset", &self.offset())
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

/// `number`, but none if it is the one that stands for that.
fn unless(number: u32, none: u32) -> Option<u32> {
    Some(number).filter(|&n| n != none)
}
