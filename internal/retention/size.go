package retention

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
)

// Usage is the current and the maximum size of the data.
type Usage struct {
	Bytes, MaxBytes int64 // of the instance
	// Fullness is the largest share of its maximum that the instance or any project has reached.
	Fullness float64
}

// nearlyFull is the share of a maximum at which the operator is warned.
const nearlyFull = 0.9

// deleteBeyond deletes the oldest days of projects that exceed their maximum, and then of all projects while the
// instance exceeds its own. Today is always kept. A failure in one project does not stop the others, and no other
// project loses data because of it: the cutoff day, which all share, is computed as if the deletion had succeeded.
func (j *Job) deleteBeyond(ctx context.Context) error {
	list, err := j.Catalog.Retentions(ctx)
	if err != nil {
		return err
	}
	if j.MaxData == 0 && !slices.ContainsFunc(list, func(r tenants.Retention) bool { return r.MaxBytes > 0 }) {
		j.measure(Usage{})
		return nil
	}
	sizes, err := j.Store.Sizes(ctx)
	if err != nil {
		return err
	}
	projects := make(map[string]daySizes, len(list))
	for _, r := range list {
		projects[r.ProjectID] = make(daySizes)
	}
	for _, size := range sizes {
		if days, ok := projects[size.ProjectID]; ok { // those of deleted projects are deleted anyway
			days[size.Day] += size.Bytes
		}
	}
	today := domain.MicrosOf(j.Now()).Day()
	usage := Usage{MaxBytes: j.MaxData}
	all := make(daySizes)
	var failures []error
	for _, r := range list {
		days := projects[r.ProjectID]
		usage.Fullness = max(usage.Fullness, j.warn(r.ProjectID, days.sum(), r.MaxBytes))
		until := days.excess(r.MaxBytes, today)
		if err := j.deleteDays(ctx, r.ProjectID, days, until, r.MaxBytes); err != nil {
			failures = append(failures, err)
		}
		usage.Bytes += days.sum()
		for day, bytes := range days {
			if day >= until { // earlier ones are left if they could not be deleted
				all[day] += bytes
			}
		}
	}
	usage.Fullness = max(usage.Fullness, j.warn("", usage.Bytes, j.MaxData))
	j.measure(usage)
	until := all.excess(j.MaxData, today)
	for _, r := range list {
		if err := j.deleteDays(ctx, r.ProjectID, projects[r.ProjectID], until, j.MaxData); err != nil {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

// deleteDays deletes the days of a project before a given one, and removes their sizes from days.
func (j *Job) deleteDays(ctx context.Context, project string, days daySizes, until, most int64) error {
	bytes := days.before(until)
	if bytes == 0 {
		return nil
	}
	before := domain.Micros(until * dayMicros)
	date := before.Time().Format(time.DateOnly)
	// Recorded first, so that nothing disappears without an entry.
	err := j.Catalog.RecordDeletion(ctx, domain.OfProject(project), "events", []string{"before " + date}, domain.Actor{Kind: "system"})
	if errors.Is(err, domain.ErrNotFound) { // deleted concurrently
		return nil
	}
	if err != nil {
		return err
	}
	observations, scores, err := j.expireWithMedia(ctx, project, before)
	if err != nil {
		return err
	}
	maps.DeleteFunc(days, func(day, _ int64) bool { return day < until })
	j.count("size", observations+scores)
	j.Log.Warn("deleted the oldest days: the data exceeded its size limit", "project", project, "before", date,
		"observations", observations, "scores", scores, "bytes", bytes, "max_bytes", most)
	return nil
}

// warn warns the operator once that the next deletion is near, for a project or, if the name is empty, for the
// instance. It returns the share of the maximum that is reached.
func (j *Job) warn(project string, bytes, most int64) float64 {
	if most == 0 {
		delete(j.warned, project)
		return 0
	}
	share := float64(bytes) / float64(most)
	switch {
	case share < nearlyFull:
		delete(j.warned, project)
	case !j.warned[project]:
		if j.warned == nil {
			j.warned = make(map[string]bool)
		}
		j.warned[project] = true
		of := []any{"project", project}
		if project == "" {
			of = []any{"option", "--max-data"}
		}
		j.Log.Warn("data is close to its size limit, above which the oldest days are deleted",
			append(of, "bytes", bytes, "max_bytes", most)...)
	}
	return share
}

func (j *Job) measure(u Usage) {
	j.measured = time.Now()
	if j.Measure != nil {
		j.Measure(u)
	}
}

func (j *Job) count(reason string, rows int) {
	if j.Deleted != nil && rows > 0 {
		j.Deleted(reason, rows)
	}
}

// daySizes has the size of each day in bytes.
type daySizes map[int64]int64

func (d daySizes) sum() (bytes int64) {
	for _, size := range d {
		bytes += size
	}
	return bytes
}

func (d daySizes) before(until int64) (bytes int64) {
	for day, size := range d {
		if day < until {
			bytes += size
		}
	}
	return bytes
}

// excess returns the day before which everything must be deleted so that the rest does not exceed the maximum, or
// minDay if nothing must. Today and days that claim to be later are always kept.
func (d daySizes) excess(most, today int64) int64 {
	if most == 0 || len(d) == 0 {
		return minDay
	}
	left, until := d.sum(), int64(minDay)
	for _, day := range slices.Sorted(maps.Keys(d)) {
		if left <= most || day >= today {
			break
		}
		left, until = left-d[day], day+1
	}
	return until
}

// minDay is before all days.
const minDay = -1 << 40
