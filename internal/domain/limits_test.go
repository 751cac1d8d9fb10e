package domain

import (
	"strings"
	"testing"
)

func TestLimitsText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"requests=1000/m":                 "requests=1000/m",
		"spans=5_000_000/d, requests=1/m": "requests=1/m,spans=5000000/d",
		"bytes=1/minute,bytes=2/day":      "bytes=1/m,bytes=2/d",
	} {
		var l Limits
		if err := l.UnmarshalText([]byte(text)); err != nil || l.String() != want {
			t.Errorf("%q is read as %q (%v), want %q", text, l, err, want)
		}
	}
	for text, part := range map[string]string{
		"requests":                    "expected requests, spans or bytes",
		"tokens=1/m":                  "expected requests, spans or bytes",
		"requests=1":                  "expected requests, spans or bytes",
		"requests=1/h":                "expected requests, spans or bytes",
		"requests=0/m":                "is not a number from 1 to",
		"requests=-1/m":               "is not a number from 1 to",
		"requests=many/m":             "is not a number from 1 to",
		"requests=1125899906842625/m": "is not a number from 1 to 1125899906842624",
		"spans=1/m,spans=2/m":         "said twice",
	} {
		var l Limits
		if err := l.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, want %s", text, err, part)
		}
	}
}
