package pricing

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

func TestWithTotal(t *testing.T) {
	const most = int64(math.MaxInt64)
	for _, test := range []struct {
		name  string
		usage []domain.UsageEntry
		want  []domain.UsageEntry
	}{
		{"nothing", nil, nil},
		{"the sum of all", units("input", 1, "x", 2), units("input", 1, "x", 2, "total", 3)},
		{"zero", units("input", 0), units("input", 0, "total", 0)},
		{"never corrected", units("input", 10, "total", 3), units("input", 10, "total", 3)},
		{"a total of zero", units("total", 0, "input", 10), units("total", 0, "input", 10)},
		{"the name is exact", units("Total", 4), units("Total", 4, "total", 4)},
		{
			"too much to count", units("input", most, "output", 1),
			units("input", most, "output", 1, "total", most),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			given := append([]domain.UsageEntry(nil), test.usage...)
			if diff := cmp.Diff(test.want, withTotal(nil, test.usage)); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(given, test.usage); diff != "" {
				t.Errorf("what the client gave was changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlus(t *testing.T) {
	for _, test := range []struct{ a, b, want int64 }{
		{1, 2, 3},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{math.MinInt64, -1, math.MinInt64},
		{math.MinInt64, math.MaxInt64, -1},
		{-5, 3, -2},
	} {
		if got := plus(test.a, test.b); got != test.want {
			t.Errorf("plus(%d, %d) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestSumUsage(t *testing.T) {
	for _, test := range []struct {
		name          string
		usage         []domain.UsageEntry
		input, output int64
		total         domain.OptInt
	}{
		{"nothing", nil, 0, 0, domain.OptInt{}},
		{"input by names", units("input", 1, "cache_read_input_tokens", 2, "INPUT_audio", 4, "total", 5), 7, 0, domain.IntOf(5)},
		{"output by names", units("output", 8, "output_reasoning", 16, "reasoning_tokens", 32), 0, 24, domain.OptInt{}},
		{"both", units("input_to_output", 3), 3, 3, domain.OptInt{}},
		{"too much", units("input", int64(math.MaxInt64), "input_x", 1), math.MaxInt64, 0, domain.OptInt{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			row := domain.Observation{InputTokens: 99, OutputTokens: 99, TotalTokens: domain.IntOf(99)}
			sumUsage(&row, test.usage)
			if row.InputTokens != test.input || row.OutputTokens != test.output || row.TotalTokens != test.total {
				t.Errorf("sums %d, %d, %+v, want %d, %d, %+v", row.InputTokens, row.OutputTokens, row.TotalTokens, test.input, test.output,
					test.total)
			}
		})
	}
}
