package demo

import "fmt"

// person is a user of an application.
type person struct {
	id       string
	name     string
	tier     string
	city     string
	orders   int
	signedIn bool
}

// customer returns a random customer. A few of them come often.
func (w *Workload) customer(c chance) person {
	n := int(float64(w.customers) * c.Float64() * c.Float64())
	own := newChance(w.options.Seed, customerNumbers+uint64(n)) //nolint:gosec // not negative
	return person{
		id: fmt.Sprintf("customer-%04d", 1000+n), name: pick(own, w.texts.shop.Names), city: pick(own, w.texts.shop.Cities),
		tier:   pick(own, []string{"none", "none", "silver", "silver", "gold"}),
		orders: own.between(1, 30), signedIn: own.happens(0.8),
	}
}

// colleague returns a random employee of the shop.
func (w *Workload) colleague(c chance) string {
	return "staff-" + pick(c, []string{"alder", "birch", "cedar", "elm", "hazel", "juniper", "larch", "maple", "rowan", "willow"})
}

// customerNumbers is the first chance number for customers, far beyond those of visits.
const customerNumbers = 1 << 40
