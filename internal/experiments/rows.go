package experiments

import (
	"almanac/internal/domain"
	"almanac/internal/filter"
)

// column returns a column of observations.
func column(id string) *filter.Column[domain.Observation] {
	c, ok := filter.Observations().Column(id)
	if !ok {
		panic("BUG: there is no column " + id)
	}
	return c
}

// ofExperiments selects the rows that belong to an experiment.
func ofExperiments() []filter.Condition[domain.Observation] {
	return []filter.Condition[domain.Observation]{must(filter.NewNull(column("experimentId"), false))}
}

// Items selects the rows that stand for items, see domain.Observation.IsExperimentItem.
func Items() []filter.Condition[domain.Observation] {
	return append(ofExperiments(),
		must(filter.NewNull(column("experimentItemId"), false)),
		must(filter.NewBool(column("isExperimentItemRootSpan"), filter.Equal, true)))
}

// must is for conditions that are the same in every run.
func must(c filter.Condition[domain.Observation], err error) filter.Condition[domain.Observation] {
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return c
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
