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
	"almanac/internal/pricing"
	"almanac/internal/semconv"
	"almanac/internal/store"
)

// Table is where rows are kept: the observations of a store.Store.
type Table interface {
	Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error
	Lookup(ctx context.Context, scope domain.ProjectScope, l store.Lookup) iter.Seq2[*domain.Observation, error]
}

// Options are what an ingester needs.
type Options struct {
	Table  Table
	Prices ingest.Prices
	// Masks are applied to what is sent before anything else is done with it; nil for none.
	Masks *ingest.Masks
	// LinkPrompts gives rows the ids of the prompts that they were made with; nil for no ids.
	LinkPrompts func(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation)
	// Memory bounds what all batches hold together.
	Memory *ingest.Budget
	// Stored is told when the newest event started that was stored; nil for nobody.
	Stored func(domain.Micros)
	// Metrics is where measurements are registered; nil for nowhere.
	Metrics prometheus.Registerer
	// Others keeps writers of other servers apart from those of this one; nil if there are none.
	Others store.RemoteLocker
	// Clock tells the time; nil for the real one.
	Clock func() time.Time
}

// Ingester takes events in. It is safe for concurrent use and has no background work.
type Ingester struct {
	Options
	locks   *store.IDLocks
	mappers sync.Pool
	metrics *metrics
}

// New returns an ingester.
func New(o Options) *Ingester {
	in := &Ingester{Options: o, locks: store.NewIDLocks(o.Others), metrics: newMetrics(o.Metrics)}
	if in.Clock == nil {
		in.Clock = time.Now
	}
	in.mappers.New = func() any { return new(semconv.Mapper) }
	return in
}

// work is one batch that is worked on.
type work struct {
	scope  domain.ProjectScope
	key    string // public key of the client
	now    domain.Micros
	mapper *semconv.Mapper
	masks  *ingest.Masks
	prices *pricing.List
	errs   []error
}

// The bounds of what is changed with one append. What is more is changed with the next.
const (
	maxThings = 256
	maxLoaded = 32 << 20 // bytes of rows that were stored before
)

// errLoaded means that the stored rows are larger together than what is changed at once may be.
var errLoaded = errors.New("the stored rows are too large to be changed at once")

// Ingest stores events. It returns what became of each, in order: nil if it is on disk and every read sees it, an
// *decode.Invalid if it is not as it should be, anything else if it could not be stored for now.
func (in *Ingester) Ingest(ctx context.Context, scope domain.ProjectScope, key string, events []Event) []error {
	prices, err := in.Prices.Of(ctx, scope)
	if err != nil {
		// Prices would be wrong for good; the client sends again what is refused for now.
		err = fmt.Errorf("%w: cannot read the models of project %s: %w", store.ErrBusy, scope.ProjectID(), err)
		return slices.Repeat([]error{err}, len(events))
	}
	mapper := in.mappers.Get().(*semconv.Mapper) //nolint:forcetypeassert // the pool holds nothing else
	now := domain.MicrosOf(in.Clock())
	mapper.Begin(semconv.Source{}, now)
	w := &work{
		scope: scope, key: key, now: now, mapper: mapper, masks: in.Masks, prices: prices, errs: make([]error, len(events)),
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
		n := countThings(changes, maxThings)
		in.store(ctx, w, changes[:n])
		changes = changes[n:]
	}
	mapper.End()
	in.mappers.Put(mapper) // not after a panic: nobody knows what is in it then
	in.metrics.count(events, w.errs)
	return w.errs
}

// countThings returns how many of the changes, from the first, are about no more than so many things.
func countThings(changes []*change, most int) int {
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

// store stores changes, in halves if they concern more than can be held at once.
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
