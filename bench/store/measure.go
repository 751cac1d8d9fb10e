package main

import (
	"context"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// diskUsage returns the number of bytes in all files of a directory.
func diskUsage(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if os.IsNotExist(err) {
			return nil // removed by the store meanwhile
		}
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// settledUsage returns the disk usage once it has been constant for a while, or after a timeout: files exist twice
// while they are merged.
func settledUsage(ctx context.Context, dir string) (int64, error) {
	const look, still, patience = 50 * time.Millisecond, 10, 400
	last, same := int64(-1), 0
	for range patience {
		usage, err := diskUsage(dir)
		if err != nil {
			return 0, err
		}
		if usage != last {
			last, same = usage, 0
		}
		if same++; same == still {
			break
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(look):
		}
	}
	return last, nil
}

// durations are the durations of repeated runs.
type durations []time.Duration

// percentile returns the p-th percentile of the durations; 0 if there are none.
func (d durations) percentile(p float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
