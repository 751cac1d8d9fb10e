package main

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// answer is the outcome of one request.
type answer struct {
	// status is the HTTP status, the gRPC status if it is not OK, or noAnswer.
	status string
	ok     bool
	// units is the number of spans accepted or rows returned, bytes their size on the wire.
	units, bytes int
	// problem is the error message of the server or, without a response, of the connection.
	problem string
}

// noAnswer is the status of a request whose connection failed.
const noAnswer = "no answer"

func httpAnswer(status int) answer {
	return answer{status: strconv.Itoa(status), ok: status == http.StatusOK}
}

func failure(err error) answer { return answer{status: noAnswer, problem: err.Error()} }

// leftOut returns why a question that failed the first time is not asked again.
func (a answer) leftOut() string {
	why := "failed when it was first asked"
	switch a.status {
	case "400", "403", "404", "405", "410", "422", "501":
		why = "not supported"
	}
	return why + ": " + a.status + " " + a.problem
}

// tally counts the outcomes of requests of one kind. Only successful ones have a time.
type tally struct {
	mu           sync.Mutex
	times        []time.Duration
	units, bytes int64
	failures     map[string]int // by status
	problem      string         // of the last failure
	warmUps      int            // requests of the warm-up and the units accepted with them; not counted elsewhere
	warmUpUnits  int64
	unsent       int // requests of a rate for which no connection was free in time
}

func (t *tally) add(a answer, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !a.ok {
		if t.failures == nil {
			t.failures = make(map[string]int)
		}
		t.failures[a.status]++
		t.problem = a.problem
		return
	}
	t.times = append(t.times, took)
	t.units += int64(a.units)
	t.bytes += int64(a.bytes)
}

func (t *tally) addWarmUp(a answer) {
	t.mu.Lock()
	t.warmUps++
	t.warmUpUnits += int64(a.units)
	t.mu.Unlock()
}

func (t *tally) addUnsent() {
	t.mu.Lock()
	t.unsent++
	t.mu.Unlock()
}

// quantile returns the q-quantile of sorted times, in milliseconds; 0 if there are none.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(len(sorted))))
	return milliseconds(sorted[min(max(rank, 1), len(sorted))-1])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// sorted returns the times in order.
func (t *tally) sorted() []time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(slices.Values(t.times))
}
