package main

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestQuantile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for n := range hundred {
		hundred[n] = time.Duration(n+1) * time.Millisecond
	}
	cases := []struct {
		name string
		of   []time.Duration
		q    float64
		want float64
	}{
		{"half of a hundred", hundred, 0.5, 50},
		{"90 of a hundred", hundred, 0.9, 90},
		{"99 of a hundred", hundred, 0.99, 99},
		{"the largest", hundred, 1, 100},
		{"the smallest", hundred, 0, 1},
		{"99 of three is the largest", hundred[:3], 0.99, 3},
		{"of one", hundred[6:7], 0.5, 7},
		{"of none", nil, 0.5, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := quantile(c.of, c.q); got != c.want {
				t.Errorf("quantile(%v) = %v, want %v", c.q, got, c.want)
			}
		})
	}
}

// TestTallyCountsOnlyAnswers checks that refused requests do not count towards the times.
func TestTallyCountsOnlyAnswers(t *testing.T) {
	var counted tally
	counted.add(answer{status: "200", ok: true, units: 5, bytes: 100}, 3*time.Millisecond)
	counted.add(answer{status: "200", ok: true, units: 1, bytes: 50}, time.Millisecond)
	counted.add(answer{status: "503", problem: "busy"}, time.Hour)
	counted.add(answer{status: "503", problem: "very busy"}, time.Hour)
	counted.add(failure(context.DeadlineExceeded), time.Hour)
	got := newFigures("rows", "question", &counted, time.Second)
	want := requestFigures{
		Kind: "rows", Name: "question", Answered: 2, PerSecond: 2, P50: 1, P90: 3, P99: 3, Max: 3, Units: 3, Bytes: 75,
		Failures: map[string]int{"503": 2, noAnswer: 1}, Problem: "context deadline exceeded",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := statuses(got.Failures, "busy"); text != "1 × no answer, 2 × 503: busy" {
		t.Error(text)
	}
}

// stalling returns a stream over one connection whose first request takes the given time, and the others none.
func stalling(first time.Duration, counted *tally) stream {
	return stream{connections: 1, prepare: func(n int) (func(context.Context) answer, *tally) {
		return func(context.Context) answer {
			if n == 0 {
				time.Sleep(first)
			}
			return answer{status: "200", ok: true}
		}, counted
	}}
}

// TestRateCountsFromWhenRequestsWereDue stalls a target. Requests that were due meanwhile are slow, although they were
// answered immediately once they were sent.
func TestRateCountsFromWhenRequestsWereDue(t *testing.T) {
	var counted tally
	s := stalling(200*time.Millisecond, &counted)
	s.rate, s.total = 100, 20
	s.drive(t.Context())
	times := counted.sorted()
	if len(times) != 20 {
		t.Fatalf("%d requests were sent, want 20", len(times))
	}
	// Request n was due after n times 10 ms and sent after 200.
	if half := quantile(times, 0.5); half < 90 {
		t.Errorf("half of the requests took %v ms, want about 100: time that they waited is not counted", half)
	}
	counted = tally{}
	s = stalling(200*time.Millisecond, &counted)
	s.total = 20
	s.drive(t.Context())
	if half := quantile(counted.sorted(), 0.5); half > 90 {
		t.Errorf("half of the requests took %v ms without a rate, want next to nothing", half)
	}
}

func TestRateIsHeld(t *testing.T) {
	var counted tally
	s := stalling(0, &counted)
	s.rate, s.duration, s.warmUp = 200, 250*time.Millisecond, 100*time.Millisecond
	began := time.Now()
	took := s.drive(t.Context())
	if took < s.duration || time.Since(began) < 340*time.Millisecond {
		t.Errorf("it took %v, want %v", took, s.duration)
	}
	if len(counted.times) != 50 || counted.warmUps != 20 {
		t.Errorf("%d requests count and %d were the warm-up, want 50 and 20", len(counted.times), counted.warmUps)
	}
}

// TestRateEndsThoughTheTargetIsTooSlow counts the requests that could not be sent.
func TestRateEndsThoughTheTargetIsTooSlow(t *testing.T) {
	var counted tally
	s := stalling(lateness+200*time.Millisecond, &counted)
	s.rate, s.duration = 100, 100*time.Millisecond
	s.drive(t.Context())
	if len(counted.times) != 1 || counted.unsent != 9 {
		t.Errorf("%d requests were sent and %d were not, want 1 and 9", len(counted.times), counted.unsent)
	}
}

func TestInterruptedRequestsDoNotCount(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var counted tally
	s := stream{connections: 2, rate: 1, duration: time.Hour, prepare: func(int) (func(context.Context) answer, *tally) {
		return func(ctx context.Context) answer {
			cancel()
			<-ctx.Done()
			return failure(ctx.Err())
		}, &counted
	}}
	s.drive(ctx)
	if len(counted.failures) != 0 {
		t.Errorf("counted %v", counted.failures)
	}
}
