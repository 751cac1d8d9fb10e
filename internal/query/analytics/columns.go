package analytics

import (
	"math"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/jsontext"
)

// wholeList returns a column with the list as a single value: its JSON text.
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

// numberText returns a column with the number as text, null if it is unset.
func numberText[R any](number *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedText(number.ID(), func(row *R) (string, bool) {
		value, null := number.Number(row)
		if null {
			return "", true
		}
		return strconv.FormatFloat(value, 'f', -1, 64), false
	}, number)
}

// numberOrZero returns a column in which an unset number is 0.
func numberOrZero[R any](number *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedNumber(number.ID(), func(row *R) (float64, bool) {
		value, null := number.Number(row)
		if null {
			return 0, false
		}
		return value, false
	}, number)
}

// numberOrNull returns a column in which 0 is null.
func numberOrNull[R any](number *filter.Column[R]) *filter.Column[R] {
	return filter.DerivedNumber(number.ID(), func(row *R) (float64, bool) {
		value, null := number.Number(row)
		return value, null || value == 0
	}, number)
}

// partOfTime returns a column with the time as text in a layout that keeps only a part of it, such as the month.
func partOfTime[R any](at *filter.Column[R], layout string) *filter.Column[R] {
	return filter.DerivedText(at.ID(), func(row *R) (string, bool) {
		return at.TimeOf(row).Time().Format(layout), false
	}, at)
}

// Layouts of dimensions that are parts of times.
const (
	monthLayout = "2006-01"
	dayLayout   = "2006-01-02"
)

// one returns a column that is 1 for each row. The store needs a column to derive it from; any with few distinct values
// will do.
func one[R any](from ...*filter.Column[R]) *filter.Column[R] {
	return filter.DerivedNumber(countMeasure, func(*R) (float64, bool) { return 1, false }, from...)
}

// millisBetween returns the time between from and to in milliseconds, each truncated to the precision that clients see.
func millisBetween(from, to domain.Micros) (float64, bool) {
	if from == 0 || to == 0 {
		return 0, true
	}
	return float64(to.Millis() - from.Millis()), false
}

// perSecond divides units by the number of second boundaries between from and to. It is null if there are none.
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

// tidy removes the noise that binary addition leaves in the last one or two digits of a float64.
func tidy(number float64) float64 {
	if number == math.Trunc(number) {
		return number
	}
	const digits = 15
	result, err := strconv.ParseFloat(strconv.FormatFloat(number, 'g', digits, 64), 64)
	if err != nil {
		return number // rounded up beyond the largest float64
	}
	return result
}
