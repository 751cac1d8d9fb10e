package semconv

import (
	"math"
	"testing"

	"almanac/internal/ingest/otlp"
)

func TestTests(t *testing.T) {
	object := otlp.Value{Kind: otlp.KindJSON, Text: "{}"}
	for _, c := range []struct {
		value                           any
		isNotNull, isTruthy, hasMeaning bool
	}{
		{nil, false, false, false},
		{"", true, false, false},
		{"0", true, true, true},
		{0, true, false, true},
		{-1, true, true, true},
		{0.0, true, false, true},
		{0.5, true, true, true},
		{math.NaN(), true, false, true},
		{false, true, false, true},
		{true, true, true, true},
		{[]any{}, true, true, false},
		{[]any{nil}, true, true, true},
		{object, true, true, true},
		{otlp.Value{Kind: 99}, true, false, true},
	} {
		v := val(c.value)
		if notNull(&v) != c.isNotNull || truthy(&v) != c.isTruthy || meaningful(&v) != c.hasMeaning || !present(&v) {
			t.Errorf("%#v: %t %t %t", c.value, notNull(&v), truthy(&v), meaningful(&v))
		}
	}
	if notNull(nil) || truthy(nil) || meaningful(nil) || present(nil) || isTrue(nil) || isText(nil) {
		t.Error("nothing passes a test")
	}
}

func TestIsTrue(t *testing.T) {
	for _, c := range []struct {
		value any
		want  bool
	}{{true, true}, {"true", true}, {false, false}, {"false", false}, {"True", false}, {1, false}, {"1", false}, {[]any{true}, false}} {
		v := val(c.value)
		if isTrue(&v) != c.want {
			t.Errorf("%#v: %t", c.value, isTrue(&v))
		}
	}
}

func TestNumberOf(t *testing.T) {
	for _, c := range []struct {
		value any
		want  float64
		ok    bool
	}{
		{5, 5, true},
		{0.25, 0.25, true},
		{" 12 ", 12, true},
		{"-1.5e3", -1500, true},
		{"", 0, false},
		{"12a", 0, false},
		{"NaN", 0, false},
		{"Infinity", 0, false},
		{"0x10", 0, false},
		{"1_000", 0, false},
		{"1e999", 0, false},
		{math.Inf(1), 0, false},
		{math.NaN(), 0, false},
		{true, 0, false},
		{nil, 0, false},
		{[]any{1}, 0, false},
	} {
		v := val(c.value)
		got, ok := numberOf(&v)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%#v: %v %t", c.value, got, ok)
		}
	}
}
