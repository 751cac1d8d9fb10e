package respond

import (
	"math"
	"strconv"

	"almanac/internal/domain"
	"almanac/internal/jsontext"
)

// belongs reports whether a kind of usage or cost is part of the sum that is called input or output. The two APIs differ in
// it: strings.Contains for rows as of version 2, strings.HasPrefix for those before it.
type belongs func(kind, sum string) bool

// usageSums are what usage adds up to.
type usageSums struct{ input, output, total int64 }

// readUsage adds up usage. It says false, and adds up nothing, if the text is not an object of integers.
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

// addUnits adds, and stops at the ends of what the type can hold.
func addUnits(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// costSums are what cost adds up to.
type costSums struct{ input, output, total costSum }

// costSum is a sum of costs. As long as it has one part only, it is that part as it is written.
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

// dollars reads a number that is known to be one. What is beyond a float64 becomes infinite, and is written as null.
func dollars(number string) float64 {
	f, _ := strconv.ParseFloat(number, 64)
	return f
}

// appendTo appends the sum, or what stands for none.
func (s *costSum) appendTo(dst []byte, name, none string) []byte {
	dst = append(dst, name...)
	switch s.parts {
	case 0:
		return append(dst, none...)
	case 1:
		return append(dst, s.only...)
	}
	// Costs are decimal numbers, so is their sum: 0.1 and 0.2 are 0.3.
	return jsontext.AppendNumber(dst, s.sum.Dollars())
}

// readCost adds up cost. It says false, and adds up nothing, if the text is not an object of numbers.
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

// appendDetails appends usage or cost by kind, which is known to be an object or not.
func appendDetails(dst []byte, name, text string, isObject bool) []byte {
	dst = append(dst, name...)
	if !isObject {
		return append(dst, "{}"...)
	}
	return jsontext.AppendUTF8(dst, text)
}
