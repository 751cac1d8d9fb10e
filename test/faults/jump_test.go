package faults

import (
	"net/http"
	"time"

	"google.golang.org/protobuf/proto"
)

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// onMovableClock prepares a world whose server has its own clock and deletes data older than three days.
func onMovableClock(w *world) {
	w.movable = true
	w.extra = []string{"--init-project-retention=3"}
}

// jumpRound moves the server's clock back and forth, under load and between two starts.
func jumpRound(w *world) (found tally) {
	for _, jump := range []struct {
		ahead   time.Duration
		restart bool
	}{{day, false}, {-time.Hour, false}, {10 * year, true}, {0, false}, {-time.Hour, true}} {
		old := w.writeOld()
		w.underLoad(w.between(20*time.Millisecond, 150*time.Millisecond), func() {
			if jump.restart {
				w.kill()
				return
			}
			w.setClock(jump.ahead)
			time.Sleep(w.between(20*time.Millisecond, 150*time.Millisecond))
		})
		if jump.restart {
			w.ahead = jump.ahead
			w.start()
		}
		w.checkClock()
		w.writeNew(old)
		found.add(w.check(jump.restart))
	}
	w.setClock(0)
	w.doctor()
	return found
}

// setClock moves the server's clock while it runs.
func (w *world) setClock(ahead time.Duration) {
	w.t.Helper()
	w.ahead = ahead
	w.jumps.Add(1)
	if err := w.clock.Set(ahead); err != nil {
		w.t.Fatalf("cannot move the clock of the server: %v", err)
	}
}

// checkClock checks that the server's clock is where it was set: responses carry its time.
func (w *world) checkClock() {
	w.t.Helper()
	_, _, header, err := w.do(http.MethodGet, w.server.URL+"/api/public/health", "", nil)
	if err != nil {
		w.violation("the server does not answer: %v", err)
		return
	}
	shows, err := http.ParseTime(header.Get("Date"))
	if off := time.Until(shows) - w.ahead; err != nil || off.Abs() > time.Minute {
		w.t.Fatalf("the server's clock shows %s, which is not %v ahead: %v", header.Get("Date"), w.ahead, err)
	}
}

// old is a record of each kind that is about to be written again. The order in which the server receives the writes
// decides, whatever its clock says.
type old struct {
	score, item, span []key
	trace             []byte
}

// writeOld writes records with content that is about to be replaced.
func (w *world) writeOld() old {
	o := old{
		score: w.ledger.begin(score, randomHex(8)), item: w.ledger.begin(item, randomHex(8)),
		span:  w.ledger.begin(observation, randomHex(8)),
		trace: []byte(randomHex(8)),
	}
	w.writeVersion(o, func(string) string { return "not this one" })
	return o
}

// writeNew writes them again with the content that the ledger expects.
func (w *world) writeNew(o old) {
	if w.writeVersion(o, contentOf) {
		for _, keys := range [][]key{o.score, o.item, o.span} {
			w.ledger.acknowledge(keys)
		}
	}
}

// writeVersion reports whether all writes were acknowledged.
func (w *world) writeVersion(o old, content func(id string) string) bool {
	id := o.score[0].id
	if code, text, err := w.send(http.MethodPost, "/api/public/scores", map[string]any{
		"id": id, "traceId": "t", "name": "quality", "value": 1, "comment": content(id),
	}); err != nil || code != http.StatusOK {
		w.violation("a score is answered with %d %s, %v", code, text, err)
		return false
	}
	id = o.item[0].id
	if code, text, err := w.send(http.MethodPost, "/api/public/dataset-items", map[string]any{
		"id": id, "datasetName": dataset, "input": content(id),
	}); err != nil || code != http.StatusOK {
		w.violation("an item is answered with %d %s, %v", code, text, err)
		return false
	}
	body, err := proto.Marshal(spansOf(o.trace, []string{o.span[0].id}, content))
	if err != nil {
		w.t.Fatal(err)
	}
	code, text, _, err := w.do(http.MethodPost, w.server.URL+tracesPath, "application/x-protobuf", body)
	if err != nil || code != http.StatusOK {
		w.violation("a span is answered with %d %s, %v", code, text, err)
		return false
	}
	return true
}
