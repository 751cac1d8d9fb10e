package semconv

import "almanac/internal/jsontext"

// arena holds the strings created for the rows of one request. They are valid until the next reset.
type arena struct {
	chunk []byte
}

const (
	firstChunk = 16 << 10
	lastChunk  = 4 << 20 // chunks double up to this; only one is kept for the next request
	leastFree  = 4 << 10 // strings are written with room for escapes
)

// open returns an empty buffer to append one string to. It must be followed by close before the next open.
func (a *arena) open() []byte {
	if cap(a.chunk)-len(a.chunk) < leastFree {
		a.chunk = make([]byte, 0, min(max(firstChunk, 2*cap(a.chunk)), lastChunk))
	}
	return a.chunk[len(a.chunk):]
}

// close returns the string. One that outgrew the chunk has its own memory by then.
func (a *arena) close(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	n := len(a.chunk)
	if len(b) <= cap(a.chunk)-n && &b[0] == &a.chunk[: n+1 : n+1][n] {
		a.chunk = a.chunk[:n+len(b)]
	}
	return jsontext.View(b)
}

// reset frees all strings.
func (a *arena) reset() { a.chunk = a.chunk[:0] }

// join concatenates strings.
func (a *arena) join(parts ...string) string {
	b := a.open()
	for _, p := range parts {
		b = append(b, p...)
	}
	return a.close(b)
}
