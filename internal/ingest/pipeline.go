// Package ingest takes exports of spans in: it decodes them, makes rows of them, prices and masks the rows and stores
// them. Transports (HTTP, gRPC) bring it bodies and tell clients what became of them.
//
// All memory that exports hold is reserved in one budget before it is taken, so it is bounded whatever is sent.
package ingest

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/domain"
	"almanac/internal/fair"
	"almanac/internal/limits"
	"almanac/internal/otlp"
	"almanac/internal/pricing"
)

// Table is where rows are stored: the observations of a store.Store.
type Table interface {
	Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error
}

// Prices has the model definitions of projects: a pricing.Book, or a pricing.List that is everybody's.
type Prices interface {
	Of(ctx context.Context, scope domain.ProjectScope) (*pricing.List, error)
}

// Prompts knows the ids of prompts.
type Prompts interface {
	// FillIDs fills in the ids of versions of prompts; those that do not exist stay empty.
	FillIDs(ctx context.Context, scope domain.ProjectScope, ids map[domain.PromptReference]string)
}

// Options are what a pipeline needs.
type Options struct {
	Table  Table
	Prices Prices
	// Limits bound what one export may hold.
	Limits otlp.Limits
	// MaxExport is the size of the largest body in bytes, also once it is decompressed.
	MaxExport int64
	// Memory is how many bytes all exports hold together; Wait is how long one waits for its share.
	Memory int64
	Wait   time.Duration
	// Turns is how many exports are decoded and mapped at once, 0 for as many as keep the processors busy; TurnWait is how long
	// one waits for its turn.
	Turns    int
	TurnWait time.Duration
	// Masks are applied to rows before they are stored; nil for none.
	Masks *Masks
	// Media keeps files that are taken out of rows before they are stored; nil to leave them where they are.
	Media MediaKeeper
	// Prompts are what generations are linked to; nil for none.
	Prompts Prompts
	// Usage counts spans and bytes, and refuses exports that pass a limit; nil counts nothing.
	Usage *limits.Keeper
	// Metrics is where measurements are registered; nil for nowhere.
	Metrics prometheus.Registerer
	// ProjectMetrics says that spans are counted by project.
	ProjectMetrics bool
	// Clock tells the time; nil for the real one.
	Clock func() time.Time
	Log   *slog.Logger
}

// Pipeline takes exports in. It is safe for concurrent use and has no background work.
type Pipeline struct {
	options Options

	receiving     *Budget    // for bodies as they are sent
	working       *Budget    // for everything that is made of them
	turns         *fair.Pool // at making it
	turnWait      time.Duration
	buffers       buffers
	workers       sync.Pool
	decompressors *decompressors
	metrics       *metrics
	lastEvent     atomic.Int64 // domain.Micros
	lastComplaint atomic.Int64 // when a failure of the store was last logged, in nanoseconds
}

// New returns a pipeline. It starts nothing.
func New(o Options) *Pipeline {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	p := &Pipeline{options: o, decompressors: newDecompressors()}
	// Two budgets, so that exports that were received can always be worked on and free what they hold, however many
	// others are being received.
	p.receiving, p.working = newSharedBudget(o.Memory/3, o.Wait), newSharedBudget(o.Memory-o.Memory/3, o.Wait)
	turns := int64(cmp.Or(o.Turns, max(4, 2*runtime.GOMAXPROCS(0))))
	p.turns, p.turnWait = fair.New(turns, fair.MostOf(turns)), cmp.Or(o.TurnWait, o.Wait)
	p.workers.New = func() any { return new(worker) }
	p.metrics = newMetrics(o.Metrics, o.ProjectMetrics, p.receiving, p.working, p.turns)
	return p
}

// MaxExport returns the size of the largest body that is accepted.
func (p *Pipeline) MaxExport() int64 { return p.options.MaxExport }

// NewBody returns an empty body of an export to a project.
func (p *Pipeline) NewBody(project string) *Body {
	return &Body{buffers: &p.buffers, reservation: p.receiving.Reserve(project)}
}

// LastEvent returns when the newest event started that was stored since the pipeline was made; the zero time if there
// is none. Clocks of clients that are ahead do not count for more than now.
func (p *Pipeline) LastEvent() time.Time { return domain.Micros(p.lastEvent.Load()).Time() }

// Working returns the budget of the memory that is needed to work on what was sent, for those who store it another way.
func (p *Pipeline) Working() *Budget { return p.working }

// NoteEvent remembers the newest event. One that is in the future, since a clock was set back, does not outlive the next.
func (p *Pipeline) NoteEvent(at domain.Micros) {
	now := domain.MicrosOf(p.options.Clock())
	at = min(at, now)
	for {
		last := p.lastEvent.Load()
		if int64(at) <= last && last <= int64(now) || p.lastEvent.CompareAndSwap(last, int64(at)) {
			return
		}
	}
}
