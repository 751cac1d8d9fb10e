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
	// LeaseLife is how long a server keeps a lease that it does not renew.
	LeaseLife = 30 * time.Second
	// renewal is how often a server renews its leases.
	renewal = LeaseLife / 6
)

// WorkLeased runs work under a catalog lease of this server. It renews the lease periodically and whenever changed is
// signalled. If the lease is lost, the work is cancelled and exports.ErrLeaseLost is returned. Other renewal errors are
// passed to failed.
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

// EndLeased records the outcome of leased work. It retries until that succeeds, the lease is lost or ctx is done: with
// a single server, nobody else would take the work over.
func EndLeased(ctx context.Context, log *slog.Logger, note func(context.Context) error) error {
	for {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), LeaseLife)
		err := note(ending)
		cancel()
		if err == nil || errors.Is(err, exports.ErrLeaseLost) {
			return err
		}
		log.Warn("cannot record the outcome of an export: unless a retry succeeds, the export is repeated when its lease expires", "error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(renewal):
		}
	}
}
