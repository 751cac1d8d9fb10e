package scores

import (
	"errors"
	"testing"

	"almanac/internal/domain"
)

// TestBrowserScores checks that a key without its secret adds scores and changes its own, but never those of others.
func TestBrowserScores(t *testing.T) {
	from := func(key string, at domain.Micros, members ...string) Draft {
		d := draft(t, at, members...)
		d.BrowserKey = key
		return d
	}
	w := newWriter()
	refused := func(what string, d Draft) {
		t.Helper()
		before := w.read(t, d.ID)
		neighbour := from("k", 9000, `"id":"neighbour"`)
		refusals, err := w.Write(t.Context(), scope, []Draft{d, neighbour})
		if err != nil || !errors.Is(refusals[0], ErrForeign) || refusals[1] != nil {
			t.Errorf("%s: refusals %v, %v", what, refusals, err)
		}
		if after := w.read(t, d.ID); after != before {
			t.Errorf("%s: the score became %+v, it was %+v", what, after, before)
		}
	}
	w.write(t, draft(t, 1000, `"id":"server"`, `"value":1`))
	refused("a score of a server", from("k", 2000, `"id":"server"`, `"value":0`))
	refused("the same with an earlier time, whose comment would fill a gap", from("k", 500, `"id":"server"`, `"comment":"planted"`))

	mine := from("k", 1000, `"id":"mine"`, `"value":1`)
	w.write(t, mine)
	w.write(t, mine) // a retry
	w.write(t, from("k", 2000, `"id":"mine"`, `"value":2`))
	if got := w.read(t, "mine"); got.Value.Value != 2 || got.BrowserKey != "k" {
		t.Errorf("a browser's own score is %+v", got)
	}
	refused("a score of another key's browser", from("other", 3000, `"id":"mine"`, `"value":0`))

	w.write(t, draft(t, 1500, `"id":"mine"`, `"comment":"checked"`)) // merged underneath, and still a server's write
	refused("a score that a server has written to", from("k", 3000, `"id":"mine"`, `"value":0`))
	if got := w.read(t, "mine"); got.Value.Value != 2 || got.Comment != "checked" || got.BrowserKey != "" {
		t.Errorf("after a server's write there is %+v", got)
	}
}
