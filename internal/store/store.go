// Package store defines the contract of the event store, which holds observations and scores, for both implementers and
// callers. Package storetest checks every implementation against it.
package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// The error kinds. Implementations wrap them with the operation that failed; any other error means that the store
// itself failed.
var (
	// ErrBusy means that the store cannot accept more writes for now. None of the batch was kept; retry later.
	ErrBusy = errors.New("the store is busy")
	// ErrUnavailable means that the store cannot be reached for now, or did not finish its answer. A write may or may not
	// have been kept; retry later, which is harmless.
	ErrUnavailable = errors.New("the store is unavailable")
	// ErrDiskFull means that there is too little free disk space to write safely. Reads still work.
	ErrDiskFull = errors.New("too little disk space is left")
	// ErrClosed means that the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrTooLarge means that the result would exceed the limits of the query, such as the maximum number of groups.
	ErrTooLarge = errors.New("the result is too large")
	// ErrInvalid means that the call is invalid, for example a row without an id. Nothing was kept.
	ErrInvalid = errors.New("invalid")
)

// Store holds the two tables. It is safe for concurrent use.
type Store interface {
	Observations() Table[domain.Observation]
	Scores() Table[domain.Score]

	// Flush moves everything from memory to its final place. Only tests, benchmarks and backups need it.
	Flush(ctx context.Context) error
	// Ping returns an error if the store cannot be read.
	Ping(ctx context.Context) error
	// Stats returns current statistics.
	Stats() Stats
	// Sizes returns the disk space that each project uses per day, in no particular order; a day may appear in several
	// entries. It covers the visible rows of both tables with their share of the indexes. Replaced and deleted rows do
	// not count, although their space is reclaimed later. Precision differs between stores: the sizes serve to decide
	// which days to delete, and grow and shrink with the stored data.
	Sizes(ctx context.Context) ([]DaySize, error)

	// Mark returns the current positions of the tables, in the numbers that rows are assigned when they are appended;
	// see Window.
	Mark() Mark
	// Resume tells the store up to which mark a reader has read or is about to read. Rows that this server appends from
	// now on get larger numbers. It returns the mark to continue reading from, which is earlier if the store was rolled
	// back to an earlier state, for example by restoring a backup.
	Resume(read Mark) Mark
	// VisibilityDelay is how long after Mark returns rows with numbers within the mark may still become visible; 0 if none
	// can. Other servers that share the store must learn of the mark, through Resume, within that time.
	VisibilityDelay() time.Duration
	// Close flushes nothing and loses nothing: acknowledged writes are already on disk. Calls in progress may fail with
	// ErrClosed.
	Close() error
}

// Table holds rows of one kind, each in exactly one project.
//
// Rows have a key within their project: trace id and id for observations, id for scores. They have a time: start time
// for observations, timestamp for scores. They are ordered newest first: by time in milliseconds descending, then trace
// id descending (observations only), then id descending. This is a total order.
//
// Reads reserve memory for the data they decode from the lease of their context (memory.Of), if there is one, before
// they use it, and release it as they proceed. A read may block until memory is available, and may fail with the errors
// of package memory.
type Table[R any] interface {
	// Append stores the rows. It returns nil only once all of them would survive a machine crash; every read that
	// starts after that sees them. A row whose key exists replaces the older row in every read, whatever its time; if a
	// batch has several rows with the same key, the last one wins. On error none of the rows is kept, with one
	// exception: if the error is none of ErrBusy, ErrDiskFull, ErrInvalid and ErrClosed, the whole batch may turn out
	// to be kept, at once or after a restart.
	//
	// The store keeps no references to the rows or to the memory they point to.
	Append(ctx context.Context, scope domain.ProjectScope, rows []R) error

	// Scan returns the rows that match all conditions, newest first. It reads in proportion to what it returns, not to
	// what is stored: the first page never reads the last row. Conditions (Equal and AnyOf) on ids, traces, sessions,
	// scored observations or the experiments of scores use an index.
	//
	// All rows come from a single snapshot, taken when the iteration began and unaffected by later calls. The yielded
	// row and its strings belong to the store and are valid only until the next step; copy what you keep. Fields that
	// Want does not name may be empty. An error ends the iteration; finding no rows is not an error.
	Scan(ctx context.Context, scope domain.ProjectScope, q Query[R]) iter.Seq2[*R, error]

	// Lookup returns rows by id, regardless of time, in the same order and under the same rules as Scan.
	Lookup(ctx context.Context, scope domain.ProjectScope, l Lookup) iter.Seq2[*R, error]

	// Aggregate groups rows and computes measures over each group.
	Aggregate(ctx context.Context, scope domain.ProjectScope, q AggregateQuery[R]) (*Groups, error)

	// Rank groups rows by a column with any number of different values, and returns the first groups in an order. Its
	// memory is bounded by what it returns and by the lease, however many groups there are.
	Rank(ctx context.Context, scope domain.ProjectScope, q RankQuery[R]) (*Ranking, error)

	// Arrivals returns which projects and traces the rows in a window belong to, of all projects, and the number up to
	// which that is complete: it ends at the window's end, or earlier if there are more than limit rows. It is for
	// background work on what has arrived, which must go on: files that cannot be read are left out.
	Arrivals(ctx context.Context, window Window, limit int) (traces []ArrivedTrace, upTo int64, err error)

	// Amend changes values of stored rows: those that a lookup of traces finds and change changes. Change is called with
	// each row, possibly more than once and without the parts that cost extra to read, and reports whether it changed it;
	// it must not change the key or the time. It returns the number of rows that were changed.
	//
	// A row that is replaced or deleted while Amend runs stays so, whoever comes first. Amended rows are as durable as
	// appended ones, and may get new numbers. If Amend fails, some of the rows may be amended.
	Amend(ctx context.Context, scope domain.ProjectScope, traceIDs []string, change func(*R) bool) (int, error)

	// Delete removes rows: reads that start after it returns do not see them, and it is as durable as Append. Space is
	// reclaimed later. It returns the number of rows deleted. Deleting rows that do not exist is not an error.
	Delete(ctx context.Context, scope domain.ProjectScope, s Selection) (int, error)
}

// Query selects the rows that Scan returns.
type Query[R any] struct {
	// From and To bound the time of rows: From <= time < To. 0 means no bound.
	From, To domain.Micros
	// Where lists conditions, all of which must match.
	Where []filter.Condition[R]
	// After, if set, skips everything up to and including this position.
	After *Position
	// Arrived, if set, restricts the result to rows whose numbers are in the window.
	Arrived *Window
	// Limit is the maximum number of rows; 0 means no limit.
	Limit int
	// Want names the optional parts of rows to return.
	Want Want
	// Once marks a query that will not be repeated: there is no point in caching what it decodes.
	Once bool
}

// Narrow tightens the query's time range to match a condition on the time of rows, so that the store reads only where
// matching rows can be. The condition itself must stay in Where: it compares milliseconds and decides at the edges.
func (q *Query[R]) Narrow(c *filter.Condition[R]) {
	const second = 1_000_000 // far more than the rounding difference
	at := domain.Micros(c.Millis() * 1000)
	switch c.Operator() {
	case filter.Greater, filter.GreaterEqual:
		q.From = max(q.From, at-second)
	case filter.Less, filter.LessEqual:
		if to := at + second; q.To == 0 || to < q.To {
			q.To = to
		}
	}
}

// Position is a place in the order of rows. The row that it was taken from may no longer exist.
type Position struct {
	Millis  int64
	TraceID string // empty for scores, whose id is enough
	ID      string
}

// Window selects rows by when they were appended, whatever their time. Each row gets a number larger than those of all
// rows that were visible before it; a replacement gets a new number. Rows stored by earlier versions of the program may
// have the number 0.
type Window struct {
	After int64 // exclusive; -1 for no bound
	UpTo  int64 // inclusive
}

// ArrivedTrace is a trace with rows in a window; those of scores may have no id.
type ArrivedTrace struct{ ProjectID, TraceID string }

// Has reports whether a number is in the window.
func (w *Window) Has(number int64) bool { return number > w.After && number <= w.UpTo }

// Mark is a position in each table.
type Mark = domain.Mark

// Want is a set of row parts that cost extra to read. Everything else is always returned.
type Want uint8

// The parts.
const (
	WantIO       Want = 1 << iota // input and output
	WantMetadata                  // metadata
	WantStatus                    // status message
	WantUsage                     // usage and cost by kind, as provided and as computed
	WantDetails                   // all other long fields: model parameters, tools, experiment texts, comment
	WantTrace                     // input, output and metadata of the trace
	WantAll      = WantIO | WantMetadata | WantStatus | WantUsage | WantDetails | WantTrace
)

// Lookup names rows by one kind of id. Exactly one of the lists must be non-empty. An empty id matches no row.
type Lookup struct {
	TraceIDs   []string
	IDs        []string
	SessionIDs []string
	Want       Want
}

// Selection selects the rows that Delete removes: those named by a list, those before a time, or all. An empty id
// matches no row.
type Selection struct {
	TraceIDs []string
	IDs      []string
	// Before, if set, selects rows whose time is before it.
	Before domain.Micros
	// All selects every row of the project.
	All bool
	// Arrived, if set, restricts the selection to rows whose numbers are in the window.
	Arrived *Window
}

// DaySize is the space used by one day of a project's data.
type DaySize struct {
	ProjectID string
	Day       int64 // UTC days since 1970, as returned by domain.Micros.Day
	Rows      int64
	Bytes     int64
}

// Stats describes a store.
type Stats struct {
	Observations TableStats
	Scores       TableStats
}

// TableStats describes one table.
type TableStats struct {
	Rows        int64 // visible rows
	DeadRows    int64 // replaced or deleted rows that still take space
	HotRows     int64 // the part of Rows that is only in memory (and in the log)
	HotBytes    int64
	LogBytes    int64
	Segments    int
	Files       int
	DiskBytes   int64 // segments and their indexes
	IndexBytes  int64 // the part of DiskBytes that indexes take
	CacheBytes  int64 // decoded data cached in memory
	CacheHits   int64 // lookups served from the cache since the start
	CacheMisses int64
	Flushes     int64
	Merges      int64
	Superseded  int64 // rows replaced since the start
	Unmergeable int   // segments that are not merged because they cannot be read
	Deferred    int64 // deletes and replacements that were not applied yet because a segment cannot be read
}
