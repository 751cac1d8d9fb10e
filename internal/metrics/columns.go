package metrics

import (
	"math"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/jsontext"
)

// wholeList is a list as one value: its JSON text.
func wholeList[R any](list *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedText(list.ID(), func(row *R) (string, bool) {
		text := []byte("[")
		for n, value := range list.List(row) {
			if n > 0 {
				text = append(text, ',')
			}
			text = jsontext.AppendString(text, value)
		}
		return string(append(text, ']')), false
	}, list)
}

// numberText is a number as text, null if it is unset.
func numberText[R any](number *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedText(number.ID(), func(row *R) (string, bool) {
		value, null := number.Number(row)
		if null {
			return "", true
		}
		return strconv.FormatFloat(value, 'f', -1, 64), false
	}, number)
}

// numberOrZero is a number that counts as 0 if it is unset.
func numberOrZero[R any](number *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedNumber(number.ID(), func(row *R) (float64, bool) {
		value, null := number.Number(row)
		if null {
			return 0, false
		}
		return value, false
	}, number)
}

// numberOrNull is a number that counts as unset if it is 0.
func numberOrNull[R any](number *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedNumber(number.ID(), func(row *R) (float64, bool) {
		value, null := number.Number(row)
		return value, null || value == 0
	}, number)
}

// partOfTime is a time as text in a layout that leaves something out, such as the month.
func partOfTime[R any](at *filter.Column[R], layout string) *filter.Column[R] {
	return filter.DerivedText(at.ID(), func(row *R) (string, bool) {
		return at.TimeOf(row).Time().Format(layout), false
	}, at)
}

// The layouts of dimensions that are parts of times.
const (
	monthLayout = "2006-01"
	dayLayout   = "2006-01-02"
)

// one is 1 for each row. The store wants to know a column that it is made from; any will do that has few values.
func one[R any](from ...*filter.Column[R]) *filter.Column[R] {
	return filter.DerivedNumber(countMeasure, func(*R) (float64, bool) { return 1, false }, from...)
}

// millisBetween returns the time between two points in milliseconds, each cut to what clients see of it.
func millisBetween(from, to domain.Micros) (float64, bool) {
	if from == 0 || to == 0 {
		return 0, true
	}
	return float64(to.Millis() - from.Millis()), false
}

// perSecond divides by the number of seconds that begin between two points in time. It is null if there is none.
func perSecond(units float64, from, to domain.Micros) (float64, bool) {
	if from == 0 || to == 0 {
		return 0, true
	}
	const perSecond = 1000
	seconds := floorDiv(to.Millis(), perSecond) - floorDiv(from.Millis(), perSecond)
	if seconds == 0 {
		return 0, true
	}
	return units / float64(seconds), false
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// tidy removes the digits that adding numbers in binary leaves behind: the last one or two that a float64 has.
func tidy(number float64) float64 {
	if number == math.Trunc(number) {
		return number
	}
	const digits = 15
	result, err := strconv.ParseFloat(strconv.FormatFloat(number, 'g', digits, 64), 64)
	if err != nil {
		return number // the largest of all numbers, rounded up
	}
	return result
}
