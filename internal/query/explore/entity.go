package explore

import (
	"cmp"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// Entity is a session or user with the metrics of its rows.
type Entity struct {
	ID string
	// FirstSeen and LastSeen are the start of its first and last row, LastEnd is the last end.
	FirstSeen, LastSeen, LastEnd           domain.Micros
	Traces, Sessions, Observations         int
	Errors                                 int
	InputCost, OutputCost, TotalCost       float64
	InputTokens, OutputTokens, TotalTokens int64
	Users                                  []string // for a session, at most MaxUsersShown
	Environment                            string   // for a session, that of most of its rows
	// Scores are those of its traces and their observations and, for a session, its own; see EntityQuery.Scores.
	Scores map[string]*ScoreTally
}

// MaxUsersShown is the maximum number of users listed for a session.
const MaxUsersShown = 5

// Duration returns the time from the first start to the last end, in seconds.
func (o *Entity) Duration() float64 {
	return float64(max(o.LastSeen, o.LastEnd).Millis()-o.FirstSeen.Millis()) / 1000
}

// set sets a figure by its name.
func (o *Entity) set(name string, value float64) {
	switch name {
	case "firstSeen":
		o.FirstSeen = domain.Micros(value)
	case "lastSeen":
		o.LastSeen = domain.Micros(value)
	case "lastEnd":
		o.LastEnd = domain.Micros(value)
	case "totalCost":
		o.TotalCost = domain.Dollars(value)
	case "inputCost":
		o.InputCost = domain.Dollars(value)
	case "outputCost":
		o.OutputCost = domain.Dollars(value)
	case "totalTokens":
		o.TotalTokens = int64(value)
	case "inputTokens":
		o.InputTokens = int64(value)
	case "outputTokens":
		o.OutputTokens = int64(value)
	case "traces":
		o.Traces = int(value)
	case "sessions":
		o.Sessions = int(value)
	case "observations":
		o.Observations = int(value)
	case "errors":
		o.Errors = int(value)
	}
}

// EntityKind is a kind of entity: sessions or users.
type EntityKind struct {
	column string
	things string
}

// The kinds of entities.
var (
	Sessions = EntityKind{"sessionId", "sessions"}
	Users    = EntityKind{"userId", "users"}
)

// entityKind returns the kind with a name; nil if there is none.
func entityKind(name string) *EntityKind {
	for _, kind := range []EntityKind{Sessions, Users} {
		if kind.things == name {
			return &kind
		}
	}
	return nil
}

// hasSessions reports whether entities of the kind have several sessions.
func (k *EntityKind) hasSessions() bool { return k.column != Sessions.column }

// named returns a condition for rows that name an entity.
func (k *EntityKind) named() condition {
	return filter.Must(filter.NewNull(columnOf(k.column), false))
}

// Orders are the columns that entities of the kind can be ordered by.
func (k *EntityKind) Orders() []string {
	var names []string
	for _, f := range figures() {
		if k.figureNamed(f.name) != nil {
			names = append(names, f.name)
		}
	}
	return append(names, "id")
}

// EntityCursor is the position of an entity in an order.
type EntityCursor struct {
	Value float64
	ID    string
}

// compareEntities orders entities. Ties are ordered by descending id, unless that is the order.
func (o Order) compareEntities(a, b *EntityCursor) int {
	c := cmp.Compare(b.Value, a.Value)
	if o.Ascending {
		c = -c
	}
	byID := strings.Compare(b.ID, a.ID)
	if o.byID() && o.Ascending {
		byID = -byID
	}
	return cmp.Or(c, byID)
}

func (o Order) byID() bool { return o.Column == "id" }
