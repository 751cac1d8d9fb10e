// Package store is the contract of the event store, which keeps observations and scores. It is written for those who
// implement a store and for those who use one; package storetest holds every implementation to it.
package store

import (
	"context"
	"errors"
	"iter"
	"time"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// The error kinds. Implementations wrap them with what was attempted; any other error means that the store failed.
var (
	// ErrBusy means that the store cannot take more for now. Nothing of the batch was kept; try again later.
	ErrBusy = errors.New("the store is busy")
	// ErrDiskFull means that too little disk space is left to write safely. Reads go on.
	ErrDiskFull = errors.New("too little disk space is left")
	// ErrClosed means that the store was closed.
	ErrClosed = errors.New("the store is closed")
	// ErrTooLarge means that a result would be larger than the query allows, such as more groups than Aggregate may return.
	ErrTooLarge = errors.New("the result is too large")
	// ErrInvalid means that the call makes no sense, such as a row without an id. Nothing was kept.
	ErrInvalid = errors.New("invalid")
)

// Store holds the two tables. It is safe for use by many goroutines.
type Store interface {
	Observations() Table[domain.Observation]
	Scores() Table[domain.Score]

	// Flush moves everything from memory into its final place. Nothing depends on it but tests, measurements and backups.
	Flush(ctx context.Context) error
	// Ping reports whether the store can be read.
	Ping(ctx context.Context) error
	// Stats describes the store at this moment.
	Stats() Stats
	// Sizes returns what every day of every project takes of the disk, in no particular order, perhaps in several parts: rows that reads
	// see, of both tables, with their share of indexes. Rows that were replaced or deleted do not count, although their space is given back later. How exact it
	// is differs between stores; it is for deciding which days have to go, and grows and shrinks with what is stored.
	Sizes(ctx context.Context) ([]DaySize, error)

	// Mark returns how far the tables are by now, in the numbers that rows get when they are appended; see Window.
	Mark() Mark
	// Resume tells the store up to where somebody has read, or is about to. Rows that this server appends from now on get larger
	// numbers. It returns from where to read on: that is earlier if the store was put back into an earlier state, as by a backup.
	Resume(read Mark) Mark
	// Settling is how long after Mark returned rows may still become visible whose numbers are within the mark; 0 if none do. Servers
	// that share the store must have been told of the mark by then.
	Settling() time.Duration
	// Close flushes nothing and loses nothing: what was acknowledged is on disk already. Calls that run may fail
	// with ErrClosed.
	Close() error
}

// Table holds rows of one kind, each in exactly one project.
//
// Rows have a key within their project: trace id and id for observations, id for scores. They have a time: start time
// for observations, timestamp for scores. They are ordered newest first: by time in milliseconds descending, then trace
// id descending (observations only), then id descending. That order is total.
//
// Reads take the memory for what they decode from the lease of their context (memory.Of), if it has one, before they use it, and give
// it back as they go on: a read may wait for it, and fail with the errors of package memory.
type Table[R any] interface {
	// Append keeps the rows. It returns nil only when all of them survive a crash of the machine; every read that starts
	// after that sees them. A row whose key exists replaces the older one in every read, whatever its time; of two rows
	// with one key in a batch the later counts. On an error none of the rows is kept, with one exception: if the
	// error is neither ErrBusy, ErrDiskFull, ErrInvalid nor ErrClosed, the batch may turn out to be kept after a restart, whole.
	//
	// The store does not keep references to the rows, nor to what they point to.
	Append(ctx context.Context, scope domain.ProjectScope, rows []R) error

	// Scan returns rows in order, newest first, that meet all conditions. It reads as much as it returns, not what is
	// stored: the first page never reads the last row. Conditions that name ids, traces, sessions, scored observations or
	// the experiments of scores (Equal and AnyOf) are answered by looking these up.
	//
	// All rows come from one moment: those that were there when the iteration began, unaffected by later calls. The row
	// that the iterator yields, and the texts in it, belong to the store and are valid until the next step; copy what you
	// keep. Fields that Want does not name may be empty. An error ends the iteration; nothing found is no error.
	Scan(ctx context.Context, scope domain.ProjectScope, q Query[R]) iter.Seq2[*R, error]

	// Lookup returns rows by their ids, without a time range, in order and under the same rules as Scan.
	Lookup(ctx context.Context, scope domain.ProjectScope, l Lookup) iter.Seq2[*R, error]

	// Aggregate groups rows and computes over each group.
	Aggregate(ctx context.Context, scope domain.ProjectScope, q AggregateQuery[R]) (*Groups, error)

	// Delete removes rows: they are in no read that starts after it returned, and it is as durable as Append. Space is
	// given back later. It returns how many rows there were. Deleting what is not there is no error.
	Delete(ctx context.Context, scope domain.ProjectScope, s Selection) (int, error)
}

// Query says which rows Scan returns.
type Query[R any] struct {
	// From and To bound the time of rows: From <= time < To. 0 stands for no bound.
	From, To domain.Micros
	// Where must all be met.
	Where []filter.Condition[R]
	// After, if set, leaves out everything up to and including this position.
	After *Position
	// Arrived, if set, keeps the rows whose numbers are in the window.
	Arrived *Window
	// Limit is the largest number of rows; 0 stands for none.
	Limit int
	// Want names the parts of rows to return beside the narrow ones.
	Want Want
	// Once says that the query is not asked again: nothing of what is decoded for it has to be kept for the next.
	Once bool
}

// Narrow bounds the query by a condition on the time of rows, so that the store looks only where such rows can be. The
// condition stays: it compares milliseconds, and decides at the edges.
func (q *Query[R]) Narrow(c *filter.Condition[R]) {
	const second = 1_000_000 // far more than what the two disagree about
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

// Position is a place in the order. The row that it was taken from need not exist any more.
type Position struct {
	Millis  int64
	TraceID string // of observations; empty for scores, whose id is enough
	ID      string
}

// Window selects rows by when they were appended, whatever their time. Each gets a number that is larger than those of all rows that were
// visible before; one that replaces another gets a new one, and the other is gone. What earlier programs stored may have the number 0.
type Window struct {
	After int64 // exclusive; -1 for no bound
	UpTo  int64 // inclusive
}

// Has reports whether a number is in the window.
func (w *Window) Has(number int64) bool { return number > w.After && number <= w.UpTo }

// Mark is how far the tables are.
type Mark = domain.Mark

// Want is a set of parts of a row that cost extra to read. Everything else is always returned.
type Want uint8

// The parts.
const (
	WantIO       Want = 1 << iota // input and output
	WantMetadata                  // metadata
	WantStatus                    // status message
	WantUsage                     // usage and cost by kind, as provided and as computed
	WantDetails                   // everything else that is long: model parameters, tools, experiment texts, comment
	WantTrace                     // input, output and metadata of the trace
	WantAll      = WantIO | WantMetadata | WantStatus | WantUsage | WantDetails | WantTrace
)

// Lookup names rows by one kind of id. Exactly one list is not empty. An empty id names no row.
type Lookup struct {
	TraceIDs   []string
	IDs        []string
	SessionIDs []string
	Want       Want
}

// Selection says which rows Delete removes: those that a list names, or those before a time, or all. An empty id names
// no row.
type Selection struct {
	TraceIDs []string
	IDs      []string
	// Before, if set, selects rows whose time is before it.
	Before domain.Micros
	// All selects every row of the project.
	All bool
	// Arrived, if set, leaves the selected rows whose numbers are not in the window.
	Arrived *Window
}

// DaySize is what a project has of a day.
type DaySize struct {
	ProjectID string
	Day       int64 // the UTC day since 1970, as domain.Micros.Day counts them
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
	DeadRows    int64 // rows that were replaced or deleted and still take space
	HotRows     int64 // of Rows, those that are in memory only (and in the log)
	HotBytes    int64
	LogBytes    int64
	Segments    int
	Files       int
	DiskBytes   int64 // of segments and their indexes
	IndexBytes  int64 // of DiskBytes, those of indexes
	CacheBytes  int64 // decoded pages that are kept in memory
	CacheHits   int64 // pages that were there when they were asked for, since the start
	CacheMisses int64
	Flushes     int64
	Merges      int64
	Superseded  int64 // rows replaced since the start
}
