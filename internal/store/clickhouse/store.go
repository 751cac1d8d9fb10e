package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Options tunes a store. Zero values stand for the defaults.
type Options struct {
	// Patience is how long an append takes at most: it waits for its turn, and for a ClickHouse that does not respond.
	// Default 10 seconds.
	Patience time.Duration
	// Memory is the maximum size in bytes of rows waiting to be inserted, per table. Default 128 MiB.
	Memory int64
	// BatchRows and BatchBytes limit a single insert; one append is never split. Default 20,000 rows and 32 MiB.
	BatchRows, BatchBytes int
	// Pause is the minimum time between two inserts into a table, so that ClickHouse gets few large inserts instead of
	// many small ones. Appends that arrive meanwhile are batched. Default 50 milliseconds; negative for none.
	Pause time.Duration
	Log   *slog.Logger
}

func (o *Options) setDefaults() {
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	o.Memory = cmp.Or(o.Memory, 128<<20)
	o.BatchRows = cmp.Or(o.BatchRows, 20_000)
	o.BatchBytes = cmp.Or(o.BatchBytes, 32<<20)
	o.Pause = cmp.Or(o.Pause, 50*time.Millisecond)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Store is an event store on ClickHouse.
type Store struct {
	client  *client
	options Options
	// life ends when the store is closed, and with it all running operations.
	life  context.Context
	end   context.CancelCauseFunc
	clock clock
	work  sync.WaitGroup

	observations *table[domain.Observation]
	scores       *table[domain.Score]
	stats        statsCache
}

var _ store.Store = (*Store)(nil)

// Open opens the store at an address and migrates its tables.
func Open(ctx context.Context, a Address, options Options) (*Store, error) {
	options.setDefaults()
	s := &Store{client: newClient(a), options: options}
	s.life, s.end = context.WithCancelCause(context.Background())
	if err := s.migrate(ctx); err != nil {
		s.client.close()
		return nil, fmt.Errorf("opening the tables in ClickHouse at %s: %w", a, err)
	}
	s.observations = newTable(s, observationsDefinition())
	s.scores = newTable(s, scoresDefinition())
	return s, nil
}

// Observations returns the table of observations.
func (s *Store) Observations() store.Table[domain.Observation] { return s.observations }

// Scores returns the table of scores.
func (s *Store) Scores() store.Table[domain.Score] { return s.scores }

// Flush has nothing to do: acknowledged writes are already in ClickHouse.
func (s *Store) Flush(ctx context.Context) error {
	if err := s.closed(); err != nil {
		return err
	}
	return ctx.Err()
}

// Close cancels all running operations.
func (s *Store) Close() error {
	if err := s.closed(); err != nil {
		return err
	}
	s.end(store.ErrClosed)
	s.work.Wait()
	s.client.close()
	return nil
}

func (s *Store) closed() error {
	if s.life.Err() != nil {
		return fmt.Errorf("using the store in ClickHouse: %w", store.ErrClosed)
	}
	return nil
}

// withLifetime returns a context that is also cancelled when the store is closed, with store.ErrClosed as the cause.
func (s *Store) withLifetime(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { cancel(store.ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// clock generates row versions: nanoseconds since 1970, strictly increasing.
type clock struct{ last atomic.Int64 }

func (c *clock) next() int64 {
	for {
		last := c.last.Load()
		now := max(time.Now().UnixNano(), last+1)
		if c.last.CompareAndSwap(last, now) {
			return now
		}
	}
}

// raise makes all later versions larger than number.
func (c *clock) raise(number int64) {
	for last := c.last.Load(); number > last; last = c.last.Load() {
		if c.last.CompareAndSwap(last, number) {
			return
		}
	}
}

// Mark implements store.Store. It returns the version that a row would get now. Rows on their way to ClickHouse have
// smaller ones, and so may rows that other servers append; see VisibilityDelay.
func (s *Store) Mark() store.Mark {
	now := s.clock.next()
	return store.Mark{Observations: now, Scores: now}
}

// Resume implements store.Store. It makes all later versions larger, whatever the clock of this machine says.
func (s *Store) Resume(read store.Mark) store.Mark {
	s.clock.raise(max(read.Observations, read.Scores))
	return read
}

// VisibilityDelay implements store.Store. It is the maximum duration of an insert, which is abandoned after Patience;
// ClickHouse may still write what it has received by then.
func (s *Store) VisibilityDelay() time.Duration { return 3 * s.options.Patience }

// table is one of the tables.
type table[R any] struct {
	*definition[R]
	store  *Store
	writer *writer
	// byName maps names to columns.
	byName map[string]*column[R]
	// insert is the INSERT statement for rows.
	insert string

	inserts    atomic.Int64
	superseded atomic.Int64
	deleting   sync.Mutex
}

func newTable[R any](s *Store, d *definition[R]) *table[R] {
	t := &table[R]{definition: d, store: s, byName: map[string]*column[R]{}}
	for i := range d.columns {
		t.byName[d.columns[i].name] = &d.columns[i]
	}
	t.insert = t.insertStatement()
	t.writer = newWriter(s.options, t.commit)
	s.work.Go(func() { t.writer.run(s.life) })
	return t
}
