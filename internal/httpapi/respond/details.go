package respond

import (
	"math"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// belongs reports whether a kind of usage or cost counts towards the sum named input or output. It differs by API
// version: strings.Contains for rows of version 2, strings.HasPrefix for those of version 1.
type belongs func(kind, sum string) bool

// usageSums holds the sums of usage.
type usageSums struct{ input, output, total int64 }

// readUsage sums up usage. It returns false if text is not an object of integers.
func readUsage(text string, part belongs) (sums usageSums, ok bool) {
	m := jsontext.CheckedMembersOf(text)
	for m.Next() {
		units, err := strconv.ParseInt(m.Value, 10, 64)
		if err != nil {
			return usageSums{}, false
		}
		if part(m.Name, "input") {
			sums.input = addUnits(sums.input, units)
		}
		if part(m.Name, "output") {
			sums.output = addUnits(sums.output, units)
		}
		if m.Name == "total" {
			sums.total = units
		}
	}
	if !m.Whole {
		return usageSums{}, false
	}
	return sums, true
}

// addUnits adds and saturates at the limits of int64.
func addUnits(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// costSums holds the sums of cost.
type costSums struct{ input, output, total costSum }

// costSum is a sum of costs. A sum of a single part is written exactly as that part was.
type costSum struct {
	parts int
	only  string
	sum   domain.Sum
}

func (s *costSum) add(number string) {
	s.parts++
	switch s.parts {
	case 1:
		s.only = number
	case 2:
		s.sum.Add(dollars(s.only))
		s.sum.Add(dollars(number))
	default:
		s.sum.Add(dollars(number))
	}
}

// dollars parses a valid number. Numbers beyond the range of float64 become infinite, which is written as null.
func dollars(number string) float64 {
	f, _ := strconv.ParseFloat(number, 64)
	return f
}

// appendTo appends the sum, or none if it has no parts.
func (s *costSum) appendTo(dst []byte, name, none string) []byte {
	dst = append(dst, name...)
	switch s.parts {
	case 0:
		return append(dst, none...)
	case 1:
		return append(dst, s.only...)
	}
	// Costs are decimal numbers, and so is their sum: 0.1 and 0.2 are 0.3.
	return jsontext.AppendNumber(dst, s.sum.Dollars())
}

// readCost sums up cost. It returns false if text is not an object of numbers.
func readCost(text string, part belongs) (sums costSums, ok bool) {
	m := jsontext.CheckedMembersOf(text)
	for m.Next() {
		if !jsontext.StartsNumber(m.Value[0]) {
			return costSums{}, false
		}
		if part(m.Name, "input") {
			sums.input.add(m.Value)
		}
		if part(m.Name, "output") {
			sums.output.add(m.Value)
		}
		if m.Name == "total" {
			sums.total = costSum{parts: 1, only: m.Value}
		}
	}
	if !m.Whole {
		return costSums{}, false
	}
	return sums, true
}

// appendDetails appends usage or cost by kind, or an empty object if text is not an object.
func appendDetails(dst []byte, name, text string, isObject bool) []byte {
	dst = append(dst, name...)
	if !isObject {
		return append(dst, "{}"...)
	}
	return jsontext.AppendUTF8(dst, text)
}
