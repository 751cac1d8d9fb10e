package analytics

import (
	"errors"
	"slices"
	"strings"

	"almanac/internal/filter"
)

// isSet returns a condition that requires a text or a list to be set.
func isSet[R any](column *filter.Column[R]) filter.Condition[R] {
	return filter.Must(filter.NewNull(column, false))
}

// planFilters turns the filters into conditions.
func (p *plan[S, R]) planFilters() error {
	for n := range p.query.Filters {
		if err := p.planFilter(&p.query.Filters[n]); err != nil {
			if refused, ok := errors.AsType[*filter.Refused](err); ok {
				return &InvalidQueryError{refused.Message}
			}
			return err
		}
	}
	// A row without values of a multi-valued dimension belongs to no group.
	for _, d := range p.dimensions {
		if !d.elements {
			continue
		}
		p.stored = append(p.stored, isSet(d.test.stored))
	}
	return nil
}

func (p *plan[S, R]) planFilter(d *filter.Draft) error {
	name := d.Column
	switch name {
	case p.view.timeName:
		if d.Type() != "datetime" && !d.IsNull() {
			return refuse("Invalid filter for field '%s': Filter type '%s' is not supported for time dimension '%s'. Expected 'datetime'.",
				name, d.Type(), name)
		}
		return p.addCondition(p.view.time, d, false)
	case "metadata":
		if d.Type() != "stringObject" {
			return refuse("Invalid filter for field 'metadata': Metadata filters require type 'stringObject' with a 'key' property, not '%s'.", d.Type())
		}
		return p.addCondition(p.view.metadata, d, false)
	}
	dim := p.view.dimension(name)
	if dim == nil && strings.HasSuffix(name, "Name") {
		dim = p.view.dimension("name")
	}
	if dim == nil {
		return refuse("Invalid filter column %s. Must be one of %s or %s", name, p.view.dimensionNames(), p.view.timeName)
	}
	if fitting := fittingTypes[dim.filterType]; !d.IsNull() && !slices.Contains(fitting, d.Type()) {
		return refuse("Invalid filter for field '%s': Filter type '%s' is not supported for dimension type '%s'. Expected '%s'.",
			name, d.Type(), dim.filterType, strings.Join(fitting, "' or '"))
	}
	if dim.test.stored == nil {
		p.needs |= dim.needs
	}
	return p.addCondition(dim.test, d, dim.strict)
}

// addCondition adds the conditions for a filter, to those of the store if it has the column.
func (p *plan[S, R]) addCondition(on columns[S, R], d *filter.Draft, strict bool) (err error) {
	if on.stored != nil {
		p.stored, err = addConditions(p.stored, on.stored, d, strict)
	} else {
		p.joined, err = addConditions(p.joined, on.joined, d, strict)
	}
	return err
}

// addConditions adds the conditions on a column for a filter. If strict, unset text is left out by conditions that
// exclude values, and found only by those that ask for it.
func addConditions[T any](to []filter.Condition[T], column *filter.Column[T], d *filter.Draft, strict bool) ([]filter.Condition[T], error) {
	condition, err := filter.Make(column, d)
	if err != nil || !strict {
		return append(to, condition), err
	}
	switch condition.Operator() {
	case filter.Equal, filter.Contains, filter.StartsWith, filter.EndsWith:
		if condition.Text() == "" {
			condition, err = filter.NewNull(column, true)
		}
	case filter.DoesNotContain, filter.NoneOf:
		set, setErr := filter.NewNull(column, false)
		to, err = append(to, set), setErr
	}
	return append(to, condition), err
}
