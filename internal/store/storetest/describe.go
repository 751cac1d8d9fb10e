package storetest

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// describeQuery formats a query, so that a failure can be understood without a debugger.
func describeQuery[R any](q store.Query[R]) string {
	parts := describeWhere(q.From, q.To, q.Where)
	if q.After != nil {
		parts = append(parts, fmt.Sprintf("after %+v", *q.After))
	}
	if q.Limit != 0 {
		parts = append(parts, fmt.Sprint("limit ", q.Limit))
	}
	if q.Once {
		parts = append(parts, "once")
	}
	return strings.Join(append(parts, fmt.Sprintf("want %04b", q.Want)), "; ")
}

// describeAggregate formats an aggregate.
func describeAggregate[R any](q store.AggregateQuery[R]) string {
	parts := describeWhere(q.From, q.To, q.Where)
	for _, column := range q.GroupBy {
		parts = append(parts, "by "+column.ID())
	}
	if q.Arrived != nil {
		parts = append(parts, fmt.Sprintf("arrived %+v", *q.Arrived))
	}
	if q.Bucket != 0 {
		parts = append(parts, fmt.Sprintf("buckets of %d ms", q.Bucket))
	}
	if q.Calendar != nil {
		_, end := q.Calendar(0)
		parts = append(parts, "buckets of a calendar, the first until "+describeTime(domain.Micros(end*1000)))
	}
	for _, m := range q.Measures {
		parts = append(parts, describeMeasure(m))
	}
	if q.MaxGroups != 0 {
		parts = append(parts, fmt.Sprintf("at most %d groups", q.MaxGroups))
	}
	return strings.Join(parts, "; ")
}

func describeMeasure[R any](m store.Measure[R]) string {
	if m.Column == nil {
		return "count"
	}
	name := [...]string{
		"count", "sum", "average", "min", "max", fmt.Sprint("quantile ", m.Quantile), "distinct",
		fmt.Sprintf("histogram in %d bins", m.Bins),
	}[m.Function]
	return name + " of " + m.Column.ID()
}

func describeWhere[R any](from, to domain.Micros, where []filter.Condition[R]) []string {
	var parts []string
	if from != 0 {
		parts = append(parts, "from "+describeTime(from))
	}
	if to != 0 {
		parts = append(parts, "to "+describeTime(to))
	}
	for i := range where {
		parts = append(parts, describeCondition(&where[i]))
	}
	return parts
}

func describeTime(m domain.Micros) string { return m.Time().Format(time.RFC3339Nano) }

// describeCondition formats a condition in the syntax of scripts.
func describeCondition[R any](c *filter.Condition[R]) string {
	text := c.Column().ID()
	if c.Column().Kind() == filter.Metadata && c.ValueKind() != filter.Metadata {
		text += fmt.Sprintf(" %q", c.Key())
	}
	text += " " + string(c.Operator())
	switch {
	case c.Operator() == filter.IsNull || c.Operator() == filter.IsNotNull:
		return text
	case c.ValueKind() == filter.List:
		return text + fmt.Sprintf(" %q", c.Texts())
	case c.ValueKind() == filter.Number && len(c.Numbers()) > 0:
		return text + fmt.Sprint(" ", c.Numbers())
	case c.ValueKind() == filter.Number:
		return text + fmt.Sprint(" ", c.Number())
	case c.ValueKind() == filter.Time:
		return text + " " + describeTime(domain.Micros(c.Millis()*1000))
	case c.ValueKind() == filter.Bool:
		return text + fmt.Sprint(" ", c.Bool())
	}
	return text + fmt.Sprintf(" %.200q", c.Text())
}

// diffGroups returns how groups differ from those expected, in any order, or "". Sums depend on the order of addition,
// so numbers may differ in their last digits.
func diffGroups(want, got *store.Groups) string {
	sorted := func(groups *store.Groups) []store.Group {
		return slices.SortedFunc(slices.Values(groups.Rows), func(a, b store.Group) int {
			if c := cmp.Or(cmp.Compare(a.Bucket, b.Bucket), slices.Compare(a.Keys, b.Keys)); c != 0 {
				return c
			}
			return cmp.Compare(fmt.Sprint(a.Nulls), fmt.Sprint(b.Nulls))
		})
	}
	options := gocmp.Options{cmpopts.EquateEmpty(), gocmp.Comparer(sameNumber)}
	wanted, found := sorted(want), sorted(got)
	// Most groups are equal, which is much faster to check than computing a diff.
	if slices.EqualFunc(wanted, found, func(a, b store.Group) bool { return reflect.DeepEqual(a, b) || gocmp.Equal(a, b, options) }) {
		return ""
	}
	return "other groups (-want +got):\n" + gocmp.Diff(wanted, found, options)
}

func sameNumber(a, b float64) bool {
	if a == b || (math.IsNaN(a) && math.IsNaN(b)) {
		return true
	}
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}
