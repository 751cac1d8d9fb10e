package experiments

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// ofExperiments selects the rows that belong to an experiment.
func ofExperiments() []filter.Condition[domain.Observation] {
	return []filter.Condition[domain.Observation]{filter.Must(filter.NewNull(filter.ObservationColumn("experimentId"), false))}
}

// Items selects the rows that stand for items, see domain.Observation.IsExperimentItem.
func Items() []filter.Condition[domain.Observation] {
	return append(ofExperiments(),
		filter.Must(filter.NewNull(filter.ObservationColumn("experimentItemId"), false)),
		filter.Must(filter.NewBool(filter.ObservationColumn("isExperimentItemRootSpan"), filter.Equal, true)))
}

// startOf returns when a millisecond begins. As a bound of queries, 0 stands for none; no row starts at that time.
func startOf(millis int64) domain.Micros {
	if millis == 0 {
		return 1
	}
	return domain.Micros(millis * 1000)
}

// later returns the later of two lower bounds, of which the first may be none.
func later(bound, other domain.Micros) domain.Micros {
	if bound == 0 {
		return other
	}
	return max(bound, other)
}

// earlier returns the earlier of two upper bounds, of which the first may be none.
func earlier(bound, other domain.Micros) domain.Micros {
	if bound == 0 {
		return other
	}
	return min(bound, other)
}
