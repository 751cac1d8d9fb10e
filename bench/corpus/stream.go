package corpus

import "almanac/internal/domain"

// shares are the fractions of all rows that belong to each project.
var shares = []float64{0.85, 0.08, 0.05, 0.02}

// stream holds the state of one project.
type stream struct {
	project string
	share   float64
	key     uint64 // all ids of the project derive from it
	begin   float64
	step    float64 // microseconds from one row to the next
	rows    int
	traces  int // begun
	trace   trace
	open    []conversation
	thread  conversation
}

func newStreams(o Options) []stream {
	streams := make([]stream, len(shares))
	const microsPerDay = 24 * 60 * 60 * 1e6
	for i, share := range shares {
		streams[i] = stream{
			project: "project-" + string(rune('1'+i)),
			share:   share,
			key:     mix(o.Seed<<8 + uint64(i)),
			begin:   float64(o.Start.UnixMicro()),
			step:    float64(o.Days) * microsPerDay / (float64(o.Rows) * share),
		}
	}
	return streams
}

// due returns the stream that the next batch of n rows belongs to: the one that finishes it first if all send at their
// own rate.
func (g *Generator) due(n int) *stream {
	var best *stream
	for i := range g.streams {
		s := &g.streams[i]
		if best == nil || s.done(n) < best.done(n) {
			best = s
		}
	}
	return best
}

func (s *stream) done(n int) float64 { return float64(s.rows+n) / s.share }

func (g *Generator) stream(project string) *stream {
	for i := range g.streams {
		if g.streams[i].project == project {
			return &g.streams[i]
		}
	}
	panic("corpus: no project " + project)
}

// now returns when the next row of the stream arrives.
func (s *stream) now() domain.Micros {
	return domain.Micros(s.begin + s.step*float64(s.rows))
}

func (s *stream) traceKey(n int) uint64 { return mix(s.key + uint64(n)) } //nolint:gosec // a count is not negative

// traceID returns the id of the n-th trace. It depends only on the seed and n, so that ids need not be stored to be
// queried later.
func (s *stream) traceID(n int) string {
	key := s.traceKey(n)
	return string(appendHex(appendHex(make([]byte, 0, 32), key), mix(key)))
}

// mix is the finalizer of splitmix64: it maps different numbers to different ones that look random.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// appendHex appends 16 hexadecimal digits.
func appendHex(b []byte, x uint64) []byte {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, digits[x>>shift&15])
	}
	return b
}

// planter decides which rows get planted values. The first of each comes early, so that small runs have one too.
type planter struct {
	every               int
	nextWord, nextValue int
	words, values       int
}

func newPlanter(every int) planter {
	return planter{every: every, nextWord: every / 2, nextValue: every / 4}
}

// word reports whether the generator's n-th row gets the rare word. Only rows of the first project do.
func (p *planter) word(s *stream, n int) bool {
	if n < p.nextWord || s.share != shares[0] {
		return false
	}
	p.nextWord += p.every
	p.words++
	return true
}

// value does the same for the rare value.
func (p *planter) value(s *stream, n int) bool {
	if n < p.nextValue || s.share != shares[0] {
		return false
	}
	p.nextValue += p.every
	p.values++
	return true
}
