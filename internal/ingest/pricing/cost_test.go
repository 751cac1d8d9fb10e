package pricing

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

func costOf(lines []costLine) string { return string(appendCost(nil, lines)) }

func TestProvidedCost(t *testing.T) {
	for _, test := range []struct {
		name           string
		cost           []domain.CostEntry
		provided, want string
	}{
		{"a total", dollars("total", 0.5), `{"total":0.5}`, `{"total":0.5}`},
		{
			"input and output", dollars("input", 0.1, "output", 0.2),
			`{"input":0.1,"output":0.2}`, `{"input":0.1,"output":0.2,"total":0.3}`,
		},
		{"input alone", dollars("input", 0.1), `{"input":0.1}`, `{"input":0.1,"total":0.1}`},
		{"output alone", dollars("output", 0.1), `{"output":0.1}`, `{"output":0.1,"total":0.1}`},
		{
			"a total that is no sum", dollars("input", 111, "output", 222, "total", 444),
			`{"input":111,"output":222,"total":444}`, `{"input":111,"output":222,"total":444}`,
		},
		{
			"other kinds", dollars("input", 0.5, "cache_read", 0.1),
			`{"input":0.5,"cache_read":0.1}`, `{"input":0.5,"cache_read":0.1}`,
		},
		{"other kinds alone", dollars("images", 0.5), `{"images":0.5}`, `{"images":0.5}`},
		{"other kinds with a total", dollars("images", 0.5, "total", 1), `{"images":0.5,"total":1}`, `{"images":0.5,"total":1}`},
		{
			"rounded", dollars("input", 0.1234567890129),
			`{"input":0.123456789013}`, `{"input":0.123456789013,"total":0.123456789013}`,
		},
		{
			"the total is the sum of what is kept", dollars("input", 6e-13, "output", 6e-13),
			`{"input":1e-12,"output":1e-12}`, `{"input":1e-12,"output":1e-12,"total":2e-12}`,
		},
		{
			"a decimal sum", dollars("input", 1.5e-05, "output", 1.5e-05+2e-20),
			`{"input":0.000015,"output":0.000015}`, `{"input":0.000015,"output":0.000015,"total":0.00003}`,
		},
		{
			"too much", dollars("input", 1e9, "output", 1e9),
			`{"input":999999.999999,"output":999999.999999}`, `{"input":999999.999999,"output":999999.999999,"total":999999.999999}`,
		},
		{"less than nothing", dollars("input", -1.5, "output", 1), `{"output":1}`, `{"output":1,"total":1}`},
		{"names that need escapes", dollars("a\"b\n", 1), `{"a\"b\n":1}`, `{"a\"b\n":1}`},
		{"not numbers", dollars("x", math.NaN(), "input", 1, "y", math.Inf(1)), `{"input":1}`, `{"input":1,"total":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			cost := usable(test.cost)
			lines := providedCost(nil, cost)
			if got := costOf(lines); got != test.provided {
				t.Errorf("provided %s, want %s", got, test.provided)
			}
			if got := costOf(withProvidedTotal(lines)); got != test.want {
				t.Errorf("cost %s, want %s", got, test.want)
			}
		})
	}
}

func TestPricedCost(t *testing.T) {
	prices := func(list ...domain.Price) map[string]price { return compilePrices(list) }
	per := func(kind string, dollars float64) domain.Price { return domain.Price{Kind: kind, PerUnit: dollars} }
	for _, test := range []struct {
		name   string
		prices map[string]price
		usage  []domain.UsageEntry
		want   string
	}{
		{
			"the same names only", prices(per("input", 0.001), per("output", 0.002)),
			units("input", 3, "Output", 5, "input_cached", 7, "total", 15), `{"input":0.003,"total":0.003}`,
		},
		{
			"the sum of all", prices(per("input", 0.001), per("output", 0.002)),
			units("input", 3, "output", 5, "total", 8), `{"input":0.003,"output":0.01,"total":0.013}`,
		},
		{
			"a price for the total", prices(per("total", 0.0001)),
			units("input", 2000, "total", 2000), `{"total":0.2}`,
		},
		{
			"a price for the total and others", prices(per("input", 1), per("total", 2)),
			units("input", 3, "total", 4), `{"input":3,"total":8}`,
		},
		{"nothing priced", prices(per("images", 1)), units("input", 3, "total", 3), ``},
		{"free", prices(per("input", 0)), units("input", 3, "total", 3), `{"input":0,"total":0}`},
		{"unused", prices(per("input", 1)), units("input", 0, "total", 0), `{"input":0,"total":0}`},
		{
			"a decimal sum",
			prices(per("a", 0.0000075), per("b", 0.000012), per("c", 0.000003)),
			units("a", 1, "b", 1, "c", 1, "total", 3), `{"a":0.0000075,"b":0.000012,"c":0.000003,"total":0.0000225}`,
		},
		{
			"another decimal sum",
			prices(per("a", 1.5e-05), per("b", 1.2e-05), per("c", 3e-06)),
			units("a", 1, "b", 1, "c", 1, "total", 3), `{"a":0.000015,"b":0.000012,"c":0.000003,"total":0.00003}`,
		},
		{
			"too much", prices(per("input", 1)),
			units("input", int64(math.MaxInt64)), `{"input":999999.999999,"total":999999.999999}`,
		},
		{"a price that is none", prices(per("input", -1)), units("input", 3), ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, costOf(priced(nil, test.prices, test.usage))); diff != "" {
				t.Errorf("cost (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSumCost(t *testing.T) {
	for _, test := range []struct {
		name          string
		lines         []costLine
		input, output float64
		total         domain.OptFloat
	}{
		{"nothing", nil, 0, 0, domain.OptFloat{}},
		{"by names", []costLine{
			{"input", amountOf(0.1)},
			{"cache_Input", amountOf(0.2)},
			{"output", amountOf(0.4)},
			{"reasoning", amountOf(9)},
			{"total", amountOf(5)},
		}, 0.3, 0.4, domain.FloatOf(5)},
		{"no total", []costLine{{"input", amountOf(0.1)}, {"images", amountOf(1)}}, 0.1, 0, domain.OptFloat{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			row := domain.Observation{InputCost: 99, OutputCost: 99, TotalCost: domain.FloatOf(99)}
			sumCost(&row, test.lines)
			if row.InputCost != test.input || row.OutputCost != test.output || row.TotalCost != test.total {
				t.Errorf("sums %v, %v, %+v, want %v, %v, %+v", row.InputCost, row.OutputCost, row.TotalCost, test.input, test.output,
					test.total)
			}
		})
	}
}
