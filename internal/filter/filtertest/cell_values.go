package filtertest

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"almanac/internal/domain"
)

// nowhere is a text that no row has.
const nowhere = "no such text"

// plain returns values as arguments without a key.
func plain[T any](values ...T) []arguments {
	made := make([]arguments, len(values))
	for n, v := range values {
		made[n].value = v
	}
	return made
}

func noValues(_, _ string, _ []domain.Observation) []arguments {
	return plain[any]("", nil)
}

func boolValues(_, _ string, _ []domain.Observation) []arguments { return plain(true, false) }

// distinct returns the distinct non-empty values of a column, in row order.
func distinct[T any](column string, rows []domain.Observation, same func(a, b T) bool) []T {
	var found []T
	for n := range rows {
		value, ok := Value(column, &rows[n]).(T)
		if ok && !isEmpty(value) && !slices.ContainsFunc(found, func(f T) bool { return same(f, value) }) {
			found = append(found, value)
		}
	}
	return found
}

// sample returns a few evenly spaced values.
func sample[T any](values []T, few int) []T {
	if len(values) <= few {
		return values
	}
	chosen := make([]T, few)
	for n := range chosen {
		chosen[n] = values[n*(len(values)-1)/(few-1)]
	}
	return chosen
}

func equal[T comparable](a, b T) bool { return a == b }

// parts returns a text, its beginning, its end and a part of its middle.
func parts(text string) []string {
	characters := []rune(text)
	half := (len(characters) + 1) / 2
	return []string{text, string(characters[:half]), string(characters[half:]), string(characters[half/2 : half])}
}

func textValues(column, _ string, rows []domain.Observation) []arguments {
	chosen := sample(distinct(column, rows, equal[string]), 2)
	values := append(parts(chosen[1]), "", nowhere, chosen[0], strings.ToUpper(chosen[0]))
	slices.Sort(values)
	return plain(slices.Compact(values)...)
}

func choiceValues(column, _ string, rows []domain.Observation) []arguments {
	chosen := sample(distinct(column, rows, equal[string]), 3)
	many := slices.Repeat([]string{nowhere}, 20) // more than are compared one by one
	one := chosen[:1:1]
	return plain([]string{nowhere}, []string{""}, chosen, append(one, nowhere), append(one, ""), append(many, chosen...))
}

func listValues(column, operator string, rows []domain.Observation) []arguments {
	values := plain([]string{nowhere}, []string{""})
	for _, list := range sample(distinct(column, rows, slices.Equal[[]string]), 5) {
		values = append(values, plain(list, append(slices.Clone(list), nowhere))...)
	}
	if operator != "any of" {
		values = append(values, arguments{value: []string{}})
	}
	return values
}

func numberValues(column, _ string, rows []domain.Observation) []arguments {
	values := []json.Number{"0", "-0.0005", "1e9", "2.5E-1", "0.8"} // the last is a sum of costs
	precision := decimals(column)
	for _, r := range sample(distinct(column, rows, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }), 2) {
		r = rounded(r, precision)
		// Only small floating point numbers have all decimals that count, and the next one.
		small := r.Sign() >= 0 && r.Cmp(big.NewRat(10, 1)) < 0
		step := big.NewRat(1, 1000)
		switch {
		case precision == all:
			step = big.NewRat(1, 1)
		case small:
			step.SetFrac(big.NewInt(1), power(precision))
			values = append(values, decimal(r, precision)+"9") // which is truncated
		}
		above, below := new(big.Rat).Add(r, step), new(big.Rat).Sub(r, step)
		values = append(values, decimal(r, precision), decimal(above, precision), decimal(below, precision))
	}
	return plain(values...)
}

// decimal formats a number with the given number of decimals.
func decimal(r *big.Rat, decimals int) json.Number {
	return json.Number(r.FloatString(max(decimals, 0)))
}

func timeValues(column, _ string, rows []domain.Observation) []arguments {
	values := []any{"1900-01-01", "2100-01-01T00:00:00Z", json.Number("0"), "2026-03-04"}
	for _, at := range sample(distinct(column, rows, equal[Millis]), 4) {
		for _, off := range []Millis{0, 1, -1} {
			values = append(values, timeForms(at + off)[:2]...)
		}
		values = append(values, timeForms(at)...)
	}
	return plain(values...)
}

// timeForms returns the ways to write a time.
func timeForms(at Millis) []any {
	t := time.UnixMilli(int64(at)).UTC()
	const millis = "2006-01-02T15:04:05.000"
	return []any{
		t.Format(millis + "Z"), json.Number(big.NewInt(int64(at)).String()), t.Format(millis),
		t.In(time.FixedZone("", 2*60*60)).Format(millis + "Z07:00"), t.Format(millis) + "999Z", t.Format(time.DateOnly),
	}
}

func longTextValues(column, operator string, rows []domain.Observation) []arguments {
	chosen := sample(distinct(column, rows, equal[string]), 8)
	if operator == "=" {
		return plain(append(slices.Clone(chosen), "", nowhere, strings.ToUpper(chosen[0]))...)
	}
	values := []string{
		"needle", "NEEDLE", "needl", "needle in a", "alpha beta", "Beta", "gap", "a_thing", "100%", "天气", "很好，我们",
		"docker", "GPT4模型", "𠮷", "café", "cafe", "capital of France", "one\nline", nowhere, numbered(64), numbered(70), "w1 w2", "w79",
	}
	for _, text := range chosen {
		if len(words(text)) > 0 {
			values = append(values, text, strings.ToUpper(text))
		}
	}
	return plain(values...)
}
