// Package ingest receives exports of spans: it decodes them, maps spans to rows, prices and masks the rows and stores
// them. Transports (HTTP, gRPC) supply request bodies and report the outcome to clients.
//
// All memory held by exports is reserved in a budget before it is allocated, so it is bounded whatever clients send.
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
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/limits/fair"
	"almanac/internal/limits/usage"
)

// Table stores rows; it is implemented by the observations of a store.Store.
type Table interface {
	Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) error
}

// Prices returns the model definitions of projects: pricing.Lists, or a pricing.List shared by all projects.
type Prices interface {
	Of(ctx context.Context, scope domain.ProjectScope) (*pricing.List, error)
}

// Prompts looks up the ids of prompts.
type Prompts interface {
	// FillIDs fills in the ids of prompt versions; ids of versions that do not exist stay empty.
	FillIDs(ctx context.Context, scope domain.ProjectScope, ids map[domain.PromptReference]string)
}

// Options configure a pipeline.
type Options struct {
	Table  Table
	Prices Prices
	// Limits bound the contents of one export.
	Limits otlp.Limits
	// Times limits the start of spans; spans outside are rejected. The zero value allows any time.
	Times domain.TimeWindow
	// MaxExport is the maximum size of a body in bytes, before and after decompression.
	MaxExport int64
	// Memory is the total number of bytes that exports may hold; Wait is the maximum time an export waits for its share.
	Memory int64
	Wait   time.Duration
	// Turns is the maximum number of exports that are decoded and mapped concurrently, 0 for as many as keep the
	// processors busy; TurnWait is the maximum time an export waits for its turn.
	Turns    int
	TurnWait time.Duration
	// Masks are applied to rows before they are stored; nil for none.
	Masks *Masks
	// Media stores files extracted from rows before these are stored; nil leaves files inline.
	Media MediaKeeper
	// Prompts resolves the prompts that generations are linked to; nil for none.
	Prompts Prompts
	// Usage counts spans and bytes, and refuses exports over a limit; nil counts nothing.
	Usage *usage.Tracker
	// Metrics is where metrics are registered; nil for nowhere.
	Metrics prometheus.Registerer
	// ProjectMetrics enables span counters by project.
	ProjectMetrics bool
	// Clock returns the current time; nil for the real clock.
	Clock func() time.Time
	Log   *slog.Logger
}

// Pipeline ingests exports. It is safe for concurrent use and has no background goroutines.
type Pipeline struct {
	options Options

	receiving     *Budget    // for bodies as sent
	working       *Budget    // for everything made from them
	turns         *fair.Pool // permits for that work
	turnWait      time.Duration
	buffers       buffers
	workers       sync.Pool
	decompressors *decompressors
	metrics       *metrics
	lastEvent     atomic.Int64 // domain.Micros
	lastComplaint atomic.Int64 // time of the last complaint, in Unix nanoseconds
}

// New returns a pipeline. It starts no goroutines.
func New(o Options) *Pipeline {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	p := &Pipeline{options: o, decompressors: newDecompressors()}
	// There are two budgets so that exports already received can always be processed, and free their memory, however many
	// others are being received.
	p.receiving, p.working = newSharedBudget(o.Memory/3, o.Wait), newSharedBudget(o.Memory-o.Memory/3, o.Wait)
	turns := int64(cmp.Or(o.Turns, max(4, 2*runtime.GOMAXPROCS(0))))
	p.turns, p.turnWait = fair.New(turns, fair.DefaultShare(turns)), cmp.Or(o.TurnWait, o.Wait)
	p.workers.New = func() any { return new(worker) }
	p.metrics = newMetrics(o.Metrics, o.ProjectMetrics, p.receiving, p.working, p.turns)
	return p
}

// MaxExport returns the maximum size of a body in bytes.
func (p *Pipeline) MaxExport() int64 { return p.options.MaxExport }

// NewBody returns an empty body for an export to a project.
func (p *Pipeline) NewBody(project string) *Body {
	return &Body{buffers: &p.buffers, reservation: p.receiving.Reserve(project)}
}

// LastEvent returns the start time of the newest event stored since the pipeline was created, the zero time if there is
// none. Timestamps in the future, from clients whose clock is ahead, count as now.
func (p *Pipeline) LastEvent() time.Time { return domain.Micros(p.lastEvent.Load()).Time() }

// Working returns the memory budget for processing exports, for callers that store them another way.
func (p *Pipeline) Working() *Budget { return p.working }

// NoteEvent records the time of an event if it is the newest. A recorded time in the future, left over after the clock
// was set back, is replaced by the next event.
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
