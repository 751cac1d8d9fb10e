package domain_test

import (
	"slices"
	"testing"

	"almanac/internal/domain"
)

func TestMentions(t *testing.T) {
	for content, want := range map[string][]string{
		"":               nil,
		"see @Ann":       nil,
		"[Ann](user:u1)": nil,
		"@[Ann Lee](user:u2) and @[Bo](user:u1), @[Ann](user:u2)": {"u2", "u1"},
		"@[Ann\nLee](user:u2) @[Bo](user:u 1) @[](user:u3)":       nil,
	} {
		if got := domain.Mentions(content); !slices.Equal(got, want) {
			t.Errorf("%q mentions %q, not %q", content, got, want)
		}
	}
}
