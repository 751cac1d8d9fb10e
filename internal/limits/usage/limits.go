// Package usage counts the usage of keys, projects and organizations, and refuses requests that exceed their limits.
// Usage is counted per minute and day in UTC. The counts are kept in memory and synchronized through the catalog every
// few seconds, so that they survive restarts and the limits hold, within that time, for any number of servers.
package usage

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/domain"
)

// Store stores limits and usage.
type Store interface {
	// Limits returns all limits that are set.
	Limits(ctx context.Context) (map[domain.LimitSubject]domain.Limits, error)
	// AddUsage adds to the stored usage and returns the sums. Additions for a minute or day earlier than the stored one
	// are dropped. Stored usage of minutes after latest was written by a clock that was ahead, and is dropped as well.
	AddUsage(ctx context.Context, latest int64, more map[domain.LimitSubject]domain.Usage) (map[domain.LimitSubject]domain.Usage, error)
	// UsageSince returns the usage counted on the given day and later.
	UsageSince(ctx context.Context, day int64) (map[domain.LimitSubject]domain.Usage, error)
}

// Options configures a Tracker.
type Options struct {
	Store Store
	// Defaults are the limits of subjects for which none are set.
	Defaults map[domain.LimitLevel]domain.Limits
	// Clock returns the current time; nil means time.Now.
	Clock   func() time.Time
	Metrics prometheus.Registerer
	Log     *slog.Logger
}

// syncInterval is how often counts are synchronized.
const syncInterval = 5 * time.Second

// maxAhead is how many minutes a window may be ahead of the clock, since the clock of another server may be ahead. A
// window further ahead was started by a clock that has since been set back, and would not end until that time.
const maxAhead = 1

// maxCounters is the maximum number of keys, projects and organizations counted in memory. Beyond that, those without
// activity in this minute are dropped; the catalog still has them.
const maxCounters = 50_000

// Tracker counts usage and enforces limits. It is safe for concurrent use.
type Tracker struct {
	store    Store
	defaults map[domain.LimitLevel]domain.Limits
	clock    func() time.Time
	refused  *prometheus.CounterVec
	log      *slog.Logger
	wake     chan struct{}

	mu       sync.Mutex
	set      map[domain.LimitSubject]domain.Limits
	counters map[domain.LimitSubject]*counter
}

// counter has the counts of one subject.
type counter struct {
	known domain.Usage // the sums of the catalog when it was last read, plus fresh
	fresh domain.Usage // what was counted since
}

// New returns a tracker without any limits or counts loaded. It starts no goroutines.
func New(o Options) *Tracker {
	k := &Tracker{
		store: o.Store, defaults: o.Defaults, clock: o.Clock, log: o.Log, wake: make(chan struct{}, 1),
		refused: promauto.With(o.Metrics).NewCounterVec(prometheus.CounterOpts{
			Name: "almanac_limit_refusals_total", Help: "Requests rejected because a limit was reached, by level and limit.",
		}, []string{"level", "limit"}),
		counters: make(map[domain.LimitSubject]*counter),
	}
	if k.clock == nil {
		k.clock = time.Now
	}
	return k
}

// Exceeded is returned for a request that exceeds a limit. None of it was counted.
type Exceeded struct {
	Level          domain.LimitLevel
	Limit          domain.Limit
	Max, Remaining int64
	ResetAt        time.Time
	RetryAfter     time.Duration // until ResetAt; at least a second
	// Never means that a single request exceeds the whole limit, so that retrying is useless.
	Never bool
}

func (e *Exceeded) Error() string {
	if e.Never {
		return fmt.Sprintf("Rate limit exceeded: this is more than the %s's limit of %d %s. Send less at once.", e.Level, e.Max, e.window())
	}
	return fmt.Sprintf("Rate limit exceeded: the %s's limit of %d %s is reached. Try again after %s.", e.Level, e.Max, e.window(),
		e.ResetAt.UTC().Format(time.RFC3339))
}

func (e *Exceeded) window() string {
	if e.Limit.Daily() {
		return e.Limit.Unit() + " per day"
	}
	return e.Limit.Unit() + " per minute"
}

// windows returns the minute and the day of a time.
func windows(at time.Time) (minute, day int64) {
	seconds := at.Unix()
	return seconds / 60, seconds / (24 * 60 * 60)
}

// reset returns when a window ends.
func reset(limit domain.Limit, minute, day int64) time.Time {
	if limit.Daily() {
		return time.Unix((day+1)*24*60*60, 0).UTC()
	}
	return time.Unix((minute+1)*60, 0).UTC()
}

// Reserve counts amounts for a consumer: its key, its project and its organization. If any of their limits would be
// exceeded, it counts nothing and returns an *Exceeded. A nil tracker counts nothing.
func (k *Tracker) Reserve(consumer domain.Consumer, amounts domain.Amounts) (Reservation, error) {
	if k == nil {
		return Reservation{}, nil
	}
	now := k.clock()
	minute, day := windows(now)
	subjects := subjectsOf(consumer)
	k.mu.Lock()
	defer k.mu.Unlock()
	var counters [levels]*counter
	for n, subject := range subjects {
		if subject.ID == "" {
			continue
		}
		c := k.counter(subject, minute, day)
		counters[n] = c
		if exceeded := c.exceeds(k.limitsOf(subject), amounts); exceeded != nil {
			exceeded.Level, exceeded.ResetAt = subject.Level, reset(exceeded.Limit, c.known.Minute, c.known.Day)
			exceeded.RetryAfter = max(time.Second, exceeded.ResetAt.Sub(now))
			k.refused.WithLabelValues(string(subject.Level), exceeded.Limit.String()).Inc()
			return Reservation{}, exceeded
		}
	}
	taken := Reservation{tracker: k, consumer: consumer, amounts: amounts}
	for n, c := range counters {
		if c != nil {
			c.add(amounts)
			taken.in[n] = window{c.known.Minute, c.known.Day}
		}
	}
	return taken, nil
}

// Reservation is a set of counted amounts.
type Reservation struct {
	tracker  *Tracker
	consumer domain.Consumer
	amounts  domain.Amounts
	in       [levels]window // of the key, the project and the organization
}

// window is the minute and the day in which amounts were counted.
type window struct{ minute, day int64 }

// Undo subtracts the amounts again, unless their minute or day is over.
func (t Reservation) Undo() {
	k := t.tracker
	if k == nil {
		return
	}
	for n := range t.amounts {
		t.amounts[n] = -t.amounts[n]
	}
	minute, day := windows(k.clock())
	k.mu.Lock()
	defer k.mu.Unlock()
	for n, subject := range subjectsOf(t.consumer) {
		if subject.ID == "" {
			continue
		}
		c := k.counter(subject, minute, day)
		for _, u := range [...]*domain.Usage{&c.known, &c.fresh} {
			if u.Minute == t.in[n].minute {
				u.InMinute = u.InMinute.Plus(t.amounts)
			}
			if u.Day == t.in[n].day {
				u.InDay = u.InDay.Plus(t.amounts)
			}
		}
	}
}

// levels is the number of subjects that a consumer has.
const levels = 3

func subjectsOf(c domain.Consumer) [levels]domain.LimitSubject {
	return [levels]domain.LimitSubject{
		{Level: domain.LevelKey, ID: c.KeyID},
		{Level: domain.LevelProject, ID: c.ProjectID},
		{Level: domain.LevelOrganization, ID: c.OrganizationID},
	}
}

// limitsOf returns the limits of a subject, with defaults for those that are not set.
func (k *Tracker) limitsOf(subject domain.LimitSubject) domain.Limits {
	limits := k.defaults[subject.Level]
	if len(k.set) == 0 {
		return limits
	}
	for n, own := range k.set[subject] {
		if own != 0 {
			limits[n] = own
		}
	}
	return limits
}

// counter returns the counter of a subject for the current minute and day.
func (k *Tracker) counter(subject domain.LimitSubject, minute, day int64) *counter {
	c := k.counters[subject]
	if c == nil {
		if len(k.counters) >= maxCounters {
			k.forget(minute)
		}
		c = new(counter)
		k.counters[subject] = c
	}
	roll(&c.known, minute, day)
	roll(&c.fresh, minute, day)
	return c
}

// roll starts a new minute or day if the current one is over, or if the clock was set back before it.
func roll(u *domain.Usage, minute, day int64) {
	if u.Minute > minute+maxAhead {
		*u = domain.Usage{Minute: minute, Day: day}
		return
	}
	advance(u, minute, day)
}

// advance starts a new minute or day if it is later than the current one.
func advance(u *domain.Usage, minute, day int64) {
	if minute > u.Minute {
		u.Minute, u.InMinute = minute, domain.Amounts{}
	}
	if day > u.Day {
		u.Day, u.InDay = day, domain.Amounts{}
	}
}

// forget makes room by dropping counters that have no activity in this minute and no counts that the catalog lacks.
func (k *Tracker) forget(minute int64) {
	for subject, c := range k.counters {
		if c.known.Minute < minute && c.fresh.InDay == (domain.Amounts{}) {
			delete(k.counters, subject)
		}
	}
}

// exceeds returns the limit that would be exceeded, or nil if there is none. Daily limits come first, since they last
// longer.
func (c *counter) exceeds(limits domain.Limits, amounts domain.Amounts) *Exceeded {
	if limits == (domain.Limits{}) {
		return nil
	}
	for _, daily := range [...]bool{true, false} {
		used := &c.known.InMinute
		if daily {
			used = &c.known.InDay
		}
		for limit := range domain.LimitCount {
			most, unit := limits[limit], limit/2
			if limit.Daily() != daily || most == 0 || amounts[unit] == 0 || used[unit]+amounts[unit] <= most {
				continue
			}
			return &Exceeded{Limit: limit, Max: most, Remaining: max(0, most-used[unit]), Never: amounts[unit] > most}
		}
	}
	return nil
}

func (c *counter) add(amounts domain.Amounts) {
	for n, amount := range amounts {
		c.known.InMinute[n] += amount
		c.known.InDay[n] += amount
		c.fresh.InMinute[n] += amount
		c.fresh.InDay[n] += amount
	}
}

// Report has the limits and the usage of one subject.
type Report struct {
	Set    domain.Limits // those that were set
	Limits domain.Limits // those in effect, including defaults
	Used   [domain.LimitCount]int64
	Reset  [domain.LimitCount]time.Time
}

// Report returns the limits and the usage of a subject as known to this server.
func (k *Tracker) Report(subject domain.LimitSubject) Report {
	minute, day := windows(k.clock())
	k.mu.Lock()
	defer k.mu.Unlock()
	r := Report{Set: k.set[subject], Limits: k.limitsOf(subject)}
	var known domain.Usage
	if c := k.counters[subject]; c != nil {
		known = c.known
	}
	roll(&known, minute, day)
	for limit := range domain.LimitCount {
		r.Used[limit] = max(0, known.InMinute[limit/2])
		if limit.Daily() {
			r.Used[limit] = max(0, known.InDay[limit/2])
		}
		r.Reset[limit] = reset(limit, known.Minute, known.Day)
	}
	return r
}
