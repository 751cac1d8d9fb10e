package demo

import "time"

// rhythm distributes visits over time: people come during the day, and fewer at weekends; jobs run at night.
type rhythm struct {
	from, to time.Time
	// The new versions reach production from newFrom on and are fully rolled out at oldTo.
	newFrom, oldTo time.Time
}

func newRhythm(from, to time.Time) rhythm {
	covered := to.Sub(from)
	return rhythm{from: from, to: to, newFrom: from.Add(covered * 11 / 20), oldTo: from.Add(covered * 7 / 10)}
}

// busy is the traffic in each hour of a day, relative to the busiest.
var busy = [24]float64{
	0.10, 0.07, 0.05, 0.05, 0.05, 0.08, 0.15, 0.30, 0.60, 0.85, 1.00, 0.95,
	0.80, 0.85, 0.95, 1.00, 0.90, 0.75, 0.60, 0.55, 0.50, 0.40, 0.28, 0.17,
}

// nightly is the name of the job that runs at night.
const nightly = "review-digest"

// weekend is the traffic at weekends, relative to other days.
const weekend = 0.45

// draw returns a random time for a visit.
func (r rhythm) draw(c chance, v *visit) time.Time {
	var at time.Time
	for range 200 { // a few tries nearly always suffice; the last one is used in any case
		if v.Name == nightly {
			at = r.drawNight(c)
		} else {
			at = r.from.Add(time.Duration(c.Int64N(int64(r.to.Sub(r.from))) + 1))
		}
		if r.fits(v, at) && (v.Name == nightly || c.happens(busyness(at))) {
			break
		}
	}
	return at
}

// fits reports whether the version of a visit is in production at a given time.
func (r rhythm) fits(v *visit, at time.Time) bool {
	switch {
	case v.Staging:
		return true
	case v.Renewed:
		return !at.Before(r.newFrom)
	default:
		return !at.After(r.oldTo)
	}
}

// busyness returns the traffic at a given time, relative to the busiest hour.
func busyness(at time.Time) float64 {
	if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
		return weekend * busy[at.Hour()]
	}
	return busy[at.Hour()]
}

// drawNight returns a time between two and four o'clock in a random night.
func (r rhythm) drawNight(c chance) time.Time {
	const begins, takes = 2 * time.Hour, 2 * time.Hour
	days := max(1, int(r.to.Sub(r.from)/(24*time.Hour)))
	midnight := time.Date(r.to.Year(), r.to.Month(), r.to.Day(), 0, 0, 0, 0, r.to.Location())
	at := midnight.AddDate(0, 0, -c.IntN(days)).Add(begins + time.Duration(c.Int64N(int64(takes))))
	if at.After(r.to) {
		at = at.AddDate(0, 0, -1)
	}
	return at
}
