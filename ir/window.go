package ir

// windowSize is how many look-ups in the intern table are under way at once. A
// look-up mostly waits for memory, and a processor waits for some ten places of it at the same time.
const windowSize = 64

// window holds nodes that have joined the graph but not yet the intern table. They are
// taken for new, so that the next may be built on them. Settling finds out: a node that equals an older one goes
// again, and the others close the gaps. So places given out since the window opened are provisional, see settled.
type window struct {
	open   bool
	base   uint32 // the first provisional place
	nodes  []provisional
	places []uint32 // where each is, once settled
	order  []int    // the nodes by level
	counts []int    // by level
	warm   uint64
}

type provisional struct {
	node
	hash  uint64
	level int // 0, or one more than that of the highest provisional source
	// ownBase and ownBind tell that the columns hold the node's own place.
	ownBase, ownBind bool
}

func (g *Graph) openWindow() {
	g.window.open = true
	g.nextWindow()
}

// nextWindow follows on a window that was settled, after what it gave out was corrected.
func (g *Graph) nextWindow() {
	w := &g.window
	w.base, w.nodes, w.counts = g.next, w.nodes[:0], w.counts[:0]
}

func (g *Graph) closeWindow() { g.window.open = false }

// abandonWindow forgets the provisional nodes.
func (g *Graph) abandonWindow() {
	if g.window.open {
		g.next = g.window.base
		g.window.open = false
	}
}

func (w *window) full() bool { return len(w.nodes) >= windowSize }

// addProvisional is the provisional place of a node.
func (g *Graph) addProvisional(n *node, sources []uint32) (uint32, *Error) {
	i, err := g.append(n, sources)
	if err != nil {
		return 0, err
	}
	w := &g.window
	level := 0
	for _, s := range sources {
		if s >= w.base {
			level = max(level, w.nodes[s-w.base].level+1)
		}
	}
	if level == len(w.counts) {
		w.counts = append(w.counts, 0)
	}
	w.counts[level]++
	w.nodes = append(w.nodes, provisional{
		node: *n, hash: hashNode(n, sources), level: level, ownBase: n.base == i, ownBind: n.bind == i,
	})
	return i, nil
}

// settle interns the provisional nodes, level by level: those of one level are not built on each other, so that
// their look-ups may overlap. What was given out can then be corrected, before the next window.
func (g *Graph) settle() {
	w := &g.window
	g.intern.reserve(len(w.nodes))
	w.sort()
	w.places = append(w.places[:0], make([]uint32, len(w.nodes))...)
	g.next = w.base
	begin := 0
	for level, n := range w.counts {
		g.settleLevel(w.order[begin:begin+n], level)
		begin += n
	}
}

// sort orders the nodes by level, those of one level as they came.
func (w *window) sort() {
	w.order = append(w.order[:0], make([]int, len(w.nodes))...)
	begins := make([]int, 0, windowSize)
	begin := 0
	for _, n := range w.counts {
		begins = append(begins, begin)
		begin += n
	}
	for k := range w.nodes {
		level := w.nodes[k].level
		w.order[begins[level]] = k
		begins[level]++
	}
}

func (g *Graph) settleLevel(level []int, number int) {
	w := &g.window
	if number > 0 {
		for _, k := range level {
			g.follow(&w.nodes[k])
		}
	}
	g.touch(level)
	for _, k := range level {
		w.places[k] = g.settleNode(&w.nodes[k])
	}
}

// follow turns provisional places in a node into settled ones; its own is not known yet.
func (g *Graph) follow(n *provisional) {
	w := &g.window
	sources := g.sources.slice(n.from, n.n)
	for k, s := range sources {
		sources[k] = w.settled(s)
	}
	n.base, n.bind = w.settled(n.base), w.settled(n.bind)
	n.hash = hashNode(&n.node, sources)
}

// settled is the place of a node whose provisional place was i; i itself while that is not known.
func (w *window) settled(i uint32) uint32 {
	if i >= w.base {
		if place := w.places[i-w.base]; place != 0 {
			return place
		}
	}
	return i
}

// touch reads where the look-ups of a level begin, all of it before the first is needed.
func (g *Graph) touch(level []int) {
	w, t := &g.window, &g.intern
	for _, k := range level {
		w.warm ^= t.entries[t.slot(w.nodes[k].hash)]
	}
	for _, k := range level {
		h := w.nodes[k].hash
		if e := t.entries[t.slot(h)]; e != 0 && (e^h)&^lowHalf == 0 {
			w.warm ^= uint64(g.nodes.at(uint32(e)).kind)
		}
	}
}

// settleNode is the place of a node: the next, or that of its equal.
func (g *Graph) settleNode(n *provisional) uint32 {
	sources := g.sources.slice(n.from, n.n)
	found, at := g.intern.find(n.hash, func(i uint32) bool { return g.equal(i, &n.node, sources) })
	if found != 0 {
		return found
	}
	place := g.next
	if n.ownBase {
		n.base = place
	}
	if n.ownBind {
		n.bind = place
	}
	*g.nodes.at(place) = n.node
	g.intern.put(at, n.hash, place)
	g.next++
	return place
}
