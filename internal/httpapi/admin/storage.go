package admin

import (
	"context"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// remeasure is how long measured sizes are shown before they are measured again. The embedded store adds up what its files
// say; ClickHouse counts the rows of all projects.
const remeasure = 10 * time.Minute

// Storage measures how much the events of projects take, once for all who ask. It is safe for concurrent use.
type Storage struct {
	sizes func(context.Context) ([]store.DaySize, error)
	clock func() time.Time

	turn     chan struct{} // held by the one who measures or looks
	measured map[string]stored
	at       time.Time
}

// stored is what the events of a project take.
type stored struct {
	Rows, Bytes int64
	Oldest      int64 // day of the oldest row
}

// NewStorage returns a Storage for a store with these sizes.
func NewStorage(sizes func(context.Context) ([]store.DaySize, error)) *Storage {
	return &Storage{sizes: sizes, clock: time.Now, turn: make(chan struct{}, 1)}
}

// of returns what the events of projects took when they were last measured, by project, and when that was. Projects without
// events are left out. The map is shared and must not be modified.
func (s *Storage) of(ctx context.Context) (map[string]stored, time.Time, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, time.Time{}, context.Cause(ctx)
	}
	now := s.clock()
	if age := now.Sub(s.at); s.measured != nil && age >= 0 && age < remeasure {
		return s.measured, s.at, nil
	}
	list, err := s.sizes(ctx)
	if err != nil {
		return nil, time.Time{}, err
	}
	measured := make(map[string]stored)
	for _, size := range list {
		sum, known := measured[size.ProjectID]
		if !known || size.Day < sum.Oldest {
			sum.Oldest = size.Day
		}
		sum.Rows, sum.Bytes = sum.Rows+size.Rows, sum.Bytes+size.Bytes
		measured[size.ProjectID] = sum
	}
	s.measured, s.at = measured, now
	return measured, now, nil
}

// storageBody is what a project stores. Events are observations and scores.
type storageBody struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
	// OldestDay is the day of the oldest event; null if there is none.
	OldestDay  *string `json:"oldestDay"`
	MediaFiles int64   `json:"mediaFiles"`
	MediaBytes int64   `json:"mediaBytes"`
}

func newStorageBody(events stored, media domain.MediaTotals) storageBody {
	body := storageBody{Rows: events.Rows, Bytes: events.Bytes, MediaFiles: media.Files, MediaBytes: media.Bytes}
	if events.Rows > 0 {
		body.OldestDay = new(time.Unix(events.Oldest*24*60*60, 0).UTC().Format(time.DateOnly))
	}
	return body
}
