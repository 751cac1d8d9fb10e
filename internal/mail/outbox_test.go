package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// fakeServer accepts messages, or does what it is told to.
type fakeServer struct {
	mu     sync.Mutex
	check  error
	answer func(ctx context.Context, m Message) error
	tried  []string // the ids of messages, with the seconds since the start
	start  time.Time
}

func (f *fakeServer) Server() string              { return "smtp://mail.test" }
func (f *fakeServer) Check(context.Context) error { return f.check }

func (f *fakeServer) Send(ctx context.Context, m Message) error {
	f.mu.Lock()
	f.tried = append(f.tried, fmt.Sprintf("%s@%.0f", m.ID, time.Since(f.start).Seconds()))
	f.mu.Unlock()
	if f.answer == nil {
		return nil
	}
	return f.answer(ctx, m)
}

func (f *fakeServer) tries() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.tried)
}

// runOutbox runs an outbox in a synctest bubble. It returns a function that stops it.
func runOutbox(t *testing.T, f *fakeServer) (o *Outbox, registry *prometheus.Registry, log *strings.Builder, stop func()) {
	t.Helper()
	registry, log = prometheus.NewRegistry(), new(strings.Builder)
	f.start = time.Now()
	o = NewOutbox(f, registry, slog.New(slog.NewTextHandler(log, nil)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { o.Run(ctx); close(ended) }()
	return o, registry, log, func() { cancel(); <-ended }
}

// counts returns the counters by result, and the number of waiting messages.
func counts(t *testing.T, registry *prometheus.Registry) (results map[string]float64, waiting float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	results = map[string]float64{}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			if family.GetType() == dto.MetricType_GAUGE {
				waiting = metric.GetGauge().GetValue()
				continue
			}
			results[metric.GetLabel()[0].GetValue()] = metric.GetCounter().GetValue()
		}
	}
	return results, waiting
}

func letterTo(id string) Message {
	return Message{To: "a@example.org", Kind: "invitation", ID: id, Subject: "planted subject", Text: "planted text"}
}

func TestOutboxTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{check: errors.New("refused"), answer: func(_ context.Context, m Message) error {
			switch m.ID {
			case "unlucky":
				return errors.New("connection refused")
			case "unfit":
				return errInvalidMessage
			}
			return nil
		}}
		o, registry, log, stop := runOutbox(t, f)
		for _, id := range []string{"unlucky", "unfit", "good"} {
			if !o.Post(letterTo(id)) {
				t.Fatal("there is no room")
			}
		}
		synctest.Wait()
		// The others do not wait for the one that is retried.
		if results, waiting := counts(t, registry); waiting != 1 || results["sent"] != 1 || results["refused"] != 1 ||
			results["retried"] != 1 {
			t.Errorf("%v, and %v wait", results, waiting)
		}
		time.Sleep(30 * time.Second)
		o.Post(letterTo("late"))
		time.Sleep(time.Hour)
		want := []string{"unlucky@0", "unfit@0", "good@0", "unlucky@10", "late@30", "unlucky@70", "unlucky@370", "unlucky@1270"}
		if got := f.tries(); !slices.Equal(got, want) {
			t.Errorf("tried: %v, want %v", got, want)
		}
		stop()
		results, waiting := counts(t, registry)
		if waiting != 0 || results["sent"] != 2 || results["dropped"] != 1 || results["refused"] != 1 || results["retried"] != 4 {
			t.Errorf("%v, and %v wait", results, waiting)
		}
		for _, line := range []string{
			"cannot use the mail server", "sent an e-mail", "rejected an e-mail", "retrying", "dropping it", "id=unlucky",
		} {
			if !strings.Contains(log.String(), line) {
				t.Errorf("the log has no %q: %s", line, log)
			}
		}
		if strings.Contains(log.String(), "planted") || strings.Contains(log.String(), "a@example.org") {
			t.Errorf("the log tells too much: %s", log)
		}
	})
}

func TestOutboxIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{answer: func(ctx context.Context, _ Message) error { <-ctx.Done(); return ctx.Err() }}
		o, registry, log, stop := runOutbox(t, f)
		for n := range maxWaiting {
			if !o.Post(letterTo(strconv.Itoa(n))) {
				t.Fatalf("there is no room for message %d", n)
			}
		}
		if o.Post(letterTo("one more")) {
			t.Error("there is room for one more")
		}
		synctest.Wait()
		// A server that does not respond does not keep the program from stopping.
		before := time.Now()
		stop()
		if took := time.Since(before); took != lastChance {
			t.Errorf("it took %v to stop", took)
		}
		if results, _ := counts(t, registry); results["dropped"] != maxWaiting+1 {
			t.Errorf("%v", results)
		}
		if !strings.Contains(log.String(), "shutting down with unsent e-mails") {
			t.Errorf("the log: %s", log)
		}
	})
}

// TestOutboxSendsAtTheEnd checks that messages waiting for a retry get one when the server stops, and that sending is
// not interrupted.
func TestOutboxSendsAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		f := &fakeServer{answer: func(ctx context.Context, m Message) error {
			if m.ID == "slow" {
				select {
				case <-time.After(3 * time.Second):
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			if broken {
				return errors.New("connection refused")
			}
			return nil
		}}
		o, registry, _, stop := runOutbox(t, f)
		o.Post(letterTo("waits"))
		synctest.Wait()
		broken = false
		o.Post(letterTo("slow"))
		synctest.Wait()
		stop()
		if got, want := f.tries(), []string{"waits@0", "slow@0", "waits@3"}; !slices.Equal(got, want) {
			t.Errorf("tried: %v, want %v", got, want)
		}
		if results, waiting := counts(t, registry); results["sent"] != 2 || waiting != 0 {
			t.Errorf("%v, and %v wait", results, waiting)
		}
	})
}
