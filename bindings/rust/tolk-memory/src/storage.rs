//! What storage is described by.

use std::ffi::CString;
use std::fmt;
use std::os::raw::c_char;
use std::sync::Arc;

use tolk_memory_sys as sys;

use crate::enums::Dtype;
use crate::error::{c_string, Result};

/// A description of storage: `count` elements of a type on a device, or on several, each of which then holds that many.
///
/// Unless it names a [`slot`](Storage::slot), each op that is built from it is other storage. A clone costs as much as two
/// counters: it shares the names of the devices.
///
/// ```
/// # fn main() -> Result<(), tolk_memory::Error> {
/// use tolk_memory::{Dtype, Graph, Storage};
///
/// let graph = Graph::new()?;
/// let row = Storage::new(Dtype::Float32, 1024, "CUDA:0")?;
/// let (a, b) = (graph.buffer(&row)?, graph.buffer(&row)?);
/// assert_ne!(a, b);
/// let matrix = graph.buffer(&row.clone().count(1024 * 1024))?;
/// let shards = graph.buffer(&Storage::on_devices(Dtype::Int8, 64, &["CUDA:0", "CUDA:1"])?)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Storage {
    raw: sys::tolk_storage, // its pointers lead into names
    names: Arc<Names>,
}

/// Names of devices, in memory that stays where it is for as long as any storage uses it.
pub(crate) struct Names {
    strings: Vec<CString>,
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers lead to strings that nothing changes.
unsafe impl Send for Names {}
// SAFETY: the same.
unsafe impl Sync for Names {}

impl Names {
    pub(crate) fn new(devices: &[&str]) -> Result<Names> {
        let strings = devices.iter().map(|name| c_string("the device", name)).collect::<Result<Vec<_>>>()?;
        let pointers = strings.iter().map(|name| name.as_ptr()).collect();
        Ok(Names { strings, pointers })
    }

    pub(crate) fn pointers(&self) -> &[*const c_char] {
        &self.pointers
    }
}

// SAFETY: raw's pointers lead into names, which is both.
unsafe impl Send for Storage {}
// SAFETY: the same.
unsafe impl Sync for Storage {}

impl Storage {
    /// `count` elements on the device of a name, which means nothing to planning, but that `DISK` or `DISK:...` in any case
    /// is a disk, whose storage is not planned.
    ///
    /// # Errors
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the name holds a NUL. What else is wrong, building says.
    pub fn new(dtype: Dtype, count: u64, device: &str) -> Result<Storage> {
        let mut storage = Storage::described(dtype, count, Names::new(&[device])?);
        storage.raw.device = storage.names.pointers[0];
        Ok(storage)
    }

    /// `count` elements on each of several devices.
    ///
    /// # Errors
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) if a name holds a NUL. What else is wrong, building says.
    pub fn on_devices(dtype: Dtype, count: u64, devices: &[&str]) -> Result<Storage> {
        let mut storage = Storage::described(dtype, count, Names::new(devices)?);
        storage.raw.devices = storage.names.pointers.as_ptr();
        storage.raw.device_count = devices.len() as u64;
        Ok(storage)
    }

    fn described(dtype: Dtype, count: u64, names: Names) -> Storage {
        let mut raw = sys::tolk_storage::init();
        raw.dtype = dtype.raw();
        raw.count = count as i64;
        Storage { raw, names: Arc::new(names) }
    }

    /// The same with another element type.
    pub fn dtype(mut self, dtype: Dtype) -> Storage {
        self.raw.dtype = dtype.raw();
        self
    }

    /// The same with another number of elements.
    pub fn count(mut self, count: u64) -> Storage {
        self.raw.count = count as i64;
        self
    }

    /// The same with a slot, below 2^62, which tells storage from other storage that is alike. Without one, each op gets a
    /// fresh slot.
    pub fn slot(mut self, slot: u64) -> Storage {
        self.raw.slot = slot as i64;
        self.raw.has_slot = 1;
        self
    }

    /// The same with an alignment: 1, 2, 4, 8 or 16 bytes, the default.
    pub fn align(mut self, align: u32) -> Storage {
        self.raw.align = align;
        self
    }

    /// The same with a phase: the bytes by which the first element lies past a multiple of the alignment, below which it is. It
    /// is a multiple of the smaller of the element's size and the alignment.
    pub fn phase(mut self, phase: u32) -> Storage {
        self.raw.phase = phase;
        self
    }

    pub(crate) fn raw(&self) -> &sys::tolk_storage {
        &self.raw
    }

    /// What keeps raw's pointers good.
    pub(crate) fn names(&self) -> &Arc<Names> {
        &self.names
    }
}

impl fmt::Debug for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Storage")
            .field("dtype", &Dtype::from_raw(self.raw.dtype))
            .field("count", &self.raw.count)
            .field("devices", &self.names.strings)
            .finish_non_exhaustive()
    }
}
