package demo

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// chance makes random decisions. Every visit has its own, so that its content depends only on the seed and its number
// and not on when it takes place.
type chance struct{ *rand.Rand }

func newChance(seed, number uint64) chance {
	return chance{rand.New(rand.NewPCG(seed, number))} //nolint:gosec // repeatable on purpose, and nothing secret depends on it
}

// The first numbers of chances that do not belong to visits.
const (
	customerNumbers = 1 << 40
	timeNumber      = 1 << 41
	pauseNumbers    = 1 << 42
	deckNumber      = 1 << 43
)

// happens returns true with the given probability.
func (c chance) happens(probability float64) bool { return c.Float64() < probability }

// pick returns a random element.
func pick(c chance, from []string) string { return from[c.IntN(len(from))] }

// two returns two different elements.
func two(c chance, from []string) (first, second string) {
	n := c.IntN(len(from))
	return from[n], from[(n+1)%len(from)]
}

// What the shop sells, and to whom. Some questions make sense for some products only.
var (
	products = []string{
		"Skerry rain jacket", "Fjell 45 backpack", "Drift sleeping bag", "Ember camping stove", "Loch 2 tent", "Pine merino base layer",
		"Cairn trekking poles", "Brook water filter", "Tarn headlamp", "Moss fleece",
	}
	clothes = []string{"Skerry rain jacket", "Pine merino base layer", "Moss fleece", "Heath hiking shirt"}
	packs   = []string{"Fjell 45 backpack", "Fjell 65 backpack", "Dale daypack"}
	bags    = []string{"Drift sleeping bag", "Lichen sleeping bag", "Frost sleeping bag"}
	names   = []string{
		"Amara", "Ben", "Chloé", "Daniel", "Elif", "Fatou", "Grace", "Henrik", "Inés", "Jonas", "Keiko", "Liam", "Mira", "Noah",
		"Olga", "Priya",
		"Quentin", "Rosa", "Samir", "Tomasz", "Uma", "Viktor", "Wei", "Yara", "Zoë",
	}
	cities = []string{
		"Bergen", "Bristol", "Gdańsk", "Ghent", "Kyoto", "Lyon", "Malmö", "Porto", "Portland", "Tallinn", "Utrecht", "Zürich",
	}
	tiers    = []string{"none", "none", "silver", "silver", "gold"}
	carriers = []string{"DHL", "PostNL", "DPD", "Posten"}
)

// newFacts draws what is the same throughout a visit.
func (w *Workload) newFacts(c chance, v *visit) map[string]string {
	f := map[string]string{
		"session": fmt.Sprintf("%08x", c.Uint32()), "order": strconv.Itoa(40_000_000 + c.IntN(9_999_999)),
		"ticket": fmt.Sprintf("T-%05d", c.IntN(99_999)), "tracking": fmt.Sprintf("TW%010d", c.IntN(1e9)),
		"amount": fmt.Sprintf("%d.%02d", 19+c.IntN(362), c.IntN(100)), "carrier": pick(c, carriers), "pack": pick(c, packs),
	}
	f["product"], f["other"] = two(c, products)
	f["clothes"], f["otherclothes"] = two(c, clothes)
	f["bag"], f["otherbag"] = two(c, bags)
	for range 50 { // until the customer has the recorded tier; a few tries nearly always suffice
		n := int(float64(w.customers) * c.Float64() * c.Float64())  // a few come often
		own := newChance(w.options.Seed, customerNumbers+uint64(n)) //nolint:gosec // not negative
		f["user"], f["name"], f["city"] = fmt.Sprintf("customer-%04d", 1000+n), pick(own, names), pick(own, cities)
		f["orders"], f["signedin"] = strconv.Itoa(1+own.IntN(30)), strconv.FormatBool(own.happens(0.8))
		if v.Tier == "" || v.Tier == pick(own, tiers) {
			break
		}
	}
	return f
}

// setDates sets the facts that depend on when a trace ends.
func setDates(f map[string]string, end time.Time) {
	for name, days := range map[string]int{"lastweek": -6, "yesterday": -1, "tomorrow": 1, "soon": 3, "later": 9} {
		f[name] = end.AddDate(0, 0, days).Format("2 January")
	}
	f["isodate"], f["since"] = end.AddDate(0, 0, 3).Format(time.DateOnly), end.AddDate(0, 0, -1).Format(time.DateOnly)
	year, week := end.ISOWeek()
	f["release"] = fmt.Sprintf("%d.%02d", year, week)
}
