//! Graphs, and reading what is in them.

use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_char;
use std::ptr;

use tolk_memory_sys as sys;

use crate::error::{check, Error, Result, Status};
use crate::op::{Op, OpInfo};
use crate::text::Text;

/// A graph owns ops, which are hash-consed and immutable: building an op equal to one of the graph gives that one.
///
/// Several threads may build in a graph and plan in it at once, through shared references; graphs do not wait for each other.
/// Dropping a graph frees its ops, about 60 bytes each. [`Plan`](crate::Plan)s made in it stay readable.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{Dtype, Graph, Storage};
///
/// let graph = Graph::new()?;
/// let row = Storage::new(Dtype::Float32, 1024, "CUDA:0")?;
/// let (x, y) = (graph.param(&row)?, graph.buffer(&row)?);
/// let relu = graph.program("relu", 0, &[])?;
/// let call = graph.call(relu, &[y, x])?;
/// assert_eq!(call, graph.call(relu, &[y, x])?);
/// assert_eq!(graph.taken(call)?, [y, x]);
/// # Ok(())
/// # }
/// ```
pub struct Graph {
    handle: *mut sys::tolk_graph,
}

// SAFETY: the library lets any thread use a graph, and several at once; a handle is a number that it looks up.
unsafe impl Send for Graph {}
// SAFETY: the same.
unsafe impl Sync for Graph {}

impl Graph {
    /// A new empty graph.
    ///
    /// # Errors
    /// [`Status::Forked`] in a child made by `fork()`.
    pub fn new() -> Result<Graph> {
        let mut handle = ptr::null_mut();
        // SAFETY: handle is a place for the result.
        check(unsafe { sys::tolk_graph_create(&mut handle) })?;
        Ok(Graph { handle })
    }

    pub(crate) fn handle(&self) -> *mut sys::tolk_graph {
        self.handle
    }

    /// The number of ops in the graph.
    ///
    /// # Errors
    /// [`Status::Forked`].
    pub fn op_count(&self) -> Result<u64> {
        let mut count = 0;
        // SAFETY: count is a place for the result.
        check(unsafe { sys::tolk_graph_op_count(self.handle, &mut count) })?;
        Ok(count)
    }

    /// All that is known of an op but its strings and sources.
    ///
    /// # Errors
    /// [`Status::InvalidOp`].
    pub fn read(&self, op: Op) -> Result<OpInfo> {
        let mut info = sys::tolk_op_info::init();
        // SAFETY: info is a place for the result, and tells its size.
        check(unsafe { sys::tolk_op_read(self.handle, op.number(), &mut info) })?;
        OpInfo::new(&info)
    }

    /// Source `index` of an op.
    ///
    /// # Errors
    /// [`Status::InvalidOp`]; [`Status::InvalidArgument`] if the op has no so many sources.
    pub fn source(&self, op: Op, index: u64) -> Result<Op> {
        let mut source = sys::TOLK_NONE;
        // SAFETY: source is a place for the result.
        check(unsafe { sys::tolk_op_source(self.handle, op.number(), index, &mut source) })?;
        Ok(Op::given(source))
    }

    /// All sources of an op.
    ///
    /// # Errors
    /// [`Status::InvalidOp`].
    pub fn sources(&self, op: Op) -> Result<Vec<Op>> {
        // SAFETY: the arguments go on to C as op_list promises them.
        op_list(|to, capacity, count| unsafe { sys::tolk_op_sources(self.handle, op.number(), to, capacity, count) })
    }

    /// The storage (BUFFER, ALLOC, PARAM) that an entry of a schedule takes, each once in the order of its first use.
    ///
    /// An entry is a CALL, END or BACKEDGE; a loop takes a back edge's flag first, then what each call inside takes. An MSTACK
    /// takes all of its parts, under an MSELECT too, though that binds to one of them.
    ///
    /// # Errors
    /// [`Status::InvalidOp`]; [`Status::WrongKind`] if it is no entry.
    pub fn taken(&self, entry: Op) -> Result<Vec<Op>> {
        // SAFETY: the arguments go on to C as op_list promises them.
        op_list(|to, capacity, count| unsafe { sys::tolk_taken(self.handle, entry.number(), to, capacity, count) })
    }

    /// The names of the devices of a value, in order.
    ///
    /// # Errors
    /// [`Status::InvalidOp`].
    pub fn devices(&self, op: Op) -> Result<Vec<&str>> {
        let count = self.read(op)?.device_count;
        // SAFETY: name is a place for the result; the text is the graph's for as long as that lives.
        (0..count)
            .map(|i| self.text(|name| unsafe { sys::tolk_op_device(self.handle, op.number(), i, name) }))
            .collect()
    }

    /// The name of a VARIABLE or of the body of a call.
    ///
    /// # Errors
    /// [`Status::InvalidOp`]; [`Status::WrongKind`] for ops without a name.
    pub fn name(&self, op: Op) -> Result<&str> {
        // SAFETY: name is a place for the result; the text is the graph's for as long as that lives.
        self.text(|name| unsafe { sys::tolk_op_name(self.handle, op.number(), name) })
    }

    fn text(&self, get: impl FnOnce(*mut *const c_char) -> sys::tolk_status) -> Result<&str> {
        let mut text = ptr::null();
        check(get(&mut text))?;
        // SAFETY: a text that the graph gave ends in NUL and lives as long as the graph.
        let text = unsafe { CStr::from_ptr(text) };
        text.to_str().map_err(|_| Error::new(Status::Internal, format!("the text {:?} is not UTF-8", text)))
    }

    /// An op and all that it is built on, a line each, by the numbers that messages use.
    ///
    /// # Errors
    /// [`Status::InvalidOp`].
    pub fn print(&self, op: Op) -> Result<String> {
        // SAFETY: text and len are places for the result.
        Text::get(|text, len| unsafe { sys::tolk_op_print(self.handle, op.number(), text, len) })
    }

    /// Whether the graph's tables agree with each other. It costs about what building the graph did.
    ///
    /// # Errors
    /// [`Status::Internal`] if they do not.
    pub fn check(&self) -> Result<()> {
        // SAFETY: the handle is the graph's.
        check(unsafe { sys::tolk_graph_check(self.handle) })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: no reference to the graph is left. It fails only in a forked child, where nothing is to be done.
        unsafe { sys::tolk_graph_destroy(self.handle) };
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("op_count", &self.op_count()).finish()
    }
}

/// The list that `fill` writes to an array of a capacity, or whose count it tells where the array is too short.
fn op_list(fill: impl Fn(*mut sys::tolk_op, usize, *mut usize) -> sys::tolk_status) -> Result<Vec<Op>> {
    let mut list: Vec<Op> = Vec::with_capacity(16); // most fit
    loop {
        let mut count = 0;
        match fill(list.as_mut_ptr().cast(), list.capacity(), &mut count) {
            sys::TOLK_ERR_BUFFER_TOO_SMALL => list.reserve(count),
            status => {
                check(status)?;
                // SAFETY: that many were written, none of them TOLK_NONE.
                unsafe { list.set_len(count) };
                return Ok(list);
            }
        }
    }
}

/// The next number of the process-wide counter that slots come from.
///
/// # Errors
/// [`Status::Forked`] in a child made by `fork()`.
pub fn unique_num() -> Result<u64> {
    // SAFETY: takes nothing.
    let number = unsafe { sys::tolk_unique_num() };
    if number < 0 {
        return Err(Error::last());
    }
    Ok(number as u64)
}
