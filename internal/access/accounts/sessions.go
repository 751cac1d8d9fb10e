package accounts

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/domain"
)

const (
	// maxCached bounds the cache of sessions.
	maxCached = 10_000
	// recordInterval is how often the times of last use of sessions are stored.
	recordInterval = time.Minute
	// maxFailedPerMinute is the maximum number of failed sign-ins recorded in the audit log per minute, one per
	// account.
	maxFailedPerMinute = 60
)

type cachedPerson struct {
	person *auth.Person
	until  time.Time
}

// Check returns the person with the given session token. The error is an *auth.Denied.
func (a *Accounts) Check(ctx context.Context, token string) (*auth.Person, error) {
	if len(token) != tokenLength {
		return nil, auth.SignedOut()
	}
	now := a.now()
	person, err := a.lookUp(ctx, hashToken(token), now)
	if errors.Is(err, domain.ErrNotFound) {
		return nil, auth.SignedOut()
	}
	if err != nil {
		return nil, auth.Unavailable(err)
	}
	if s := person.Session; !now.Before(s.ExpiresAt) || !now.Before(s.LastSeenAt.Add(IdleLife)) {
		return nil, auth.SignedOut()
	}
	a.mu.Lock()
	a.seen[person.Session.ID] = now
	a.mu.Unlock()
	return person, nil
}

func (a *Accounts) lookUp(ctx context.Context, hash string, now time.Time) (*auth.Person, error) {
	a.mu.Lock()
	entry, ok := a.cached[hash]
	epoch := a.epoch
	a.mu.Unlock()
	if ok && now.Before(entry.until) {
		return entry.person, nil
	}
	session, account, err := a.Catalog.SessionByToken(ctx, hash)
	if err != nil {
		return nil, err
	}
	if account.DisabledAt != nil {
		return nil, domain.ErrNotFound
	}
	organizations, err := a.Catalog.AccessOf(ctx, account.ID)
	if err != nil {
		return nil, err
	}
	offered, err := a.Catalog.Offered(ctx, account.ID)
	if err != nil {
		return nil, err
	}
	person := &auth.Person{
		User: account.User, HasPassword: account.PasswordHash != "", EmailVerified: account.EmailVerified, Session: session,
		Organizations: organizations, Offered: offered,
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.epoch != epoch {
		return person, nil // read before a change: valid for this request, but not cached
	}
	if len(a.cached) >= maxCached {
		clear(a.cached)
	}
	a.cached[hash] = cachedPerson{person, now.Add(a.CacheLife)}
	return person, nil
}

// Invalidate drops everything cached, after a change of sessions, users, roles, organizations or projects.
func (a *Accounts) Invalidate() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.cached)
	a.epoch++
}

// SignOut ends the session with a token, if there is one.
func (a *Accounts) SignOut(ctx context.Context, token string) error {
	person, err := a.Check(ctx, token)
	var denied *auth.Denied
	if errors.As(err, &denied) && denied.Status == http.StatusUnauthorized {
		return nil
	}
	if err != nil {
		return err
	}
	err = a.Catalog.EndSession(ctx, person.User.ID, person.Session.ID, person.Principal().Actor())
	if errors.Is(err, domain.ErrNotFound) {
		return nil
	}
	return err
}

// failedSignIn is an attempt with a wrong password for a known account.
type failedSignIn struct {
	user   domain.User
	origin domain.Origin
}

// noteFailed queues a failed sign-in for the audit log, if there is room. Run writes it later, since the response time
// must not reveal whether the account exists.
func (a *Accounts) noteFailed(ctx context.Context, user domain.User) {
	select {
	case a.failed <- failedSignIn{user, domain.OriginOf(ctx)}:
	default:
	}
}

// Run periodically, and once more at the end, stores when sessions were last used and which sign-ins failed, and it
// handles password reset requests. It returns when ctx is done.
func (a *Accounts) Run(ctx context.Context) {
	ticker := time.NewTicker(recordInterval)
	defer ticker.Stop()
	// Work in progress is completed even if the server stops meanwhile.
	finish := func(work func(context.Context)) {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		work(bounded)
	}
	for {
		select {
		case <-ticker.C:
			finish(a.record)
			a.giveBack()
		case f := <-a.resetRequests:
			finish(func(ctx context.Context) { a.sendReset(ctx, f) })
		case <-ctx.Done():
			finish(func(ctx context.Context) { a.record(ctx); a.remindAll(ctx) })
			return
		}
	}
}

// giveBack returns the memory used for hashing passwords to the system. A hash takes as much memory as an idle server,
// which collects no garbage for minutes.
func (a *Accounts) giveBack() {
	if a.hashed.Swap(false) {
		debug.FreeOSMemory()
	}
}

func (a *Accounts) record(ctx context.Context) {
	a.mu.Lock()
	seen := a.seen
	a.seen = make(map[string]time.Time)
	a.mu.Unlock()
	if len(seen) > 0 {
		if err := a.Catalog.RecordSeen(ctx, seen); err != nil {
			a.Log.Warn("cannot record when sessions were last used", "sessions", len(seen), "error", err)
		}
	}
	recorded := make(map[string]bool)
	for {
		select {
		case f := <-a.failed:
			if recorded[f.user.ID] {
				continue
			}
			recorded[f.user.ID] = true
			if err := a.Catalog.RecordFailedSignIn(domain.WithOrigin(ctx, f.origin), f.user); err != nil {
				a.Log.Warn("cannot record a failed sign-in", "user", f.user.ID, "error", err)
			}
		default:
			return
		}
	}
}
