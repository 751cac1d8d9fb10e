package segment

import (
	"log/slog"
	"time"

	"almanac/internal/disk"
)

// Options tune a store. The zero value is right for most.
type Options struct {
	// FlushBytes is how much a table collects in memory before it becomes a segment. Default 36 MB.
	FlushBytes int64
	// HotBytes is how much a table holds in memory that is not in segments yet; past it writers wait. Default 3 times
	// FlushBytes.
	HotBytes int64
	// BusyTimeout is how long a writer waits before it gets store.ErrBusy. Default 10 s.
	BusyTimeout time.Duration
	// CacheBytes is how much memory decoded pages may take. Default 24 MB.
	CacheBytes int64
	// SumsBytes is how much memory sums of row groups may take. Default 64 MB.
	SumsBytes int64
	// MinFreeDisk is how much disk space must be left for writes to be accepted. Default 256 MB.
	MinFreeDisk uint64
	// MergeGroups is how many row groups a merged segment has at most. Default 16.
	MergeGroups int
	// Log is told of background work and its failures. Default: nobody.
	Log *slog.Logger

	// point is called at places where a crash is interesting; tests crash there.
	point func(name string)
	// disk is where files are written. Tests watch it.
	disk disk.Disk
	// manifestLimit is manifestLimit; tests want to see more of it.
	manifestLimit int64
}

func (o Options) withDefaults() Options {
	if o.FlushBytes == 0 {
		o.FlushBytes = 36 << 20
	}
	if o.HotBytes == 0 {
		o.HotBytes = 3 * o.FlushBytes
	}
	o.FlushBytes = min(o.FlushBytes, max(1, o.HotBytes/2)) // a table that waits for room must be able to become a segment
	if o.BusyTimeout == 0 {
		o.BusyTimeout = 10 * time.Second
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = 24 << 20
	}
	if o.SumsBytes == 0 {
		o.SumsBytes = 64 << 20
	}
	if o.MinFreeDisk == 0 {
		o.MinFreeDisk = 256 << 20
	}
	if o.MergeGroups == 0 {
		o.MergeGroups = 16
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.manifestLimit == 0 {
		o.manifestLimit = manifestLimit
	}
	if o.point == nil {
		o.point = func(string) {}
	}
	return o
}

// OptionsFor returns options for a program that may use this much memory altogether; 0 stands for no limit.
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
