package traces

import (
	"cmp"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Query selects traces and their order.
type Query struct {
	// From and To bound the time of a trace, which is its earliest start: From <= time < To. 0 means no bound.
	From, To domain.Micros
	// Where are conditions that a trace must meet.
	Where []filter.Condition[domain.TraceSummary]
	// Scores are conditions that the scores of a trace must meet, of type numberObject, booleanObject or
	// categoryOptions, whose key is the name of the scores.
	Scores []filter.Draft
	Order  Order
}

// matches reports whether a trace meets all conditions except those on scores.
func (q *Query) matches(t *domain.TraceSummary) bool {
	return (q.From == 0 || t.Timestamp >= q.From) && (q.To == 0 || t.Timestamp < q.To) && filter.MatchAll(q.Where, t)
}

// want returns which long texts to read: metadata, if a condition is on it.
func (q *Query) want() store.Want {
	if filter.Addresses(q.Where, filter.TraceColumn("metadata")) {
		return WantMetadata
	}
	return 0
}

// WantMetadata is what to read from rows to know the metadata of their trace.
const WantMetadata = store.WantTrace | store.WantMetadata

// Order is an order of traces. The zero value is newest first.
type Order struct {
	// Column is one of Orders; empty for the timestamp.
	Column    string
	Ascending bool
}

// Orders are the columns that traces can be ordered by.
var Orders = []string{"id", "timestamp", "name", "userId", "release", "version", "public", "bookmarked", "sessionId"}

func (o Order) byTime() bool { return o.Column == "" || o.Column == "timestamp" }

// found is a trace that meets the conditions, reduced to what its position in the order depends on.
type found struct {
	id     string
	millis int64  // timestamp
	text   string // value of the column that traces are ordered by
	unset  bool   // the value is unset: it comes last in either direction
}

// compare orders traces. Ties are ordered newest first.
func (o Order) compare(a, b found) int {
	var c int
	switch {
	case a.unset != b.unset:
		if a.unset {
			return 1
		}
		return -1
	case o.byTime():
		c = cmp.Compare(a.millis, b.millis)
	default:
		c = cmp.Compare(a.text, b.text)
	}
	if !o.Ascending {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(b.millis, a.millis), cmp.Compare(b.id, a.id))
}

// place returns the fields that the position of a trace depends on.
func (o Order) place(t *domain.TraceSummary) found {
	f := found{id: t.ID, millis: t.Timestamp.Millis()}
	flag := map[bool]string{false: "0", true: "1"}
	switch o.Column {
	case "id":
		f.text = t.ID
	case "name":
		f.text = t.Name
	case "userId":
		f.text, f.unset = t.UserID, t.UserID == ""
	case "release":
		f.text, f.unset = t.Release, t.Release == ""
	case "version":
		f.text, f.unset = t.Version, t.Version == ""
	case "sessionId":
		f.text, f.unset = t.SessionID, t.SessionID == ""
	case "public":
		f.text = flag[t.Public]
	case "bookmarked":
		f.text = flag[t.Bookmarked]
	}
	return f
}
