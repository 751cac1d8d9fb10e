package accounts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/people"
	"almanac/internal/domain"
)

const (
	// Life is how long a session lasts at most.
	Life = 30 * 24 * time.Hour
	// IdleLife is how long a session lasts that nobody uses.
	IdleLife = 12 * time.Hour
	// InvitationLife is how long an invitation can be accepted.
	InvitationLife = 7 * 24 * time.Hour
	// ResetLife is how long a link to a new password works.
	ResetLife = time.Hour

	// MinPassword is the shortest new password, in characters.
	MinPassword = 10
	// MaxPassword is the longest.
	MaxPassword = 1000
	// MaxEmail is the longest address that can be, by RFC 3696.
	MaxEmail = 320
	// MaxName is the longest name of a person, in characters.
	MaxName = 100

	// maxHashing is how many passwords are hashed at once: each takes 19 MB and a processor.
	maxHashing = 2
	// hashingWait is how long a password waits for its turn.
	hashingWait = 5 * time.Second
)

var (
	// ErrWrong means that the address is unknown, the password wrong, or the account disabled: nobody is told which.
	ErrWrong = errors.New("wrong email address or password")
	// ErrPasswordOff means that people sign in through identity providers only.
	ErrPasswordOff = errors.New("signing in with a password is switched off")
	// ErrBusy means that too many people sign in at once.
	ErrBusy = errors.New("too many passwords are being checked")
)

// TooOften is the error of whoever tried too often.
type TooOften struct{ RetryAfter time.Duration }

func (e *TooOften) Error() string { return "too many tries" }

// Options are what accounts need to know.
type Options struct {
	Catalog *catalog.Catalog
	Log     *slog.Logger
	// CacheLife is how long sessions and roles are cached. Changes of this server, and of others on PostgreSQL, apply at once.
	CacheLife time.Duration
	// SingleSignOn says that there are identity providers, PasswordOff that they are the only way in.
	SingleSignOn, PasswordOff bool
	// Failed is told of every wrong password; nil if nobody wants to know.
	Failed func()
	// Mail sends links; nil if there is no mail server.
	Mail *Mail
}

// Accounts are those of all people.
type Accounts struct {
	Options
	now func() time.Time
	// matches compares a password with a hash; tests count its calls.
	matches func(stored, password string) bool
	hashing chan struct{}
	hashed  atomic.Bool // since memory was last given back
	tries   *throttle
	failed  chan failedSignIn
	mails   *mailLimits
	// forgotten are those whose account is to be looked up.
	forgotten chan forgotten

	mu     sync.Mutex
	cached map[string]cachedPerson // by the hash of the token
	epoch  int                     // counts calls of Invalidate
	seen   map[string]time.Time    // by session id; not yet written down
}

// New returns the accounts in a catalog. It starts nothing.
func New(o Options) *Accounts {
	if o.Failed == nil {
		o.Failed = func() {}
	}
	return &Accounts{
		Options: o, now: time.Now, matches: auth.PasswordMatches, hashing: make(chan struct{}, maxHashing), tries: newThrottle(),
		mails: newMailLimits(), forgotten: make(chan forgotten, maxForgotten),
		failed: make(chan failedSignIn, maxFailedPerMinute), cached: make(map[string]cachedPerson), seen: make(map[string]time.Time),
	}
}

// newToken returns a random token of 256 bits, and the hash that is stored of it. The hash is fast on purpose: tokens are random.
func newToken() (token, hash string) {
	raw := make([]byte, sha256.Size)
	_, _ = rand.Read(raw) // never fails
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, hashToken(token)
}

// tokenLength is how many characters a token has.
const tokenLength = 43

func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Started is a new session. The token goes into the browser's cookie and nowhere else.
type Started struct {
	Token     string
	ExpiresAt time.Time
}

// SignIn starts a session of whoever has this address and password. Replaces is the token that the browser had before, whose
// session ends; network is where the request comes from. The same work is done whatever is wrong.
func (a *Accounts) SignIn(ctx context.Context, email, password, network, replaces string) (Started, error) {
	if a.PasswordOff {
		return Started{}, ErrPasswordOff
	}
	account, err := a.verify(ctx, email, password, network)
	if err != nil {
		return Started{}, err
	}
	return a.Start(ctx, account.ID, "password", replaces)
}

// Start starts a session of a user who proved who they are, by a method that the audit log names. A user who is disabled is
// domain.ErrNotFound.
func (a *Accounts) Start(ctx context.Context, userID, method, replaces string) (Started, error) {
	token, hash := newToken()
	now := a.now()
	n := people.NewSession{UserID: userID, TokenHash: hash, At: now, ExpiresAt: now.Add(Life), IdleBefore: now.Add(-IdleLife), Method: method}
	if replaces != "" {
		n.Replaces = hashToken(replaces)
	}
	started, err := a.Catalog.StartSession(ctx, n)
	return Started{token, started.ExpiresAt}, err
}

// SignInAs starts a session of whoever an identity provider vouches for, after their account has the roles that it gives them.
// The errors are those of catalog.EnsureIdentity.
func (a *Accounts) SignInAs(ctx context.Context, who people.Identity, replaces string) (Started, error) {
	user, missing, err := a.Catalog.EnsureIdentity(ctx, who)
	if err != nil {
		return Started{}, err
	}
	if len(missing) > 0 {
		a.Log.Warn("rules of an identity provider give roles in what does not exist", "provider", who.ProviderID, "ids", missing)
	}
	return a.Start(ctx, user.ID, "sso:"+who.ProviderID, replaces)
}

// verify returns the account with this address and password.
func (a *Accounts) verify(ctx context.Context, email, password, network string) (domain.Account, error) {
	if wait := a.tries.take(email, network, a.now()); wait > 0 {
		return domain.Account{}, &TooOften{wait}
	}
	account, err := a.Catalog.Account(ctx, email)
	known := err == nil && account.PasswordHash != "" && account.DisabledAt == nil
	if err != nil && !errors.Is(err, domain.ErrNotFound) {
		return account, err
	}
	stored := ""
	if known {
		stored = account.PasswordHash
	}
	right := false
	if err := a.hash(ctx, func() { right = a.matches(stored, password) }); err != nil {
		return account, err
	}
	if !right || !known {
		a.Failed()
		if account.ID != "" {
			a.noteFailed(ctx, account.User)
		}
		return domain.Account{}, ErrWrong
	}
	a.tries.succeeded(email, network)
	return account, nil
}

// hash runs f, which hashes a password, when it is its turn.
func (a *Accounts) hash(ctx context.Context, f func()) error {
	timer := time.NewTimer(hashingWait)
	defer timer.Stop()
	select {
	case a.hashing <- struct{}{}:
	case <-timer.C:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-a.hashing }()
	f()
	a.hashed.Store(true)
	return nil
}

func (a *Accounts) hashNew(ctx context.Context, password string) (hashed string, err error) {
	err = a.hash(ctx, func() { hashed = auth.HashPassword(password) })
	return hashed, err
}

// ChangePassword gives somebody who is signed in another password and ends their other sessions.
func (a *Accounts) ChangePassword(ctx context.Context, p *auth.Person, current, next, network string) error {
	if _, err := a.verify(ctx, p.User.Email, current, network); err != nil {
		return err
	}
	hash, err := a.hashNew(ctx, next)
	if err != nil {
		return err
	}
	return a.Catalog.SetPassword(ctx, p.User.ID, hash, p.Session.ID, p.Principal().Actor())
}

// SetUpNeeded reports whether nobody can sign in.
func (a *Accounts) SetUpNeeded(ctx context.Context) (bool, error) {
	if a.SingleSignOn {
		return false, nil
	}
	someone, err := a.Catalog.AnyoneHasPassword(ctx)
	return !someone, err
}

// NewSetUpToken returns a token that opens the set-up page once, or nothing if somebody can sign in.
func (a *Accounts) NewSetUpToken(ctx context.Context) (string, error) {
	needed, err := a.SetUpNeeded(ctx)
	if err != nil || !needed {
		return "", err
	}
	token, hash := newToken()
	return token, a.Catalog.AddSetupToken(ctx, hash)
}

// SetUp makes whoever has the token the first owner and signs them in.
func (a *Accounts) SetUp(ctx context.Context, token, email, name, password, replaces string) (domain.User, Started, error) {
	hash, err := a.hashNew(ctx, password)
	if err != nil {
		return domain.User{}, Started{}, err
	}
	user, err := a.Catalog.SetUp(ctx, hashToken(token), email, name, hash)
	if err != nil {
		return user, Started{}, err
	}
	started, err := a.Start(ctx, user.ID, "set-up", replaces)
	return user, started, err
}

// Invite stores an invitation and returns it with its token.
func (a *Accounts) Invite(ctx context.Context, scope domain.OrganizationScope, i domain.Invitation, actor domain.Actor) (domain.Invitation, string, error) {
	token, hash := newToken()
	i.ExpiresAt = a.now().Add(InvitationLife)
	stored, err := a.Catalog.Invite(ctx, scope, i, hash, actor)
	return stored, token, err
}

// Invitation returns the open invitation with a token.
func (a *Accounts) Invitation(ctx context.Context, token string) (domain.Invitation, error) {
	return a.Catalog.InvitationByToken(ctx, hashToken(token))
}

// Accept makes a user a member as an invitation says.
func (a *Accounts) Accept(ctx context.Context, token, userID string) error {
	return a.Catalog.Accept(ctx, hashToken(token), userID)
}

// AcceptAsNew creates the account of somebody who was invited and signs them in.
func (a *Accounts) AcceptAsNew(ctx context.Context, token, name, password, replaces string) (Started, error) {
	if a.PasswordOff {
		return Started{}, ErrPasswordOff
	}
	hash, err := a.hashNew(ctx, password)
	if err != nil {
		return Started{}, err
	}
	user, err := a.Catalog.AcceptAsNew(ctx, hashToken(token), name, hash)
	if err != nil {
		return Started{}, err
	}
	return a.Start(ctx, user.ID, "invitation", replaces)
}

// NewReset returns a token with which a user can set another password, and until when.
func (a *Accounts) NewReset(ctx context.Context, userID string, actor domain.Actor) (string, time.Time, error) {
	token, hash := newToken()
	expires := a.now().Add(ResetLife)
	return token, expires, a.Catalog.AddReset(ctx, userID, hash, expires, actor)
}

// Reset sets another password with a token of NewReset.
func (a *Accounts) Reset(ctx context.Context, token, password string) error {
	hash, err := a.hashNew(ctx, password)
	if err != nil {
		return err
	}
	return a.Catalog.UseReset(ctx, hashToken(token), hash)
}
