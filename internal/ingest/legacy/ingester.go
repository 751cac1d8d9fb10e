package legacy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/pricing"
	"almanac/internal/ingest/semconv"
	"almanac/internal/store"
)

// Table stores rows; it is implemented by the observations of a store.Store.
type Table interface {
	Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error
	Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*domain.Observation, error]
}

// Options configure an ingester.
type Options struct {
	Table Table
	// Lock takes the locks of rows that are about to be changed: those of the table, which deletions take as well.
	Lock   func(ctx context.Context, scope domain.ProjectScope, names []string) (release func(), err error)
	Prices ingest.Prices
	// Masks are applied to incoming data before anything else is done with it; nil for none.
	Masks *ingest.Masks
	// LinkPrompts sets the prompt ids of rows; nil for no ids.
	LinkPrompts func(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation)
	// Memory bounds the memory held by all batches together.
	Memory *ingest.Budget
	// Stored is called with the start time of the newest stored event; nil for no call.
	Stored func(domain.Micros)
	// Times limits the times of traces and the start times of observations. The zero value allows any time.
	Times domain.TimeWindow
	// Metrics is where metrics are registered; nil for nowhere.
	Metrics prometheus.Registerer
	// Clock returns the current time; nil for the real clock.
	Clock func() time.Time
}

// Ingester ingests events. It is safe for concurrent use and has no background goroutines.
type Ingester struct {
	Options
	mappers sync.Pool
	metrics *metrics
}

// New returns an ingester.
func New(o Options) *Ingester {
	in := &Ingester{Options: o, metrics: newMetrics(o.Metrics)}
	if in.Clock == nil {
		in.Clock = time.Now
	}
	in.mappers.New = func() any { return new(semconv.Mapper) }
	return in
}

// work is a batch being processed.
type work struct {
	scope  domain.ProjectScope
	key    string // the client's public key
	now    domain.Micros
	mapper *semconv.Mapper
	times  domain.TimeWindow
	masks  *ingest.Masks
	prices *pricing.List
	errs   []error
	// unpublished has the events that would have published their trace with the permission to do so.
	unpublished map[int]bool
}

// Limits for the changes in one append. The rest goes into the next append.
const (
	maxThings = 256
	maxLoaded = 32 << 20 // bytes of rows already stored
)

// errLoaded means that the stored rows to be changed exceed maxLoaded.
var errLoaded = errors.New("the stored rows are too large to be changed at once")

// Ingest stores events. It returns an error for each, in order: nil if it is on disk and visible to every read, a
// *decode.Invalid if it is invalid, and any other error if it could not be stored for now.
func (in *Ingester) Ingest(ctx context.Context, scope domain.ProjectScope, key string, events []Event) []error {
	prices, err := in.Prices.Of(ctx, scope)
	if err != nil {
		// Prices would be wrong permanently; refused for now, the events will be sent again.
		err = fmt.Errorf("%w: cannot read the models of project %s: %w", store.ErrBusy, scope.ProjectID(), err)
		return slices.Repeat([]error{err}, len(events))
	}
	mapper := in.mappers.Get().(*semconv.Mapper) //nolint:forcetypeassert // the pool holds nothing else
	now := domain.MicrosOf(in.Clock())
	mapper.Begin(semconv.Source{}, now)
	w := &work{
		scope: scope, key: key, now: now, mapper: mapper, times: in.Times, masks: in.Masks, prices: prices,
		errs:        make([]error, len(events)),
		unpublished: make(map[int]bool),
	}
	var changes []*change
	for n := range events {
		c, err := w.read(n, &events[n])
		if err != nil {
			w.errs[n] = err
			continue
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, before)
	for len(changes) > 0 {
		n := batchLen(changes, maxThings)
		in.store(ctx, w, changes[:n])
		changes = changes[n:]
	}
	mapper.End()
	in.mappers.Put(mapper) // not after a panic, when its state is unknown
	in.metrics.count(events, w)
	return w.errs
}

// batchLen returns how many of the changes, from the first on, concern no more than most traces and observations.
func batchLen(changes []*change, most int) int {
	type thing struct{ trace, id string }
	seen := make(map[thing]struct{}, most)
	for n, c := range changes {
		t := thing{c.traceID, c.id}
		if _, known := seen[t]; known {
			continue
		}
		if len(seen) == most {
			return n
		}
		seen[t] = struct{}{}
	}
	return len(changes)
}

// store stores changes, in halves if the rows concerned are too large to be held in memory together.
func (in *Ingester) store(ctx context.Context, w *work, changes []*change) {
	err := in.storeAtOnce(ctx, w, changes)
	if errors.Is(err, errLoaded) {
		half := len(changes) / 2
		in.store(ctx, w, changes[:half])
		in.store(ctx, w, changes[half:])
		return
	}
	if err == nil {
		return
	}
	for _, c := range changes {
		if w.errs[c.event] == nil {
			w.errs[c.event] = err
		}
	}
}
