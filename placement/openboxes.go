package placement

// openBoxes is the boxes to be placed of each section. A box that is placed goes behind those that are not, so that taking
// back placings in the reverse order puts all back.
type openBoxes struct {
	*boxes
	lists [][]int32 // by section: its boxes, those to be placed first
	count []int32   // by section: how many are to be placed
	where [][]int32 // by box: its place in the list of each of its sections
}

func newOpenBoxes(b *boxes) openBoxes {
	sections := len(b.loads)
	o := openBoxes{boxes: b, lists: make([][]int32, sections), count: make([]int32, sections), where: make([][]int32, len(b.all))}
	for at := range b.all {
		o.where[at] = make([]int32, b.all[at].to-b.all[at].from)
		for section := b.all[at].from; section < b.all[at].to; section++ {
			o.lists[section] = append(o.lists[section], int32(at))
		}
	}
	return o
}

func (o *openBoxes) reset() {
	for section, list := range o.lists {
		o.count[section] = int32(len(list))
		for place, box := range list {
			o.where[box][int32(section)-o.all[box].from] = int32(place)
		}
	}
}

func (o *openBoxes) in(section int32) []int32 {
	return o.lists[section][:o.count[section]]
}

func (o *openBoxes) remove(box int32) {
	from := o.all[box].from
	for at := range o.where[box] {
		section := from + int32(at)
		o.count[section]--
		list, last := o.lists[section], o.count[section]
		place, moved := o.where[box][at], list[last]
		list[place], list[last] = moved, box
		o.where[moved][section-o.all[moved].from] = place
		o.where[box][at] = last
	}
}

// restore takes back the last remove that was not taken back.
func (o *openBoxes) restore(box int32) {
	for section := o.all[box].from; section < o.all[box].to; section++ {
		o.count[section]++
	}
}
