package experiments

import (
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// summary is an experiment being assembled from its rows, which are added newest first. It keeps no references to them
// or to their strings.
type summary struct {
	experiment domain.ExperimentSummary
	rows       int
	newest     place // of all rows
	described  place // of the rows with a description
}

// place identifies a row so that it can be read again.
type place struct {
	start       domain.Micros
	traceID, id string
}

func placeOf(row *domain.Observation) place {
	return place{start: row.StartTime, traceID: strings.Clone(row.TraceID), id: strings.Clone(row.ID)}
}

// add adds a row.
func (s *summary) add(row *domain.Observation) {
	e := &s.experiment
	end := max(row.StartTime, row.EndTime) // a row without an end, or with one before its start, ends when it starts
	if s.rows == 0 {
		e.ID = strings.Clone(row.ExperimentID)
		e.StartTime, e.EndTime, s.newest = row.StartTime, end, placeOf(row)
	}
	s.rows++
	e.StartTime, e.EndTime = min(e.StartTime, row.StartTime), max(e.EndTime, end)
	take(&e.Name, row.ExperimentName)
	take(&e.DatasetID, row.ExperimentDatasetID)
	if row.IsExperimentItem() {
		e.Items++
	}
}

// meets reports whether the experiment meets those conditions that an unset string meets. An experiment without rows,
// which was deleted concurrently, meets none.
func (s *summary) meets(where []filter.Condition[domain.Observation]) bool {
	if s.rows == 0 {
		return false
	}
	e := domain.Observation{
		ExperimentID: s.experiment.ID, ExperimentName: s.experiment.Name, ExperimentDatasetID: s.experiment.DatasetID,
	}
	unset := domain.Observation{ExperimentID: s.experiment.ID}
	return !slices.ContainsFunc(where, func(c filter.Condition[domain.Observation]) bool { return c.Match(&unset) && !c.Match(&e) })
}

// take keeps the first non-empty string.
func take(kept *string, text string) {
	if *kept == "" && text != "" {
		*kept = strings.Clone(text)
	}
}
