package catalog

import (
	"context"
	"time"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
)

// KindJob is the kind of changes to recurring jobs.
const KindJob = "job"

// RecurringJob is a job that recurs and is leased to a server.
type RecurringJob struct {
	ID string
	// Failures is the number of failed runs since the last success.
	Failures int
	lease    *leases.Lease
}

// maxWait is the longest time until a recurring job is due again. One that is due later was recorded by a clock that was
// wrong.
const maxWait = time.Hour

// unfinishedJob is the error of a recurring job that is not begun again soon.
const unfinishedJob = "The server was stopped twice during this job, perhaps because of it. It is tried again an hour later."

// recurringLeases are the leases of recurring jobs. Those of a kind run one after the other, over all servers.
var recurringLeases = leases.Table{
	Name: "jobs", Key: "id", From: "jobs", Tenant: "kind", MaxOfTenant: 1, Since: "due_at",
	GiveUp: func(ctx context.Context, s tables.Session, id string) error {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return err
		}
		_, err = s.Exec(ctx, "UPDATE jobs SET due_at = ?, finished_at = ?, failures = failures + 1, error = ? WHERE id = ?",
			now+maxWait.Milliseconds(), now, unfinishedJob, id)
		return err
	},
}

// AddRecurring makes recurring jobs of a kind that are not there yet. They are due.
func (c *Catalog) AddRecurring(ctx context.Context, kind string, ids ...string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := s.Exec(ctx, `INSERT INTO jobs (id, kind, due_at, failures, error, unfinished) VALUES (?, ?, ?, 0, '', 0)
				ON CONFLICT (id) DO NOTHING`, id, kind, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClaimRecurring leases one of some recurring jobs of a kind that are due to a server; it returns nil if none is. Usually
// none is, which a read shows.
func (c *Catalog) ClaimRecurring(ctx context.Context, by leases.Server, kind string, ids []string) (*RecurringJob, error) {
	if there, err := recurringIsDue(ctx, c.db.Reader(), by, kind, ids); err != nil || !there {
		return nil, err
	}
	return tables.Transact(ctx, c.db, func(s tables.Session) (*RecurringJob, error) {
		now, due, err := dueRecurring(ctx, s, kind, ids)
		if err != nil {
			return nil, err
		}
		l, err := recurringLeases.Claim(ctx, s, by, now, due, tables.SQL("started_at = ?", now))
		if err != nil || l == nil {
			return nil, err
		}
		failures, err := tables.QueryOne(ctx, s, tables.ScanValue[int], "SELECT failures FROM jobs WHERE id = ?", l.ID)
		return &RecurringJob{l.ID, failures, l}, err
	})
}

// dueRecurring returns the time, and the condition that one of some recurring jobs is due.
func dueRecurring(ctx context.Context, s tables.Session, kind string, ids []string) (now int64, due tables.Condition, err error) {
	now, err = leases.Now(ctx, s)
	return now, tables.SQL("kind = ? AND (due_at <= ? OR due_at > ?)", kind, now, now+maxWait.Milliseconds()).And(tables.In("id", ids)), err
}

func recurringIsDue(ctx context.Context, s tables.Session, by leases.Server, kind string, ids []string) (bool, error) {
	now, due, err := dueRecurring(ctx, s, kind, ids)
	if err != nil {
		return false, err
	}
	return recurringLeases.IsDue(ctx, s, by, now, due)
}

// WithLease returns a context for the work of a job: what the catalog records of work that must not be done twice fails
// with leases.ErrLost if another server has taken the job over.
func (j *RecurringJob) WithLease(ctx context.Context) context.Context {
	return leases.With(ctx, j.lease)
}

// RenewRecurring extends the lease of a job.
func (c *Catalog) RenewRecurring(ctx context.Context, j *RecurringJob) error {
	return j.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error { return j.lease.Renew(ctx, s, tables.Query{}) }))
}

// Position is how far a job has read what arrives in the event store, as numbers of observations. It has worked on those
// up to Read, while the store had reached Mark.
type Position struct{ Read, Mark int64 }

// PositionOf returns the position of a recurring job; the zero value if it has none.
func (c *Catalog) PositionOf(ctx context.Context, id string) (Position, error) {
	at, err := tables.Optional(tables.QueryOne(ctx, c.db.Reader(), func(r tables.Row) (p Position, err error) {
		err = r.Scan(&p.Read, &p.Mark)
		return p, err
	}, "SELECT read_to, mark FROM jobs WHERE id = ?", id))
	if err != nil || at == nil {
		return Position{}, err
	}
	return *at, nil
}

// RenewAt extends the lease of a job and records its position.
func (c *Catalog) RenewAt(ctx context.Context, j *RecurringJob, at Position) error {
	return j.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		return j.lease.Renew(ctx, s, tables.SQL("read_to = ?, mark = ?", at.Read, at.Mark))
	}))
}

// FinishRecurring records that a job is done or, if failure is not empty, why it failed. It is due again some time after
// it was begun, or after it failed.
func (c *Catalog) FinishRecurring(ctx context.Context, j *RecurringJob, failure string, again time.Duration) error {
	return j.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return err
		}
		again = min(again, maxWait)
		if failure != "" {
			return j.lease.End(ctx, s, tables.SQL("due_at = ?, finished_at = ?, failures = failures + 1, error = ?",
				now+again.Milliseconds(), now, failure))
		}
		return j.lease.End(ctx, s, tables.SQL("due_at = started_at + ?, finished_at = ?, failures = 0, error = ''",
			again.Milliseconds(), now))
	}))
}

// ReleaseRecurring releases the lease of a job that a server abandons because it is shutting down.
func (c *Catalog) ReleaseRecurring(ctx context.Context, j *RecurringJob) error {
	return leases.Released(j.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		return j.lease.End(ctx, s, tables.Query{})
	})))
}
