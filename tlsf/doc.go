// Package tlsf is a two-level segregated-fit allocator of offsets: it says where in a range of bytes a block may lie, in
// constant time, and never touches the bytes themselves.
//
// # Algorithm
//
// The source is M. Masmano, I. Ripoll, A. Crespo, J. Real, "TLSF: a new dynamic memory allocator for real-time systems",
// ECRTS 2004. Free blocks wait in lists by size. The first level parts sizes by their bit length, the second parts each
// bit length evenly, into as many lists as the highest power of two in the list count. With a list count of 4, sizes of
// 4 to 6 bits wait so:
//
//	first level    second level
//	 8 .. 15       [ 8 ..  9] [10 .. 11] [12 .. 13] [14 .. 15]
//	16 .. 31       [16 .. 19] [20 .. 23] [24 .. 27] [28 .. 31]
//	32 .. 63       [32 .. 39] [40 .. 47] [48 .. 55] [56 .. 63]
//
// A request is rounded up to the least size of a list, so that any block of that list or of a later one is large enough:
// the first such list that is not empty serves it, found by a few steps through bitmaps. So a request can find no room
// although a block large enough is free: with the lists above, 33 bytes are looked for from [40 .. 47] on. What the
// block has over goes back to the lists, and a freed block merges with free neighbours:
//
//	Alloc(20, 16)   |####|.........................|      found: a free block that starts at 40
//	                |####|....|xxxxxxxxxx|.........|      8 before the aligned start and the rest stay free
//	Free            |####|.........................|      one block again
//
// # Differences from the paper
//
//   - Blocks are described in a table beside the range, not by headers inside it, so offsets can stand for storage of any
//     kind, or for none yet.
//   - A list is first in, first out: a block that is split off, freed or merged joins its list last, and the block that
//     joined first is taken first. Those of the authors' implementation are last in, first out.
//   - An alignment may be asked for. It holds for the offset from the base, not for the address.
//   - A remainder of any size, down to one byte, becomes a free block. Only requests have a least size.
//   - Any number of lists is kept by one set of bitmaps, of which each level says which words of the one below are not
//     zero. The paper has a bitmap for the first level and one for each of its rows, each a machine word.
package tlsf
