package export

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"almanac/internal/catalog/exports"
)

const (
	// LeaseLife is how long work stays with a server that says nothing.
	LeaseLife = 30 * time.Second
	// renewal is how often a server says something.
	renewal = LeaseLife / 6
)

// WorkLeased works on something that the catalog has leased to this server, and renews the lease meanwhile, also whenever changed says so. When
// the lease is lost the work is stopped, and exports.ErrLeaseLost returned. Failed is told of renewals that fail for another reason.
func WorkLeased(ctx context.Context, changed <-chan struct{}, renew func(context.Context) error, failed func(error), work func(context.Context) error) error {
	working, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		tick := time.NewTicker(renewal)
		defer tick.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-tick.C:
			case <-changed:
			}
			err := renew(working)
			switch {
			case errors.Is(err, exports.ErrLeaseLost):
				stop(err)
				return
			case err != nil && working.Err() == nil:
				failed(err)
			}
		}
	})
	err := work(working)
	if cause := context.Cause(working); err != nil && cause != nil && ctx.Err() == nil {
		err = cause
	}
	stop(nil)
	renewing.Wait()
	return err
}

// EndLeased notes what became of work that the catalog has leased to this server. It tries again until that succeeds, the lease is lost or ctx
// is done: where there is one server, nobody else would take the work over.
func EndLeased(ctx context.Context, log *slog.Logger, note func(context.Context) error) error {
	for {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), LeaseLife)
		err := note(ending)
		cancel()
		if err == nil || errors.Is(err, exports.ErrLeaseLost) {
			return err
		}
		log.Warn("cannot note how an export ended: unless that succeeds later, it is repeated when its lease has ended", "error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(renewal):
		}
	}
}
