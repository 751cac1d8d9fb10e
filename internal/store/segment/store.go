// Package segment is the embedded event store. Writes go to a log and to memory; from there rows move to immutable
// Parquet files, each with an index, which are merged in the background. docs/storage.md describes the files.
package segment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"almanac/internal/domain"
	"almanac/internal/platform"
	"almanac/internal/store"
)

// Store is an open store. It implements store.Store.
type Store struct {
	observations *table[domain.Observation]
	scores       *table[domain.Score]
}

// Open opens the store in a directory, or creates one. It replays the log, which takes time in proportion to the log
// and not to the stored data, and starts the background work, which Close ends.
func Open(directory string, options Options) (*Store, error) {
	if err := RefuseNewer(directory); err != nil { // before one table is changed and the other is refused
		return nil, err
	}
	options = options.withDefaults()
	options.id = cmp.Or(firstID(directory), domain.NewID())
	free := &freeSpace{directory: directory, least: options.MinFreeDisk}
	observations, err := openTable(observationSchema(), filepath.Join(directory, "observations"), options, free)
	if err != nil {
		return nil, err
	}
	scores, err := openTable(scoreSchema(), filepath.Join(directory, "scores"), options, free)
	if err != nil {
		return nil, errors.Join(err, observations.close())
	}
	return &Store{observations, scores}, nil
}

// RefuseNewer returns an error if the store in a directory was written by a newer version. It changes nothing.
func RefuseNewer(directory string) error {
	for _, t := range tables() {
		if _, _, err := loadManifest(filepath.Join(directory, t.name)); errors.Is(err, errNewer) {
			return err
		}
	}
	return nil
}

// ID returns the id of the store.
func (s *Store) ID() string {
	s.observations.mu.Lock()
	defer s.observations.mu.Unlock()
	return s.observations.state.store
}

// Observations implements store.Store.
func (s *Store) Observations() store.Table[domain.Observation] { return s.observations }

// Scores implements store.Store.
func (s *Store) Scores() store.Table[domain.Score] { return s.scores }

// Flush implements store.Store.
func (s *Store) Flush(ctx context.Context) error {
	return errors.Join(s.observations.flush(ctx), s.scores.flush(ctx))
}

// Merge merges segments until there is nothing left to merge.
func (s *Store) Merge(ctx context.Context) error {
	return errors.Join(s.observations.mergeAll(ctx), s.scores.mergeAll(ctx))
}

// Close implements store.Store.
func (s *Store) Close() error { return errors.Join(s.observations.close(), s.scores.close()) }

// Ping implements store.Store. An open store can always be read.
func (s *Store) Ping(context.Context) error {
	_, err := s.observations.view()
	return err
}

// Mark implements store.Store. It returns the numbers of the last writes, which are visible.
func (s *Store) Mark() store.Mark {
	return store.Mark{Observations: s.observations.mark(), Scores: s.scores.mark()}
}

// Resume implements store.Store. It returns the last writes if the store is behind read, because it was restored from
// an older backup than the catalog.
func (s *Store) Resume(read store.Mark) store.Mark {
	now := s.Mark()
	return store.Mark{Observations: min(read.Observations, now.Observations), Scores: min(read.Scores, now.Scores)}
}

// VisibilityDelay implements store.Store. It is 0, since writes are numbered when they become visible.
func (s *Store) VisibilityDelay() time.Duration { return 0 }

func (t *table[R]) mark() int64 { return int64(t.current.Load().seq) }

// RowsRead returns how many rows reads have examined since the store was opened, not counting rows that an index ruled
// out.
func (s *Store) RowsRead() int64 { return s.observations.rowsRead.Load() + s.scores.rowsRead.Load() }

// Stats implements store.Store.
func (s *Store) Stats() store.Stats {
	return store.Stats{Observations: s.observations.stats(), Scores: s.scores.stats()}
}

func (t *table[R]) stats() store.TableStats {
	logBytes := int64(0)
	if !t.readOnly() {
		t.mu.Lock()
		logBytes = t.log.size
		t.mu.Unlock()
	}
	v := t.current.Load()
	s := store.TableStats{LogBytes: logBytes, Flushes: t.flushes.Load(), Merges: t.merges.Load(), Superseded: t.superseded.Load()}
	files := make(map[*segmentFile]bool)
	for _, g := range v.groups {
		s.Rows += int64(g.rows - g.dead.len())
		s.DeadRows += int64(g.dead.len())
		if !files[g.file] {
			files[g.file] = true
			s.DiskBytes += g.file.size
			s.IndexBytes += int64(len(g.file.index))
		}
	}
	s.Segments, s.Files = len(files), 2*len(files)
	s.Unmergeable, s.Deferred = t.setAside.keep(files), t.deferred.count.Load()
	for _, hot := range v.hot {
		hot.mu.RLock()
		s.HotBytes += hot.bytes
		for _, p := range hot.projects {
			for _, run := range p.runs {
				for _, h := range run {
					if h.visible(v.seq) {
						s.HotRows++
					}
				}
			}
		}
		hot.mu.RUnlock()
	}
	s.Rows += s.HotRows
	s.CacheBytes, s.CacheHits, s.CacheMisses = t.cache.stats()
	return s
}

// freeSpace tracks the free space of the disk.
type freeSpace struct {
	directory string
	least     uint64
	mu        sync.Mutex
	checked   time.Time
	free      uint64
}

// check returns an error if there is too little space to write. It queries the system at most four times a second.
func (f *freeSpace) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.checked) > 250*time.Millisecond {
		free, err := platform.FreeBytes(f.directory)
		if err != nil {
			return fmt.Errorf("cannot determine the free disk space: %w", err)
		}
		f.checked, f.free = now, free
	}
	if f.free < f.least {
		return fmt.Errorf("%w: %d MB are free, at least %d must be", store.ErrDiskFull, f.free>>20, f.least>>20)
	}
	return nil
}
