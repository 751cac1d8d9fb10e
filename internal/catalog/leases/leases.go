// Package leases lets the servers of a database share work: a server leases a row that has something to do, renews the
// lease while it works, and ends it with the outcome. If the server is killed, another leases the row once the lease has
// expired. The rows can be of any table.
package leases

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/catalog/tables"
)

// ErrLost means that a lease ended before the work did: it was cancelled or deleted, or another server took it over.
var ErrLost = errors.New("the lease was lost")

// maxUnfinished is how often work is begun without coming to an end because its server was killed: the work may have
// been the reason. After that it waits for a person.
const maxUnfinished = 2

// Table describes rows that servers lease. Their table has the columns leased_by, leased_until and unfinished, which are
// NULL, NULL and 0 to begin with. Only one kind of jobs leases rows of a table: on SQLite, a row that is leased and not
// among what the server works on, of that kind, counts as abandoned.
type Table struct {
	// Name is the table, and Key its primary key.
	Name, Key string
	// From has the rows that may have something to do: the table, perhaps joined with others. ID is the key in it, if
	// it differs from Key.
	From, ID string
	// Tenant is an expression for whom a row is worked on. MaxOfTenant is how many rows of a tenant are leased at the same
	// time, over all servers.
	Tenant      string
	MaxOfTenant int
	// Since is an expression for the order of the rows of a tenant.
	Since string
	// Still is the condition under which a row of the table itself can be leased; empty for always.
	Still string
	// Create, if not nil, creates a row of From in the table, unless it is there.
	Create func(ctx context.Context, s tables.Session, id string) error
	// GiveUp ends work that was begun too often without coming to an end.
	GiveUp func(ctx context.Context, s tables.Session, id string) error
}

// Server is a server that leases rows.
type Server struct {
	Name string        // unique for every claim: a lease that ended does not become valid again with the next one
	Life time.Duration // how long a lease lasts that is not renewed
	// Working are the names with which the server claimed what it works on now.
	Working []string
}

// Lease is a row that is leased to a server.
type Lease struct {
	ID     string
	table  *Table
	server Server
	lived  atomic.Bool // see Lived
}

// nameMark separates the name of a server from what makes its claims different.
const nameMark = "#"

// Named returns the server with a name for one claim.
func (s Server) Named(claim string) Server {
	s.Name += nameMark + claim
	return s
}

// ServerOf returns the server that has a lease, by the name in its row.
func ServerOf(name string) string {
	server, _, _ := strings.Cut(name, nameMark)
	return server
}

// Now returns the time by which leases are measured, in milliseconds. If several servers use the database, that is its
// clock: a server whose clock is ahead would take the work of servers that live.
func Now(ctx context.Context, s tables.Session) (int64, error) {
	if s.SQL.Clock == "" {
		return tables.Millis(s.Now()), nil
	}
	return tables.QueryOne(ctx, s, tables.ScanValue[int64], s.SQL.Clock)
}

// ended returns the condition that a row was leased by a claim whose server is gone. On SQLite, where only one server
// runs at a time, that is every row which this server does not work on. What it works on is not gone, even if the lease
// could not be renewed for a while; a claim whose commit was not answered is, since nobody works on it.
func ended(s tables.Session, by Server, now int64) tables.Condition {
	names := []any{by.Name}
	for _, name := range by.Working {
		names = append(names, name)
	}
	gone := tables.SQL("leased_by NOT IN ("+tables.Placeholders(len(names))+")", names...)
	if s.SQL.Lock == nil {
		return gone
	}
	return gone.And(tables.SQL("leased_until < ?", now))
}

// IsDue reports whether there may be a row for Claim. It is for those who look often and rarely find one: it only reads.
func (t *Table) IsDue(ctx context.Context, s tables.Session, by Server, now int64, due tables.Condition) (bool, error) {
	gone := ended(s, by, now)
	return s.Exists(ctx, "SELECT 1 FROM "+t.From+" WHERE "+due.Text+" AND (leased_by IS NULL OR "+gone.Text+")",
		slices.Concat(due.Args, gone.Args)...)
}

// Claim leases a row that is due; it returns nil if there is none. It picks, of the tenants with the fewest leased rows,
// the row that comes first. Set changes other columns of the row. A row whose lease has expired can be leased again,
// since its server is assumed dead, but only once: that the work begins is stored before it does.
func (t *Table) Claim(ctx context.Context, s tables.Session, by Server, now int64, due tables.Condition, set tables.Query) (*Lease, error) {
	if s.SQL.Serialize != "" { // servers that claim at the same time would not see each other's claims
		if _, err := s.Exec(ctx, s.SQL.Serialize, t.Name); err != nil {
			return nil, err
		}
	}
	gone := ended(s, by, now)
	if err := t.giveUp(ctx, s, gone); err != nil {
		return nil, err
	}
	key := cmp.Or(t.ID, t.Key)
	id, err := tables.Optional(tables.QueryOne(ctx, s, tables.ScanValue[string], `SELECT due.id FROM
		(SELECT `+key+` AS id, `+t.Tenant+` AS tenant, `+t.Since+` AS since FROM `+t.From+`
			WHERE `+due.Text+` AND (leased_by IS NULL OR `+gone.Text+`)) due
		LEFT JOIN (SELECT `+t.Tenant+` AS tenant, COUNT(*) AS leased FROM `+t.From+`
			WHERE leased_by IS NOT NULL AND NOT (`+gone.Text+`) GROUP BY 1) busy ON busy.tenant = due.tenant
		WHERE COALESCE(busy.leased, 0) < ? ORDER BY COALESCE(busy.leased, 0), due.since, due.id LIMIT 1`,
		slices.Concat(due.Args, gone.Args, gone.Args, []any{t.MaxOfTenant})...))
	if err != nil || id == nil {
		return nil, err
	}
	if t.Create != nil {
		if err := t.Create(ctx, s, *id); err != nil {
			return nil, err
		}
	}
	where := t.Key + " = ? AND (leased_by IS NULL OR " + gone.Text + ")"
	if t.Still != "" {
		where += " AND " + t.Still
	}
	claim := tables.SQL("leased_by = ?, leased_until = ?, unfinished = unfinished + 1", by.Name, now+by.Life.Milliseconds())
	changed, err := t.update(ctx, s, with(claim, set), tables.SQL(where, append([]any{*id}, gone.Args...)...))
	if err != nil || changed == 0 { // cancelled at the same time
		return nil, err
	}
	return &Lease{ID: *id, table: t, server: by}, nil
}

// giveUp ends what was begun too often.
func (t *Table) giveUp(ctx context.Context, s tables.Session, gone tables.Condition) error {
	found, err := tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT "+t.Key+" FROM "+t.Name+
		" WHERE leased_by IS NOT NULL AND unfinished >= ? AND "+gone.Text,
		append([]any{maxUnfinished}, gone.Args...)...)
	if err != nil {
		return err
	}
	for _, id := range found {
		if err := errors.Join(t.Free(ctx, s, id), t.GiveUp(ctx, s, id)); err != nil {
			return err
		}
	}
	return nil
}

// Free ends the lease of a row, if it has one, and forgets how often its work was begun. The server that works on it
// notices when it renews its lease.
func (t *Table) Free(ctx context.Context, s tables.Session, id string) error {
	_, err := t.update(ctx, s, free, tables.SQL(t.Key+" = ?", id))
	return err
}

// free is the state of a row that is not leased.
var free = tables.SQL("leased_by = NULL, leased_until = NULL, unfinished = 0")

func (t *Table) update(ctx context.Context, s tables.Session, set, where tables.Query) (changed int64, err error) {
	return s.Exec(ctx, "UPDATE "+t.Name+" SET "+set.Text+" WHERE "+where.Text, slices.Concat(set.Args, where.Args)...)
}

// with returns two lists of changes as one.
func with(set, other tables.Query) tables.Query {
	if other.Text == "" {
		return set
	}
	return tables.SQL(set.Text+", "+other.Text, slices.Concat(set.Args, other.Args)...)
}

// Renew extends the lease, changes other columns of the row, and locks it for the rest of the transaction. It returns
// ErrLost if another has the lease by now.
func (l *Lease) Renew(ctx context.Context, s tables.Session, set tables.Query) error {
	now, err := Now(ctx, s)
	if err != nil {
		return err
	}
	return l.update(ctx, s, with(tables.SQL("leased_until = ?", now+l.server.Life.Milliseconds()), set))
}

// End ends the lease and changes other columns of the row. It returns ErrLost if another has the lease by now.
func (l *Lease) End(ctx context.Context, s tables.Session, set tables.Query) error {
	return l.update(ctx, s, with(free, set))
}

func (l *Lease) update(ctx context.Context, s tables.Session, set tables.Query) error {
	changed, err := l.table.update(ctx, s, set, tables.SQL(l.table.Key+" = ? AND leased_by = ?", l.ID, l.server.Name))
	if err == nil && changed == 0 {
		err = ErrLost
	}
	return err
}

// Lived takes back that the work was begun, if something failed because the lease was lost: the server lives, so it was
// suspended, or without the database, for too long, and the work was not the reason. It must be called wherever a server
// may be the first time to learn of that, and counts once. It returns the error.
func (l *Lease) Lived(ctx context.Context, d *tables.DB, failure error) error {
	if !errors.Is(failure, ErrLost) || l.lived.Swap(true) {
		return failure
	}
	err := d.Update(ctx, func(s tables.Session) error {
		_, err := l.table.update(ctx, s, tables.SQL("unfinished = unfinished - 1"),
			tables.SQL(l.table.Key+" = ? AND leased_by <> ? AND unfinished > 1", l.ID, l.server.Name))
		return err
	})
	if err != nil {
		l.lived.Store(false)
	}
	return errors.Join(failure, err)
}

// Released returns nil for ErrLost: what is released may belong to another server by now.
func Released(err error) error {
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

type contextKey struct{}

// With returns a context that carries a lease, for work that calls methods of the catalog which do not know it.
func With(ctx context.Context, l *Lease) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// Confirm returns ErrLost if the context carries a lease that was lost, and otherwise locks its row for the rest of the
// transaction. Work that must not be done twice confirms its lease in the transaction that records it.
func Confirm(ctx context.Context, s tables.Session) error {
	l, _ := ctx.Value(contextKey{}).(*Lease)
	if l == nil {
		return nil
	}
	return l.Renew(ctx, s, tables.Query{})
}

// Confirmed is Lived for the lease that the context carries, if any, and the error of a transaction that confirmed it.
func Confirmed(ctx context.Context, d *tables.DB, failure error) error {
	l, _ := ctx.Value(contextKey{}).(*Lease)
	if l == nil {
		return failure
	}
	return l.Lived(ctx, d, failure)
}
