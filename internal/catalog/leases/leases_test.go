package leases_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/pgtest"
	"almanac/internal/catalog/tables"
	"almanac/test/catalogtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// pool is a table of rows that servers lease.
type pool struct {
	*testing.T
	db      *tables.DB
	table   leases.Table
	givenUp []string
}

func onBoth(t *testing.T, test func(p *pool)) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		p := &pool{T: t, db: c.DB}
		p.exec(`CREATE TABLE work (id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL, done BOOLEAN NOT NULL, progress BIGINT NOT NULL,
			leased_by TEXT, leased_until BIGINT, unfinished BIGINT NOT NULL DEFAULT 0)`)
		p.table = leases.Table{
			Name: "work", Key: "id", From: "work", Still: "NOT done", Tenant: "tenant", MaxOfTenant: 2, Since: "id",
			GiveUp: func(_ context.Context, _ tables.Session, id string) error {
				p.givenUp = append(p.givenUp, id)
				return nil
			},
		}
		test(p)
	})
}

func (p *pool) exec(statement string, args ...any) {
	p.Helper()
	p.must(p.db.Update(p.Context(), func(s tables.Session) error {
		_, err := s.Exec(p.Context(), statement, args...)
		return err
	}))
}

func (p *pool) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *pool) add(tenant string, ids ...string) {
	p.Helper()
	for _, id := range ids {
		p.exec("INSERT INTO work (id, tenant, done, progress) VALUES (?, ?, ?, 0)", id, tenant, false)
	}
}

// claim leases a row to a server, for a minute; it returns nil if there is none.
func (p *pool) claim(server string) *leases.Lease {
	p.Helper()
	l, err := tables.Transact(p.Context(), p.db, func(s tables.Session) (*leases.Lease, error) {
		now, err := leases.Now(p.Context(), s)
		if err != nil {
			return nil, err
		}
		return p.table.Claim(p.Context(), s, leases.Server{Name: server, Life: time.Minute}, now, tables.SQL("NOT done"),
			tables.SQL("progress = progress + ?", 1))
	})
	p.must(err)
	return l
}

func (p *pool) claimed(server, want string) *leases.Lease {
	p.Helper()
	l := p.claim(server)
	if l == nil && want != "" || l != nil && l.ID != want {
		p.Fatalf("%s leased %+v, want %q", server, l, want)
	}
	return l
}

func (p *pool) renew(l *leases.Lease) error {
	return l.Lived(p.Context(), p.db, p.db.Update(p.Context(), func(s tables.Session) error {
		return l.Renew(p.Context(), s, tables.SQL("progress = 7"))
	}))
}

func (p *pool) end(l *leases.Lease) error {
	return p.db.Update(p.Context(), func(s tables.Session) error { return l.End(p.Context(), s, tables.SQL("done = ?", true)) })
}

func (p *pool) number(column, id string) int64 {
	p.Helper()
	n, err := tables.QueryOne(p.Context(), p.db.Reader(), tables.ScanValue[int64], "SELECT "+column+" FROM work WHERE id = ?", id)
	p.must(err)
	return n
}

// later moves the clock of the database, or on SQLite, where there is none, that of the server.
func (p *pool) later(d time.Duration) {
	if p.db.SQL.Clock == "" {
		p.db.Now = func() time.Time { return time.Now().Add(d) }
		return
	}
	p.db.SQL.Clock = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + " + strconv.FormatInt(d.Milliseconds(), 10)
}

func (p *pool) wantLost(what string, err error) {
	p.Helper()
	catalogtest.WantError(p.T, what, err, leases.ErrLost)
}

func TestLease(t *testing.T) {
	onBoth(t, func(p *pool) {
		p.claimed("one", "")
		p.add("a", "1", "2")
		first := p.claimed("one", "1")
		second := p.claimed("one", "2")
		p.claimed("one", "")
		p.must(p.renew(first))
		if got := p.number("progress", "1"); got != 7 {
			p.Errorf("the progress is %d", got)
		}
		p.must(errors.Join(p.end(first), p.end(second)))
		p.wantLost("ended twice", p.end(first))
		p.wantLost("renewed after the end", p.renew(second))
		p.claimed("two", "")
	})
}

// TestServersThatAreGone: on PostgreSQL a lease lasts for its life; on SQLite, where only one server runs, that of
// another server has ended. Whoever is robbed cannot change anything any more.
func TestServersThatAreGone(t *testing.T) {
	onBoth(t, func(p *pool) {
		p.add("a", "1")
		first := p.claimed("one", "1")
		if p.db.SQL.Lock != nil {
			p.claimed("two", "")
			p.later(61 * time.Second)
			p.claimed("one", "") // it works on it, even if it could not renew the lease
		}
		second := p.claimed("two", "1")
		p.wantLost("the first renews", p.renew(first))
		p.wantLost("the first ends", p.end(first))
		carried := leases.With(p.Context(), first)
		p.wantLost("the first records its work", p.db.Update(carried, func(s tables.Session) error { return leases.Confirm(carried, s) }))
		carried = leases.With(p.Context(), second)
		p.must(p.db.Update(carried, func(s tables.Session) error { return leases.Confirm(carried, s) }))
		p.must(p.end(second))
	})
}

// TestWrongClocks: a server whose own clock is wrong neither takes the work of others nor loses its own.
func TestWrongClocks(t *testing.T) {
	onBoth(t, func(p *pool) {
		if p.db.SQL.Lock == nil {
			return
		}
		p.add("a", "1", "2")
		l := p.claimed("right", "1")
		for _, wrong := range []time.Duration{time.Hour, -time.Hour} {
			p.db.Now = func() time.Time { return time.Now().Add(wrong) }
			mine := p.claimed("wrong", "2")
			p.claimed("wrong", "")
			p.must(p.renew(mine))
			p.db.Now = time.Now
			p.claimed("right", "")
			p.must(p.db.Update(p.Context(), func(s tables.Session) error { return mine.End(p.Context(), s, tables.Query{}) }))
		}
		p.must(p.end(l))
	})
}

// TestWorkThatKillsServers is given up after the second time. Servers that were only suspended do not count, nor do
// those that stop as intended.
func TestWorkThatKillsServers(t *testing.T) {
	onBoth(t, func(p *pool) {
		p.add("a", "1")
		var last *leases.Lease
		for n := range 5 { // they come back, one after the other
			l := p.claimed("suspended "+strconv.Itoa(n), "1")
			if last != nil && n%2 == 0 {
				p.wantLost("suspended", p.renew(last))
			} else if last != nil { // it learns of it when it records its work
				carried := leases.With(p.Context(), last)
				for range 2 {
					p.wantLost("suspended", leases.Confirmed(carried, p.db,
						p.db.Update(carried, func(s tables.Session) error { return leases.Confirm(carried, s) })))
				}
			}
			last = l
			p.later(time.Duration(n+1) * 2 * time.Minute)
		}
		for n := range 3 {
			l := p.claimed("stopped "+strconv.Itoa(n), "1")
			p.must(leases.Released(p.db.Update(p.Context(), func(s tables.Session) error { return l.End(p.Context(), s, tables.Query{}) })))
		}
		p.claimed("killed", "1")
		p.later(20 * time.Minute)
		p.claimed("killed too", "1")
		p.later(30 * time.Minute)
		p.claimed("careful", "1") // GiveUp left it to be done
		if got := strings.Join(p.givenUp, " "); got != "1" {
			p.Errorf("given up: %q", got)
		}
	})
}

// TestCancelled: freeing a row ends its lease wherever it is.
func TestCancelled(t *testing.T) {
	onBoth(t, func(p *pool) {
		p.add("a", "1")
		l := p.claimed("one", "1")
		p.must(p.db.Update(p.Context(), func(s tables.Session) error {
			_, err := s.Exec(p.Context(), "UPDATE work SET done = ?", true)
			return errors.Join(p.table.Free(p.Context(), s, "1"), err)
		}))
		p.wantLost("renewed", p.renew(l))
		p.claimed("two", "")
	})
}

// TestFairness: a tenant with a single row does not wait for one with a hundred, and no tenant has more than its share.
func TestFairness(t *testing.T) {
	onBoth(t, func(p *pool) {
		for n := range 100 {
			p.add("greedy", "0"+strconv.Itoa(100+n))
		}
		p.add("modest", "9")
		first := p.claimed("one", "0100")
		p.claimed("one", "9")
		p.claimed("one", "0101")
		p.claimed("one", "")
		p.must(p.end(first))
		p.claimed("one", "0102")
	})
}

// TestManyServers claim at the same time: each row is leased once, and no tenant has more than its share.
func TestManyServers(t *testing.T) {
	onBoth(t, func(p *pool) {
		p.add("a", "1", "2", "3", "4")
		p.add("b", "5")
		claims := make(chan *leases.Lease)
		for n := range 8 {
			go func() { claims <- p.claim("server " + strconv.Itoa(n)) }()
		}
		leased := make(map[string]int)
		for range 8 {
			if l := <-claims; l != nil {
				leased[l.ID]++
			}
		}
		if p.db.SQL.Lock != nil && (len(leased) != 3 || leased["5"] != 1) {
			p.Errorf("leased: %v", leased)
		}
		for id, times := range leased {
			if times != 1 && p.db.SQL.Lock != nil {
				p.Errorf("%s was leased %d times", id, times)
			}
		}
	})
}

// TestClaimedAgain: a server whose lease was ended claims the row again while the first work has not noticed yet. Only the
// second lease counts.
func TestClaimedAgain(t *testing.T) {
	onBoth(t, func(p *pool) {
		p.add("a", "1")
		first := p.claimed("server/1", "1")
		p.must(p.db.Update(p.Context(), func(s tables.Session) error { return p.table.Free(p.Context(), s, "1") }))
		second := p.claimed("server/2", "1")
		p.wantLost("the first renews", p.renew(first))
		p.wantLost("the first ends", p.end(first))
		p.must(p.end(second))
	})
}
