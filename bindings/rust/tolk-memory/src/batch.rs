//! Many ops in one call.

use std::fmt;
use std::os::raw::c_char;
use std::ptr;
use std::sync::Arc;

use tolk_memory_sys as sys;

use crate::enums::{Dtype, Kind};
use crate::error::{c_string, check, Error, Result};
use crate::graph::Graph;
use crate::op::Op;
use crate::storage::{Names, Storage};

/// An op that a [`Batch`] describes, or, made by `from`, one that the graph has: what ops of a batch are built on.
///
/// One of another batch is taken for what stands at its place in this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Source(sys::tolk_op);

impl From<Op> for Source {
    /// The op, which the graph that builds the batch must have.
    fn from(op: Op) -> Source {
        Source(op.number())
    }
}

/// Descriptions of many ops, which [`Graph::build`] builds in one call: faster by far than one call an op.
///
/// Its methods are those of [`Graph`], but that what they give and take are [`Source`]s, and that they cannot fail: building
/// tells what is wrong. A batch takes about 100 bytes an op.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{Batch, Dtype, Graph, Storage};
///
/// let graph = Graph::new()?;
/// let row = Storage::new(Dtype::Float32, 1024, "CUDA:0")?;
/// let mut batch = Batch::new();
/// let relu = batch.program("relu", 0, &[]);
/// let mut last = graph.param(&row)?.into();
/// let calls: Vec<_> = (0..1000)
///     .map(|_| {
///         let next = batch.buffer(&row);
///         let call = batch.call(relu, &[next, last]);
///         last = next;
///         call
///     })
///     .collect();
/// let schedule = batch.linear(&calls);
/// let built = graph.build(batch)?;
/// let plan = graph.plan(built.op(schedule), &[built.op(last)])?;
/// assert_eq!(plan.totals().after, 2 * 4096);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Batch {
    descs: Vec<sys::tolk_op_desc>, // their pointers are places in the lists below until resolve
    sources: Vec<Source>,
    storage: Vec<sys::tolk_storage>,
    strings: Vec<u8>,
    names: Vec<Arc<Names>>, // of the storage's devices
    error: Option<Error>,   // the first
}

// SAFETY: the pointers of descs lead nowhere, those of storage into names, which is both.
unsafe impl Send for Batch {}
// SAFETY: the same.
unsafe impl Sync for Batch {}

/// The place of an item of a list as a pointer, until the list has its final address. NULL stays nothing.
fn place<T>(index: usize) -> *const T {
    ptr::null::<u8>().wrapping_add(index + 1).cast()
}

/// The address of the item whose place it is.
fn resolve<T>(list: *const T, place: *const T) -> *const T {
    match place as usize {
        0 => place,
        index => list.wrapping_add(index - 1),
    }
}

impl Batch {
    /// An empty batch.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// An empty batch with room for `ops` ops that have as many sources altogether as `sources`.
    pub fn with_capacity(ops: usize, sources: usize) -> Batch {
        Batch { descs: Vec::with_capacity(ops), sources: Vec::with_capacity(sources), ..Batch::default() }
    }

    /// How many ops it describes.
    pub fn len(&self) -> usize {
        self.descs.len()
    }

    /// Whether it describes none.
    pub fn is_empty(&self) -> bool {
        self.descs.is_empty()
    }

    fn push(&mut self, kind: Kind, lists: &[&[Source]], set: impl FnOnce(&mut sys::tolk_op_desc)) -> Source {
        let mut desc = sys::tolk_op_desc::init();
        desc.kind = kind.raw();
        desc.sources = place(self.sources.len());
        for list in lists {
            self.sources.extend_from_slice(list);
            desc.source_count += list.len() as u64;
        }
        set(&mut desc);
        self.descs.push(desc);
        Source(sys::TOLK_REF(self.descs.len() as u64 - 1))
    }

    fn push_storage(&mut self, kind: Kind, storage: &Storage) -> Source {
        let at = place(self.storage.len());
        self.storage.push(*storage.raw());
        if !self.names.last().map_or(false, |last| Arc::ptr_eq(last, storage.names())) {
            self.names.push(storage.names().clone());
        }
        self.push(kind, &[], |desc| desc.storage = at)
    }

    /// The place of a copy of a name; none for "", which NULL is too.
    fn string(&mut self, text: &str) -> *const c_char {
        if text.is_empty() {
            return ptr::null();
        }
        if text.contains('\0') {
            self.error = self.error.take().or_else(|| c_string("the name", text).err());
        }
        let at = self.strings.len();
        self.strings.extend_from_slice(text.as_bytes());
        self.strings.push(0);
        place(at)
    }

    fn push_body(&mut self, kind: Kind, name: &str, tag: u64, sources: &[Source]) -> Source {
        let name = self.string(name);
        self.push(kind, &[sources], |desc| {
            desc.name = name;
            desc.tag = tag;
        })
    }

    /// Describes [`Graph::buffer`].
    pub fn buffer(&mut self, storage: &Storage) -> Source {
        self.push_storage(Kind::Buffer, storage)
    }

    /// Describes [`Graph::alloc`].
    pub fn alloc(&mut self, storage: &Storage) -> Source {
        self.push_storage(Kind::Alloc, storage)
    }

    /// Describes [`Graph::param`].
    pub fn param(&mut self, storage: &Storage) -> Source {
        self.push_storage(Kind::Param, storage)
    }

    /// Describes [`Graph::variable`].
    pub fn variable(&mut self, name: &str, least: i64, greatest: i64) -> Source {
        let name = self.string(name);
        self.push(Kind::Variable, &[], |desc| {
            desc.name = name;
            desc.value = least;
            desc.limit = greatest;
        })
    }

    /// Describes [`Graph::constant`].
    pub fn constant(&mut self, value: i64) -> Source {
        self.push(Kind::Const, &[], |desc| desc.value = value)
    }

    /// Describes [`Graph::range`].
    pub fn range(&mut self, count: Source, axis: i64, axis_kind: u32) -> Source {
        self.push(Kind::Range, &[&[count]], |desc| {
            desc.value = axis;
            desc.axis_kind = axis_kind;
        })
    }

    /// Describes [`Graph::add`].
    pub fn add(&mut self, x: Source, y: Source) -> Source {
        self.push(Kind::Add, &[&[x, y]], |_| {})
    }

    /// Describes [`Graph::mul`].
    pub fn mul(&mut self, x: Source, y: Source) -> Source {
        self.push(Kind::Mul, &[&[x, y]], |_| {})
    }

    /// Describes [`Graph::shrink`].
    pub fn shrink(&mut self, value: Source, start: u64, length: u64) -> Source {
        self.push(Kind::Shrink, &[&[value]], |desc| {
            desc.value = start as i64;
            desc.limit = length as i64;
        })
    }

    /// Describes [`Graph::shrink_at`].
    pub fn shrink_at(&mut self, value: Source, start: Source, length: u64) -> Source {
        self.push(Kind::Shrink, &[&[value, start]], |desc| desc.limit = length as i64)
    }

    /// Describes [`Graph::bitcast`].
    pub fn bitcast(&mut self, value: Source, dtype: Dtype) -> Source {
        self.push(Kind::Bitcast, &[&[value]], |desc| desc.dtype = dtype.raw())
    }

    /// Describes [`Graph::after`].
    pub fn after(&mut self, value: Source, effects: &[Source]) -> Source {
        self.push(Kind::After, &[&[value], effects], |_| {})
    }

    /// Describes [`Graph::mselect`].
    pub fn mselect(&mut self, value: Source, shard: u32) -> Source {
        self.push(Kind::Mselect, &[&[value]], |desc| desc.value = shard.into())
    }

    /// Describes [`Graph::mstack`].
    pub fn mstack(&mut self, parts: &[Source]) -> Source {
        self.push(Kind::Mstack, &[parts], |_| {})
    }

    /// Describes [`Graph::sink`].
    pub fn sink(&mut self, name: &str, tag: u64, sources: &[Source]) -> Source {
        self.push_body(Kind::Sink, name, tag, sources)
    }

    /// Describes [`Graph::store`].
    pub fn store(&mut self, name: &str, tag: u64, sources: &[Source]) -> Source {
        self.push_body(Kind::Store, name, tag, sources)
    }

    /// Describes [`Graph::program`].
    pub fn program(&mut self, name: &str, tag: u64, sources: &[Source]) -> Source {
        self.push_body(Kind::Program, name, tag, sources)
    }

    /// Describes [`Graph::custom_function`].
    pub fn custom_function(&mut self, name: &str, tag: u64, sources: &[Source]) -> Source {
        self.push_body(Kind::CustomFunction, name, tag, sources)
    }

    /// Describes [`Graph::call`].
    pub fn call(&mut self, body: Source, arguments: &[Source]) -> Source {
        self.push(Kind::Call, &[&[body], arguments], |_| {})
    }

    /// Describes [`Graph::linear`].
    pub fn linear(&mut self, entries: &[Source]) -> Source {
        self.push(Kind::Linear, &[entries], |_| {})
    }

    /// Describes [`Graph::end`].
    pub fn end(&mut self, body: Source, ranges: &[Source]) -> Source {
        self.push(Kind::End, &[&[body], ranges], |_| {})
    }

    /// Describes [`Graph::backedge`].
    pub fn backedge(&mut self, body: Source, range: Source, flag: Source) -> Source {
        self.push(Kind::Backedge, &[&[body, range, flag]], |_| {})
    }

    /// Makes addresses of the places in the descriptions.
    fn resolve(&mut self) {
        let (sources, storage, strings) =
            (self.sources.as_ptr().cast(), self.storage.as_ptr(), self.strings.as_ptr().cast());
        for desc in &mut self.descs {
            desc.sources = resolve(sources, desc.sources);
            desc.storage = resolve(storage, desc.storage);
            desc.name = resolve(strings, desc.name);
        }
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("len", &self.len()).field("error", &self.error).finish_non_exhaustive()
    }
}

/// The ops of a batch that was built.
#[derive(Clone, Debug)]
pub struct Built {
    ops: Vec<Op>,
}

impl Built {
    /// The op that a source of the batch has become; of an op of the graph that op.
    ///
    /// # Panics
    /// If the source is of another batch, a longer one.
    pub fn op(&self, source: Source) -> Op {
        if source.0 < sys::TOLK_REF(0) {
            return Op::given(source.0);
        }
        self.ops[(source.0 - sys::TOLK_REF(0)) as usize]
    }

    /// The ops, in the order in which the batch described them.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }
}

impl Graph {
    /// The ops of a batch, built in one call: all of them, or none.
    ///
    /// # Errors
    /// As of the constructors; the message names the description's index, from 0.
    pub fn build(&self, mut batch: Batch) -> Result<Built> {
        if let Some(error) = batch.error {
            return Err(error);
        }
        batch.resolve();
        let count = batch.descs.len();
        let mut ops: Vec<Op> = Vec::with_capacity(count);
        // SAFETY: descs leads into lists of batch, which lives on; ops has room for all.
        check(unsafe { sys::tolk_build(self.handle(), batch.descs.as_ptr(), count, ops.as_mut_ptr().cast()) })?;
        // SAFETY: all were written, none of them TOLK_NONE.
        unsafe { ops.set_len(count) };
        Ok(Built { ops })
    }
}
