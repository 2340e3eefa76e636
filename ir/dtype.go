package ir

import "fmt"

// Dtype is an element type. The values are part of the C ABI.
type Dtype uint8

// The element types. Weak types are those of numbers whose width is not settled
// yet; they and Void cannot be stored.
const (
	Void Dtype = iota
	WeakInt
	WeakFloat
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float8E4M3
	Float8E5M2
	Float16
	BFloat16
	Float32
	Float64
	dtypeCount
)

var dtypes = [dtypeCount]struct {
	name string
	size int64
}{
	Void:       {"void", 0},
	WeakInt:    {"weak_int", 0},
	WeakFloat:  {"weak_float", 0},
	Bool:       {"bool", 1},
	Int8:       {"int8", 1},
	Int16:      {"int16", 2},
	Int32:      {"int32", 4},
	Int64:      {"int64", 8},
	Uint8:      {"uint8", 1},
	Uint16:     {"uint16", 2},
	Uint32:     {"uint32", 4},
	Uint64:     {"uint64", 8},
	Float8E4M3: {"float8_e4m3", 1},
	Float8E5M2: {"float8_e5m2", 1},
	Float16:    {"float16", 2},
	BFloat16:   {"bfloat16", 2},
	Float32:    {"float32", 4},
	Float64:    {"float64", 8},
}

// Dtypes is every element type in the order of its number.
func Dtypes() []Dtype {
	all := make([]Dtype, dtypeCount)
	for i := range all {
		all[i] = Dtype(i)
	}
	return all
}

// ParseDtype is the element type called name, such as "float32".
func ParseDtype(name string) (Dtype, bool) {
	for d := range dtypes {
		if dtypes[d].name == name {
			return Dtype(d), true
		}
	}
	return Void, false
}

// String is the type's name, such as "float32".
func (d Dtype) String() string {
	if d < dtypeCount {
		return dtypes[d].name
	}
	return fmt.Sprintf("dtype(%d)", uint8(d))
}

// Size is the bytes of one element: 0 for types that cannot be stored.
func (d Dtype) Size() int64 {
	if d < dtypeCount {
		return dtypes[d].size
	}
	return 0
}

// Storable reports whether storage can hold elements of the type.
func (d Dtype) Storable() bool { return d.Size() > 0 }
