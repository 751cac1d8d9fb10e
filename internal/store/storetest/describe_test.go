package storetest

import (
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// TestDiffGroups checks the comparison that the suite depends on.
func TestDiffGroups(t *testing.T) {
	group := func(change func(*store.Group)) *store.Groups {
		g := store.Group{
			Bucket: 1, Keys: []string{"a"}, Nulls: []bool{false}, Values: []domain.OptFloat{domain.FloatOf(0.1), {}},
			Histograms: [][]store.Bin{{{Lower: 1, Upper: 2, Height: 3}}},
		}
		change(&g)
		return &store.Groups{Rows: []store.Group{g, {Bucket: 2, Keys: []string{""}}}}
	}
	want := group(func(*store.Group) {})
	for name, c := range map[string]struct {
		got  *store.Groups
		same bool
	}{
		"the same":           {group(func(*store.Group) {}), true},
		"in another order":   {&store.Groups{Rows: []store.Group{want.Rows[1], want.Rows[0]}}, true},
		"the last digit":     {group(func(g *store.Group) { g.Values[0].Value += 1e-12 }), true},
		"another value":      {group(func(g *store.Group) { g.Values[0].Value += 1e-6 }), false},
		"no value":           {group(func(g *store.Group) { g.Values[0].Set = false }), false},
		"another bucket":     {group(func(g *store.Group) { g.Bucket++ }), false},
		"another key":        {group(func(g *store.Group) { g.Keys[0] = "b" }), false},
		"null":               {group(func(g *store.Group) { g.Nulls[0] = true }), false},
		"another histogram":  {group(func(g *store.Group) { g.Histograms[0][0].Height++ }), false},
		"other limits":       {group(func(g *store.Group) { g.Histograms[0][0].Upper++ }), false},
		"a group less":       {&store.Groups{Rows: want.Rows[:1]}, false},
		"a group more":       {&store.Groups{Rows: append(want.Rows[:2:2], store.Group{Bucket: 3})}, false},
		"nothing":            {&store.Groups{}, false},
		"empty, but not nil": {&store.Groups{Rows: []store.Group{want.Rows[0], {Bucket: 2, Keys: []string{""}, Nulls: []bool{}}}}, true},
	} {
		if d := diffGroups(want, c.got); (d == "") != c.same {
			t.Errorf("%s: %q", name, d)
		}
	}
}
