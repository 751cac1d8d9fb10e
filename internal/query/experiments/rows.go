package experiments

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// ofExperiments selects the rows that belong to an experiment.
func ofExperiments() []filter.Condition[domain.Observation] {
	return []filter.Condition[domain.Observation]{filter.Must(filter.NewNull(filter.ObservationColumn("experimentId"), false))}
}

// Items selects the rows that represent items, see domain.Observation.IsExperimentItem.
func Items() []filter.Condition[domain.Observation] {
	return append(ofExperiments(),
		filter.Must(filter.NewNull(filter.ObservationColumn("experimentItemId"), false)),
		filter.Must(filter.NewBool(filter.ObservationColumn("isExperimentItemRootSpan"), filter.Equal, true)))
}

// startOf returns the start of a millisecond. In query bounds 0 means none, so it returns 1 instead; no row starts at
// 0.
func startOf(millis int64) domain.Micros {
	if millis == 0 {
		return 1
	}
	return domain.Micros(millis * 1000)
}

// later returns the later of two lower bounds; the first may be 0, which means none.
func later(bound, other domain.Micros) domain.Micros {
	if bound == 0 {
		return other
	}
	return max(bound, other)
}

// earlier returns the earlier of two upper bounds; the first may be 0, which means none.
func earlier(bound, other domain.Micros) domain.Micros {
	if bound == 0 {
		return other
	}
	return min(bound, other)
}
