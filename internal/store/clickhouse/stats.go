package clickhouse

import (
	"context"
	"fmt"
	"sync"
	"time"

	"almanac/internal/store"
)

// statsCache keeps the last statistics, for when ClickHouse does not respond.
type statsCache struct {
	mu   sync.Mutex
	last store.Stats
}

// mostCounted is the number of stored rows up to which visible rows are counted exactly. Beyond it, all stored rows
// count as visible.
const mostCounted = 1_000_000

// Stats implements store.Store. If ClickHouse does not respond soon, it returns the last known statistics.
func (s *Store) Stats() store.Stats {
	ctx, cancel := context.WithTimeout(s.life, 5*time.Second)
	defer cancel()
	s.stats.mu.Lock()
	defer s.stats.mu.Unlock()
	if found, err := s.observations.stats(ctx); err == nil {
		s.stats.last.Observations = found
	} else {
		s.options.Log.Warn("cannot count observations in ClickHouse", "error", err)
	}
	if found, err := s.scores.stats(ctx); err == nil {
		s.stats.last.Scores = found
	} else {
		s.options.Log.Warn("cannot count scores in ClickHouse", "error", err)
	}
	return s.stats.last
}

func (t *table[R]) stats(ctx context.Context) (store.TableStats, error) {
	found, err := t.parts(ctx)
	found.Flushes, found.Superseded = t.inserts.Load(), t.superseded.Load()
	all := found.Rows
	if err != nil || all > mostCounted {
		return found, err
	}
	q := &statement{settings: cancellable(), plain: true}
	q.sql = "SELECT toUInt8(1), toInt64(count()) FROM " + t.name + " FINAL" + readSettings + " FORMAT RowBinary"
	rows, err := t.store.count(ctx, q)
	found.Rows = int64(rows)
	found.DeadRows = max(0, all-found.Rows)
	return found, err
}

// parts returns the size of the table: all rows, including replaced and deleted ones, and the bytes of the rows and
// their index.
func (t *table[R]) parts(ctx context.Context) (found store.TableStats, err error) {
	a := t.store.client.address
	name, index, parts := t.name, t.name+"_index", "system.parts"
	if a.Cluster != "" {
		name, index, parts = name+"_local", index+"_local", "cluster('"+a.Cluster+"', system.parts)"
	}
	q := &statement{settings: cancellable(), plain: true}
	q.sql = fmt.Sprintf("SELECT toUInt8(1), toInt64(sumIf(rows, table = '%s')), toInt64(sum(bytes_on_disk)), toInt64(count()), "+
		"toInt64(sum(files)) FROM %s"+
		" WHERE active AND database = '%s' AND table IN ('%s', '%s') FORMAT RowBinary", name, parts, a.Database, name, index)
	answer, err := t.store.client.open(ctx, q)
	if err != nil {
		return found, err
	}
	defer answer.Close() //nolint:errcheck // only read
	d := newDecoder(ctx, answer)
	defer d.release()
	d.next()
	found.Rows, found.DiskBytes, found.Segments, found.Files = d.int(), d.int(), int(d.int()), int(d.int())
	return found, asReadError(ctx, d.err)
}
