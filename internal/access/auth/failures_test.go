package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// newTestFailures returns a Failures whose log and counts can be read, and which counts how many responses it delays.
func newTestFailures() (f *Failures, log *bytes.Buffer, counts map[string]int, held *int) {
	log, counts, held = new(bytes.Buffer), make(map[string]int), new(int)
	f = NewFailures(slog.New(slog.NewTextHandler(log, nil)), func(reason string) { counts[reason]++ })
	f.wait = func(context.Context, time.Duration) { *held++ }
	return f, log, counts, held
}

// TestFailures guesses at one key with 3,000 requests: they are slowed down, and logged as one line with a count. The
// right secret works immediately all the while.
func TestFailures(t *testing.T) {
	store := newStore()
	keys := NewKeys(store, time.Minute, slog.New(slog.DiscardHandler))
	f, log, counts, held := newTestFailures()
	try := func(address, header string) error {
		_, err := keys.Check(t.Context(), header)
		if err == nil {
			return nil
		}
		return f.Slow(t.Context(), address, err)
	}
	const guess = "guess-that-must-not-be-logged"
	for n := range 3000 {
		var denied *Denied
		if err := try("192.0.2.1", basic(fmt.Sprint("pk-a:", guess, n))); !errors.As(err, &denied) ||
			denied.Status != http.StatusUnauthorized {
			t.Fatalf("guess %d: %v", n, err)
		}
	}
	if *held != 3000-freeFailures {
		t.Errorf("%d answers were held back, want %d", *held, 3000-freeFailures)
	}
	for _, address := range []string{"192.0.2.1", "198.51.100.7"} {
		if before := *held; try(address, basic("pk-a:sk-a")) != nil || *held != before {
			t.Errorf("the right secret from %s does not work at once", address)
		}
	}
	if before := *held; try("198.51.100.7", basic("pk-a:x")) == nil || *held != before+1 {
		t.Error("a wrong secret for a key that is guessed at from elsewhere is answered at once")
	}
	if before := *held; try("198.51.100.7", basic("pk-b:x")) == nil || *held != before {
		t.Error("the first wrong secret for another key is held back")
	}
	f.report()
	text := log.String()
	if strings.Count(text, "key=pk-a ") != 1 ||
		!strings.Contains(text, `level=INFO msg="credentials were rejected" key=pk-a count=3001 reason="wrong secret"`) ||
		strings.Contains(text, guess) {
		t.Errorf("the log says %s", text)
	}
	if counts["wrong secret"] != 3002 {
		t.Errorf("counted are %v", counts)
	}
	log.Reset()
	f.report()
	if log.Len() > 0 {
		t.Errorf("a minute without failures leaves %s", log)
	}
	if before := *held; try("192.0.2.1", basic("pk-a:x")) == nil || *held != before {
		t.Error("what was a minute ago still counts")
	}
}

// writerFunc is called with each line of a log.
type writerFunc func(line []byte)

func (f writerFunc) Write(line []byte) (int, error) {
	f(line)
	return len(line), nil
}

// TestFailuresAreReported checks that failures are logged once a minute and at the end, and that a delay ends when the
// request is canceled.
func TestFailuresAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines atomic.Int64
		log := writerFunc(func(line []byte) {
			if bytes.Contains(line, []byte("credentials were rejected")) {
				lines.Add(1)
			}
		})
		f := NewFailures(slog.New(slog.NewTextHandler(log, nil)), func(string) {})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { f.Run(ctx); close(done) }()
		said := func() int64 {
			synctest.Wait()
			return lines.Load()
		}
		fail := func(ctx context.Context) time.Duration {
			start := time.Now()
			_ = f.Slow(ctx, "192.0.2.1", unauthorized("x").wrong("unknown key", "pk-lf-1"))
			return time.Since(start)
		}
		for range freeFailures {
			if took := fail(ctx); took != 0 {
				t.Fatalf("one of the first is held back for %v", took)
			}
		}
		if took := fail(ctx); took != holdBack {
			t.Errorf("held back for %v, want %v", took, holdBack)
		}
		gone, leave := context.WithCancel(ctx)
		leave()
		if took := fail(gone); took != 0 {
			t.Errorf("a caller who left is held back for %v", took)
		}
		if f.held != 0 {
			t.Errorf("%d answers are held back in the end", f.held)
		}
		if n := said(); n != 0 {
			t.Errorf("%d lines at once", n)
		}
		time.Sleep(failureWindow)
		if n := said(); n != 1 {
			t.Errorf("%d lines after a minute", n)
		}
		_ = fail(ctx)
		stop()
		<-done
		if n := said(); n != 2 {
			t.Errorf("%d lines at the end", n)
		}
	})
}

// TestFailuresOfAdmins checks that wrong admin keys are counted as failures of one key, and not logged.
func TestFailuresOfAdmins(t *testing.T) {
	f, log, counts, held := newTestFailures()
	admin := NewAdmin("the-right-admin-key")
	for range freeFailures + 1 {
		_ = f.Slow(t.Context(), "192.0.2.1", admin.Check("Bearer wrong-admin-key"))
	}
	_ = f.Slow(t.Context(), "192.0.2.1", admin.Check("")) // no credential was presented
	f.report()
	if *held != 1 || counts["wrong admin key"] != freeFailures+1 || !strings.Contains(log.String(), `key="(admin key)" count=31`) ||
		strings.Contains(log.String(), "wrong-admin-key") {
		t.Errorf("held back %d, counted %v, logged %s", *held, counts, log)
	}
	if f.Slow(t.Context(), "192.0.2.1", nil) != nil || (*Failures)(nil).Slow(t.Context(), "", context.Canceled) == nil {
		t.Error("errors of other kinds are changed")
	}
}

// TestFailuresAreBounded checks that tables, log lines and delayed responses are limited, whatever clients send.
func TestFailuresAreBounded(t *testing.T) {
	f, log, _, _ := newTestFailures()
	for n := range 2 * maxFailing {
		_ = f.Slow(t.Context(), fmt.Sprint("address", n), unauthorized("x").wrong("unknown key", fmt.Sprint("pk-lf-", n)))
	}
	if len(f.byKey) > maxFailing+1 || len(f.byAddress) > maxFailing+1 || f.byKey[others].count < maxFailing-1 {
		t.Errorf("%d keys, %d addresses, others %+v", len(f.byKey), len(f.byAddress), f.byKey[others])
	}
	f.report()
	if lines := strings.Count(log.String(), "\n"); lines != maxReported+1 || !strings.Contains(log.String(), `key=(others)`) {
		t.Errorf("%d lines are logged", lines)
	}
	// The table has maxFailing keys and (others); all except (others) failed once.
	if rest := fmt.Sprintf(`msg="credentials of further keys were rejected" keys=%d count=%[1]d`,
		maxFailing+1-maxReported); !strings.Contains(log.String(), rest) {
		t.Errorf("the log does not say %s", rest)
	}

	f.held = maxHeldBack
	var denied *Denied
	for range freeFailures {
		_ = f.Slow(t.Context(), "a", unauthorized("x").wrong("unknown key", "k"))
	}
	if err := f.Slow(t.Context(), "a", unauthorized("x").wrong("unknown key", "k")); !errors.As(err, &denied) ||
		denied.Status != http.StatusTooManyRequests || denied.RetryAfter == 0 {
		t.Errorf("with everything taken: %v", err)
	}
}

func TestShownKey(t *testing.T) {
	long := "pk-lf-" + strings.Repeat("x", 1000)
	for _, c := range []struct {
		text  string
		known bool
		want  string
	}{
		{"pk-lf-unknown", false, "pk-lf-unknown"},
		{"sk-lf-secret", false, "(no public key)"},
		{"anything", false, "(no public key)"},
		{"chosen", true, "chosen"},
		{long, false, long[:64] + "…"},
		{"pk-lf-\xff\n", false, "pk-lf-\uFFFD\n"},
	} {
		if got := shownKey(c.text, c.known); got != c.want {
			t.Errorf("%.20q is shown as %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFailuresOfLongHeaders: of a header, which may be long, only the key is kept until it is logged.
func TestFailuresOfLongHeaders(t *testing.T) {
	keys := newKeys(newStore())
	f, _, _, _ := newTestFailures()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	secret := strings.Repeat("s", 40_000)
	for n := range 1000 {
		_, err := keys.Check(t.Context(), basic(fmt.Sprintf("pk-lf-%d:%s", n, secret)))
		_ = f.Slow(t.Context(), "192.0.2.1", err)
	}
	if grown := int64(heap()) - int64(before); len(f.byKey) != 1000 || grown > 5<<20 {
		t.Errorf("%d rejected keys take %d bytes", len(f.byKey), grown)
	}
	runtime.KeepAlive(keys)
}
