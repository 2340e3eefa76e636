//! C's named numbers as enums.

use std::ffi::CStr;
use std::fmt;
use std::os::raw::c_char;

use tolk_memory_sys as sys;

/// Makes an enum of constants of the header.
macro_rules! c_enum {
    ($(#[$doc:meta])* pub enum $name:ident: $raw:ty { $($(#[$variant_doc:meta])* $variant:ident = $constant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        #[allow(dead_code)] // not every enum goes both ways
        impl $name {
            /// The number that C has for it.
            pub(crate) const fn raw(self) -> $raw {
                match self { $($name::$variant => ::tolk_memory_sys::$constant,)* }
            }

            /// What C's number stands for; none if that is newer than this crate.
            pub(crate) const fn from_raw(raw: $raw) -> Option<$name> {
                match raw {
                    $(::tolk_memory_sys::$constant => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use c_enum;

c_enum! {
    /// What an op is. Scalars are integers; values are storage and views of storage.
    pub enum Kind: u32 {
        /// Storage that the schedule allocates.
        Buffer = TOLK_KIND_BUFFER,
        /// Call-local storage.
        Alloc = TOLK_KIND_ALLOC,
        /// Storage that whoever runs the schedule binds.
        Param = TOLK_KIND_PARAM,
        /// A scalar known when the schedule runs.
        Variable = TOLK_KIND_VARIABLE,
        /// A scalar.
        Const = TOLK_KIND_CONST,
        /// A loop's variable, a scalar; source: its count.
        Range = TOLK_KIND_RANGE,
        /// A scalar; sources: two scalars.
        Add = TOLK_KIND_ADD,
        /// A scalar; sources: two scalars.
        Mul = TOLK_KIND_MUL,
        /// Some elements of a value; sources: the value, start, length.
        Shrink = TOLK_KIND_SHRINK,
        /// The bytes of a value at another type.
        Bitcast = TOLK_KIND_BITCAST,
        /// A value, ordered after effects; sources: the value, the effects.
        After = TOLK_KIND_AFTER,
        /// The part on one device of a value on several.
        Mselect = TOLK_KIND_MSELECT,
        /// One value on several devices; sources: its parts.
        Mstack = TOLK_KIND_MSTACK,
        /// The body of a call.
        Sink = TOLK_KIND_SINK,
        /// The body of a call that is a copy.
        Store = TOLK_KIND_STORE,
        /// The body of a call.
        Program = TOLK_KIND_PROGRAM,
        /// The body of a call.
        CustomFunction = TOLK_KIND_CUSTOM_FUNCTION,
        /// One piece of work; sources: the body, the arguments.
        Call = TOLK_KIND_CALL,
        /// A schedule, or what a loop repeats; sources: the entries.
        Linear = TOLK_KIND_LINEAR,
        /// A loop; sources: what it repeats, its ranges.
        End = TOLK_KIND_END,
        /// A loop; sources: what it repeats, its range, the flag.
        Backedge = TOLK_KIND_BACKEDGE,
    }
}

c_enum! {
    /// The type of an element. [`Void`](Dtype::Void) and the weak types cannot be stored.
    pub enum Dtype: u32 {
        /// No element: what ops have that are neither scalar nor value.
        Void = TOLK_VOID,
        /// An integer of no width: what scalars have.
        WeakInt = TOLK_WEAK_INT,
        /// A float of no width.
        WeakFloat = TOLK_WEAK_FLOAT,
        /// True or false, 1 byte.
        Bool = TOLK_BOOL,
        /// Signed, 1 byte.
        Int8 = TOLK_INT8,
        /// Signed, 2 bytes.
        Int16 = TOLK_INT16,
        /// Signed, 4 bytes.
        Int32 = TOLK_INT32,
        /// Signed, 8 bytes.
        Int64 = TOLK_INT64,
        /// Unsigned, 1 byte.
        Uint8 = TOLK_UINT8,
        /// Unsigned, 2 bytes.
        Uint16 = TOLK_UINT16,
        /// Unsigned, 4 bytes.
        Uint32 = TOLK_UINT32,
        /// Unsigned, 8 bytes.
        Uint64 = TOLK_UINT64,
        /// A float of 4 bits of exponent and 3 of mantissa, 1 byte.
        Float8E4m3 = TOLK_FLOAT8_E4M3,
        /// A float of 5 bits of exponent and 2 of mantissa, 1 byte.
        Float8E5m2 = TOLK_FLOAT8_E5M2,
        /// IEEE half precision, 2 bytes.
        Float16 = TOLK_FLOAT16,
        /// The upper half of a float32, 2 bytes.
        Bfloat16 = TOLK_BFLOAT16,
        /// IEEE single precision, 4 bytes.
        Float32 = TOLK_FLOAT32,
        /// IEEE double precision, 8 bytes.
        Float64 = TOLK_FLOAT64,
    }
}

impl Dtype {
    /// The bytes of an element; 0 for types that cannot be stored.
    pub fn size(self) -> u32 {
        // SAFETY: takes any number.
        unsafe { sys::tolk_dtype_size(self.raw()) }
    }
}

impl fmt::Display for Dtype {
    /// Writes the name that texts and messages have for it, such as `float32`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: takes any number, and gives a static text or NULL.
        f.write_str(unsafe { static_text(sys::tolk_dtype_string(self.raw())) })
    }
}

impl fmt::Display for Kind {
    /// Writes the name that messages have for it, such as `BUFFER`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: takes any number, and gives a static text or NULL.
        f.write_str(unsafe { static_text(sys::tolk_kind_string(self.raw())) })
    }
}

/// # Safety
/// `text` is NULL or static.
unsafe fn static_text(text: *const c_char) -> &'static str {
    if text.is_null() {
        return "unknown";
    }
    // SAFETY: static, and of the library's, so that it ends in NUL.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("unknown")
}

c_enum! {
    /// A strategy of placing.
    pub enum Placer: u32 {
        /// In order of time, from a two-level segregated fit allocator: the rule, and the fastest.
        Tlsf = TOLK_PLACER_TLSF,
        /// The smallest arena it can find, with a proof where there is one; never worse than [`Placer::Tlsf`].
        Best = TOLK_PLACER_BEST,
        /// Largest first, each at the lowest offset free for its lifetime.
        FirstFit = TOLK_PLACER_FIRST_FIT,
        /// Largest first, each in the smallest gap that holds it.
        BestFit = TOLK_PLACER_BEST_FIT,
    }
}

c_enum! {
    /// Where the buffers of copies go.
    pub enum Copies: u32 {
        /// In the arena of their placement.
        Shared = TOLK_COPIES_SHARED,
        /// In a second arena of their placement, where each stays for as many entries again as it lived: for engines whose copies
        /// run beside their kernels.
        Apart = TOLK_COPIES_APART,
    }
}

c_enum! {
    /// Why an arena is known to be as small as can be.
    pub enum Proof: u32 {
        /// It is not known.
        None = TOLK_PROOF_NONE,
        /// It equals its lower bound.
        EqualsBound = TOLK_PROOF_EQUALS_BOUND,
        /// Every smaller arena was searched in full.
        Exhausted = TOLK_PROOF_EXHAUSTED,
    }
}

c_enum! {
    /// Why a placer stopped.
    pub enum Stop: u32 {
        /// It was done.
        Done = TOLK_STOP_DONE,
        /// It had spent its effort.
        Effort = TOLK_STOP_EFFORT,
        /// Its time was over.
        Time = TOLK_STOP_TIME,
        /// It was cancelled.
        Cancelled = TOLK_STOP_CANCELLED,
    }
}
