package usage

import (
	"context"
	"fmt"
	"time"

	"almanac/internal/domain"
)

// Load reads the limits and today's usage. It must be called before anything is counted.
func (k *Tracker) Load(ctx context.Context) error {
	if err := k.Reload(ctx); err != nil {
		return err
	}
	_, day := windows(k.clock())
	found, err := k.store.UsageSince(ctx, day)
	if err != nil {
		return fmt.Errorf("cannot read today's usage: %w", err)
	}
	k.merge(found)
	return nil
}

// Reload reads the limits that were set.
func (k *Tracker) Reload(ctx context.Context) error {
	set, err := k.store.Limits(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the limits: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.set = set
	return nil
}

// Set puts limits into effect that were just stored.
func (k *Tracker) Set(subject domain.LimitSubject, limits domain.Limits) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set == nil {
		k.set = make(map[domain.LimitSubject]domain.Limits)
	}
	k.set[subject] = limits
}

// Changed makes Run reload the limits soon.
func (k *Tracker) Changed() {
	if k == nil {
		return
	}
	select {
	case k.wake <- struct{}{}:
	default: // a reload is already pending
	}
}

// Run synchronizes counts with the catalog every few seconds, and once more at the end. It returns when ctx is done.
func (k *Tracker) Run(ctx context.Context) {
	ticker := time.NewTicker(syncInterval)
	defer ticker.Stop()
	stale := false // limits were changed and could not be reloaded
	for {
		select {
		case <-k.wake:
			stale = k.reload(ctx)
		case <-ticker.C:
			if stale {
				stale = k.reload(ctx)
			}
			k.sync(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			k.sync(last)
			return
		}
	}
}

// reload reloads limits after a change, and reports whether to retry.
func (k *Tracker) reload(ctx context.Context) (failed bool) {
	err := k.Reload(ctx)
	if err != nil && ctx.Err() == nil {
		k.log.Warn("cannot reload limits: changes are not in effect yet", "error", err)
	}
	return err != nil
}

// sync stores what was counted and reads what other servers counted. If that fails, the counts are kept for the next
// time.
func (k *Tracker) sync(ctx context.Context) {
	fresh := k.takeFresh()
	if len(fresh) == 0 {
		return
	}
	minute, _ := windows(k.clock())
	sums, err := k.store.AddUsage(ctx, minute+maxAhead, fresh)
	if err != nil {
		k.log.Warn("cannot persist usage: until this recovers, each server enforces limits on its own", "error", err)
		k.putBack(fresh)
		return
	}
	k.merge(sums)
}

// takeFresh returns and resets what was counted since the last call.
func (k *Tracker) takeFresh() map[domain.LimitSubject]domain.Usage {
	k.mu.Lock()
	defer k.mu.Unlock()
	fresh := make(map[domain.LimitSubject]domain.Usage)
	for subject, c := range k.counters {
		if c.fresh.InDay != (domain.Amounts{}) || c.fresh.InMinute != (domain.Amounts{}) {
			fresh[subject] = c.fresh
			c.fresh.InDay, c.fresh.InMinute = domain.Amounts{}, domain.Amounts{}
		}
	}
	return fresh
}

// putBack adds counts that could not be stored to the fresh ones again, unless their windows are over.
func (k *Tracker) putBack(fresh map[domain.LimitSubject]domain.Usage) {
	minute, day := windows(k.clock())
	k.mu.Lock()
	defer k.mu.Unlock()
	for subject, usage := range fresh {
		c := k.counter(subject, minute, day)
		if c.fresh.Minute == usage.Minute {
			c.fresh.InMinute = c.fresh.InMinute.Plus(usage.InMinute)
		}
		if c.fresh.Day == usage.Day {
			c.fresh.InDay = c.fresh.InDay.Plus(usage.InDay)
		}
	}
}

// merge adopts the sums of the catalog, and adds what was counted since they were read.
func (k *Tracker) merge(sums map[domain.LimitSubject]domain.Usage) {
	minute, day := windows(k.clock())
	k.mu.Lock()
	defer k.mu.Unlock()
	for subject, sum := range sums {
		if sum.Minute > minute+maxAhead {
			continue // written by a clock that was ahead
		}
		c := k.counter(subject, minute, day)
		advance(&c.known, sum.Minute, sum.Day)
		advance(&c.fresh, sum.Minute, sum.Day)
		if c.known.Minute == sum.Minute {
			c.known.InMinute = sum.InMinute
			if c.fresh.Minute == sum.Minute {
				c.known.InMinute = sum.InMinute.Plus(c.fresh.InMinute)
			}
		}
		if c.known.Day == sum.Day {
			c.known.InDay = sum.InDay
			if c.fresh.Day == sum.Day {
				c.known.InDay = sum.InDay.Plus(c.fresh.InDay)
			}
		}
	}
}
