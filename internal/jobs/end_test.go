package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/catalog/leases"
)

// TestEnd checks that retries continue until the lease is lost or the server stops.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken, began := errors.New("broken"), time.Now()
		for n, answers := range [][]error{{nil}, {broken, broken, nil}, {broken, leases.ErrLost}, {broken, broken, broken}} {
			ctx, stop := context.WithCancel(t.Context())
			calls := 0
			var lines strings.Builder
			err := end(ctx, slog.New(slog.NewTextHandler(&lines, nil)), func(ctx context.Context) error {
				calls++
				if n == 3 && calls == len(answers) {
					stop()
				}
				return errors.Join(ctx.Err(), answers[calls-1])
			})
			stop()
			want := answers[len(answers)-1]
			if logged := strings.Count(lines.String(), "error=broken"); !errors.Is(err, want) || calls != len(answers) || logged < calls-1 {
				t.Errorf("%d: after %d calls it is %v, want %v: %s", n, calls, err, want, lines.String())
			}
		}
		if passed := time.Since(began); passed != 5*renewal {
			t.Errorf("it waited for %v", passed)
		}
	})
}
