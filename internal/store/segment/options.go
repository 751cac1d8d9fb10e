package segment

import (
	"cmp"
	"log/slog"
	"time"

	"almanac/internal/disk"
)

// Options tunes a store. The zero value suits most.
type Options struct {
	// FlushBytes is how much a table collects in memory before it is written as a segment. Default 36 MB.
	FlushBytes int64
	// HotBytes is how much a table may hold in memory that is not in segments yet; beyond that, writers block. Default
	// 3 times FlushBytes.
	HotBytes int64
	// BusyTimeout is how long a writer waits before it gets store.ErrBusy. Default 10 s.
	BusyTimeout time.Duration
	// CacheBytes is how much memory decoded pages may take. Default 24 MB.
	CacheBytes int64
	// SumsBytes is how much memory cached sums of row groups may take. Default 64 MB.
	SumsBytes int64
	// MinFreeDisk is the free disk space required to accept writes. Default 256 MB.
	MinFreeDisk uint64
	// MergeGroups is the maximum number of row groups in a merged segment. Default 16.
	MergeGroups int
	// Log receives messages about background work and its failures. By default they are discarded.
	Log *slog.Logger

	// failpoint is called at places where a crash is interesting; tests crash there.
	failpoint func(name string)
	// disk is used to write files. Tests replace it.
	disk disk.Disk
	// noteEvery is how often the manifest records how far the log reaches. Default 1 s; negative for never.
	noteEvery time.Duration
	// id is the id that tables get which have none.
	id string
	// manifestLimit overrides the constant of the same name, for tests.
	manifestLimit int64
}

func (o Options) withDefaults() Options {
	o.FlushBytes = cmp.Or(o.FlushBytes, 36<<20)
	o.HotBytes = cmp.Or(o.HotBytes, 3*o.FlushBytes)
	o.FlushBytes = min(o.FlushBytes, max(1, o.HotBytes/2)) // a table that waits for space must be able to become a segment
	o.BusyTimeout = cmp.Or(o.BusyTimeout, 10*time.Second)
	o.CacheBytes = cmp.Or(o.CacheBytes, 24<<20)
	o.SumsBytes = cmp.Or(o.SumsBytes, 64<<20)
	o.MinFreeDisk = cmp.Or(o.MinFreeDisk, 256<<20)
	o.MergeGroups = cmp.Or(o.MergeGroups, 16)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.noteEvery = cmp.Or(o.noteEvery, time.Second)
	o.manifestLimit = cmp.Or(o.manifestLimit, manifestLimit)
	if o.failpoint == nil {
		o.failpoint = func(string) {}
	}
	return o
}

// OptionsFor returns options for a process that may use this much memory in total; 0 means no limit.
func OptionsFor(memory int64) Options {
	var o Options
	if memory > 0 {
		o.FlushBytes = min(max(memory/20, 2<<20), 36<<20)
		o.HotBytes = 2 * o.FlushBytes
		o.CacheBytes = min(max(memory/16, 2<<20), 24<<20)
		o.SumsBytes = min(max(memory/32, 1<<20), 64<<20)
	}
	return o
}
