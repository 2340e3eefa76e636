package placement

import "libtolk_memory/placement/problem"

// pitSearches is how many searches a look at one box may make.
const pitSearches = 64

// choose is the box to put on a plateau, or none if none fits below the ceiling above it.
//
// It looks at the candidates in order of rank, run.tries of them at most, and takes the first that does no harm, or else the
// one that does the least. The chosen one is no candidate any more. Harm is bytes: what a placing forces to stay empty beyond
// what its sections can leave unused at the bound. It forces bytes to stay empty where it leaves a pit that no box to come can
// stand in: one beside it, up to the lower of its top and the wall, or one on it, up to the lower wall.
//
//	      wall|          |wall
//	          |+--------+|
//	     pit  || chosen ||  pit
//	          |+--------+|
//	----------+----------+------- plateau
func (s *skyline) choose(id int32, above int64) int32 {
	p := s.edge.all[id]
	s.tried = s.tried[:0]
	chosen, chosenHarm := int32(none), int64(unlimited)
	section := int32(none)
	if s.run.tightest {
		section = s.slack.tightest(p.from, p.to, s.slack.leastIn(p.from, p.to))
	}
	for range s.run.tries {
		box := int32(none)
		if section != none {
			box = s.candidates.covering(p.from, p.to, section)
		}
		if box == none {
			section, box = none, s.candidates.within(p.from, p.to)
		}
		if box == none {
			break
		}
		s.candidates.remove(box)
		s.tried = append(s.tried, box)
		if harm := s.harm(id, box); harm < chosenHarm {
			chosen, chosenHarm = box, harm
		}
		if chosenHarm == 0 {
			break
		}
	}
	for _, box := range s.tried {
		if box != chosen {
			s.candidates.restore(box)
		}
	}
	if chosen != none {
		s.forced = max(s.forced, chosenHarm)
	} else if above < unlimited {
		return s.choosePocket(&p, above)
	}
	return chosen
}

// choosePocket is a box that is low enough to fit anywhere on the plateau below its ceiling, or none. It is no candidate any
// more.
func (s *skyline) choosePocket(p *plateau, above int64) int32 {
	box := s.pockets.within(p.from, p.to, above-p.height)
	if box == none || !s.fits(box, p.height) {
		return none
	}
	s.candidates.remove(box)
	return box
}

// harm is the bytes that putting a box, no candidate any more, on a plateau leaves empty beyond the slack, unlimited if it does
// not fit.
func (s *skyline) harm(id, box int32) int64 {
	if !s.fits(box, s.edge.all[id].height) {
		return unlimited
	}
	s.pits = pitSearches
	p, x := &s.edge.all[id], &s.all[box]
	before, after := s.edge.neighbours(id)
	offset := alignUp(p.height, x.align)
	top := offset + x.need
	harm := int64(0)
	if offset > p.height {
		harm = max(0, offset-p.height-s.slack.leastIn(x.from, x.to))
	}
	if p.from < x.from {
		harm = max(harm, s.pitHarm(p.from, x.from, min(before, top)-p.height))
	}
	if x.to < p.to {
		harm = max(harm, s.pitHarm(x.to, p.to, min(after, top)-p.height))
	}
	if wall := min(before, after); p.from == x.from && x.to == p.to && top < wall && wall < unlimited && s.left > 1 {
		harm = max(harm, s.pitHarm(x.from, x.to, wall-top))
	}
	return harm
}

// pitHarm is the bytes beyond the slack that raising the sections [from, to) would leave empty, 0 if boxes to come can stand
// where the slack is too small. It looks at the tightest section, finds a box that can stand there, and goes on to the sides of it.
func (s *skyline) pitHarm(from, to int32, raise int64) int64 {
	for from < to {
		least := s.slack.leastIn(from, to)
		if least >= raise || s.pits == 0 {
			return 0
		}
		s.pits--
		section := s.slack.tightest(from, to, least)
		box := s.candidates.covering(from, to, section)
		if box == none {
			return raise - least
		}
		if harm := s.pitHarm(from, s.all[box].from, raise); harm > 0 {
			return harm
		}
		from = s.all[box].to
	}
	return 0
}

func alignUp(n int64, align int32) int64 {
	return problem.AlignUp(n, int64(align))
}
