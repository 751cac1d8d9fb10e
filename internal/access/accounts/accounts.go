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

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/internal/mail"
)

const (
	// Life is the maximum lifetime of a session.
	Life = 30 * 24 * time.Hour
	// IdleLife is the lifetime of an unused session.
	IdleLife = 12 * time.Hour
	// InvitationLife is how long an invitation can be accepted.
	InvitationLife = 7 * 24 * time.Hour
	// ResetLife is how long a password reset link works.
	ResetLife = time.Hour

	// MinPassword is the minimum length of a new password, in characters.
	MinPassword = 10
	// MaxPassword is the maximum length of a password, in characters.
	MaxPassword = 1000
	// MaxEmail is the maximum length of an email address, by RFC 3696.
	MaxEmail = 320
	// MaxName is the maximum length of a person's name, in characters.
	MaxName = 100

	// maxHashing is the maximum number of passwords hashed concurrently: each takes 19 MB and a processor.
	maxHashing = 2
	// hashingWait is how long a password waits to be hashed.
	hashingWait = 5 * time.Second
)

var (
	// ErrWrong means that the address is unknown, the password wrong, or the account disabled. Clients are not told
	// which.
	ErrWrong = errors.New("wrong email address or password")
	// ErrPasswordOff means that people can sign in only through identity providers.
	ErrPasswordOff = errors.New("signing in with a password is switched off")
	// ErrNoPassword means that an account gets no password, since its owner signs in through an identity provider.
	ErrNoPassword = errors.New("the account signs in through an identity provider")
	// ErrMailOnly means that a link can only be mailed, and there is no mail server that reaches the address.
	ErrMailOnly = errors.New("a link to this account can only be mailed")
	// ErrBusy means that too many people are signing in at the same time.
	ErrBusy = errors.New("too many passwords are being checked")
)

// RateLimitedError is returned after too many attempts.
type RateLimitedError struct{ RetryAfter time.Duration }

func (e *RateLimitedError) Error() string { return "too many tries" }

// Options configures Accounts.
type Options struct {
	Catalog *catalog.Catalog
	Log     *slog.Logger
	// CacheLife is how long sessions and roles are cached. Changes made by this server, or by others on PostgreSQL,
	// take effect immediately.
	CacheLife time.Duration
	// SingleSignOn is set if there are identity providers, and PasswordOff if they are the only way to sign in.
	SingleSignOn, PasswordOff bool
	// Failed, if not nil, is called for every wrong password.
	Failed func()
	// Mail sends links; nil if there is no mail server.
	Mail *Mail
}

// Accounts manages the accounts of all users.
type Accounts struct {
	Options
	now func() time.Time
	// matches compares a password with a hash. Tests replace it to count its calls.
	matches func(stored, password string) bool
	hashing chan struct{}
	hashed  atomic.Bool // since memory was last returned to the system
	tries   *throttle
	failed  chan failedSignIn
	mails   *mailLimits
	// resetRequests has the pending password reset requests.
	resetRequests chan resetRequest

	mu     sync.Mutex
	cached map[string]cachedPerson // by the hash of the token
	epoch  int                     // counts calls of Invalidate
	seen   map[string]time.Time    // by session id; not yet stored
}

// New returns the accounts in a catalog. It starts no goroutines.
func New(o Options) *Accounts {
	if o.Failed == nil {
		o.Failed = func() {}
	}
	return &Accounts{
		Options: o, now: time.Now, matches: auth.PasswordMatches, hashing: make(chan struct{}, maxHashing), tries: newThrottle(),
		mails: newMailLimits(), resetRequests: make(chan resetRequest, maxResetRequests),
		failed: make(chan failedSignIn, maxFailedPerMinute), cached: make(map[string]cachedPerson), seen: make(map[string]time.Time),
	}
}

// newToken returns a random token of 256 bits, and its hash, which is what is stored. The hash is fast on purpose:
// tokens are random.
func newToken() (token, hash string) {
	raw := make([]byte, sha256.Size)
	_, _ = rand.Read(raw) // never fails
	token = base64.RawURLEncoding.EncodeToString(raw)
	return token, hashToken(token)
}

// tokenLength is the length of a token in characters.
const tokenLength = 43

func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Started is a new session. The token is stored only in the browser's cookie.
type Started struct {
	Token     string
	ExpiresAt time.Time
}

// SignIn starts a session for the user with this address and password. Replaces is the browser's previous token, whose
// session ends; network is where the request comes from. Failures take the same amount of work, whatever the cause.
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

// Start starts a session for an authenticated user; the method is recorded in the audit log. It returns
// domain.ErrNotFound if the user is disabled.
func (a *Accounts) Start(ctx context.Context, userID, method, replaces string) (Started, error) {
	token, hash := newToken()
	now := a.now()
	n := people.NewSession{
		UserID: userID, TokenHash: hash, At: now, ExpiresAt: now.Add(Life), IdleBefore: now.Add(-IdleLife), Method: method,
	}
	if replaces != "" {
		n.Replaces = hashToken(replaces)
	}
	started, err := a.Catalog.StartSession(ctx, n)
	return Started{token, started.ExpiresAt}, err
}

// SignInAs starts a session for a person authenticated by an identity provider, after applying the roles that it
// grants. The errors are those of EnsureIdentity in the catalog.
func (a *Accounts) SignInAs(ctx context.Context, who people.Identity, replaces string) (Started, error) {
	user, missing, err := a.Catalog.EnsureIdentity(ctx, who)
	if err != nil {
		return Started{}, err
	}
	if len(missing) > 0 {
		a.Log.Warn("rules of an identity provider grant roles in organizations or projects that do not exist", "provider", who.ProviderID,
			"ids", missing)
	}
	return a.Start(ctx, user.ID, "sso:"+who.ProviderID, replaces)
}

// verify returns the account with this address and password.
func (a *Accounts) verify(ctx context.Context, email, password, network string) (domain.Account, error) {
	if wait := a.tries.take(email, network, a.now()); wait > 0 {
		return domain.Account{}, &RateLimitedError{wait}
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
	if err := a.hash(ctx, lookedUp{true}, func() { right = a.matches(stored, password) }); err != nil {
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

// lookedUp is proof that a request did not make up its credential, or counts as an attempt to guess one. There are few
// turns for hashing, and requests without it must not be able to take them from people who sign in.
type lookedUp struct{ done bool }

// lookUpToken runs check, which returns domain.ErrNotFound for a token that is made up, used or expired. Networks that
// send many of these have to wait.
func (a *Accounts) lookUpToken(network string, check func() error) (lookedUp, error) {
	if wait := a.tries.takeNetwork(network, a.now()); wait > 0 {
		return lookedUp{}, &RateLimitedError{wait}
	}
	err := check()
	if !errors.Is(err, domain.ErrNotFound) {
		a.tries.giveBackNetwork(network)
	}
	return lookedUp{err == nil}, err
}

// hash waits for its turn and runs f, which hashes a password.
func (a *Accounts) hash(ctx context.Context, l lookedUp, f func()) error {
	if !l.done {
		panic("BUG: a password is hashed for a request whose credential was not looked up")
	}
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

func (a *Accounts) hashNew(ctx context.Context, l lookedUp, password string) (hashed string, err error) {
	err = a.hash(ctx, l, func() { hashed = auth.HashPassword(password) })
	return hashed, err
}

// ChangePassword changes the password of a signed-in user and ends their other sessions.
func (a *Accounts) ChangePassword(ctx context.Context, p *auth.Person, current, next, network string) error {
	if _, err := a.verify(ctx, p.User.Email, current, network); err != nil {
		return err
	}
	hash, err := a.hashNew(ctx, lookedUp{true}, next)
	if err != nil {
		return err
	}
	return a.Catalog.SetPassword(ctx, p.User.ID, hash, p.Session.ID, p.Principal().Actor())
}

// SetUpNeeded reports whether nobody can sign in yet.
func (a *Accounts) SetUpNeeded(ctx context.Context) (bool, error) {
	if a.SingleSignOn {
		return false, nil
	}
	someone, err := a.Catalog.AnyoneHasPassword(ctx)
	return !someone, err
}

// NewSetUpToken returns a single-use token for the setup page, or an empty string if somebody can already sign in.
func (a *Accounts) NewSetUpToken(ctx context.Context) (string, error) {
	needed, err := a.SetUpNeeded(ctx)
	if err != nil || !needed {
		return "", err
	}
	token, hash := newToken()
	return token, a.Catalog.AddSetupToken(ctx, hash)
}

// SetUp makes the holder of the token the first owner and signs them in.
func (a *Accounts) SetUp(ctx context.Context, token, email, name, password, network, replaces string) (domain.User, Started, error) {
	known, err := a.lookUpToken(network, func() error { return a.Catalog.CheckSetupToken(ctx, hashToken(token)) })
	if err != nil {
		return domain.User{}, Started{}, err
	}
	hash, err := a.hashNew(ctx, known, password)
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
func (a *Accounts) Invite(
	ctx context.Context, scope domain.OrganizationScope, i domain.Invitation, actor domain.Actor,
) (domain.Invitation, string, error) {
	token, hash := newToken()
	i.ExpiresAt = a.now().Add(InvitationLife)
	stored, err := a.Catalog.Invite(ctx, scope, i, hash, actor)
	return stored, token, err
}

// Invitation returns the open invitation with the given token.
func (a *Accounts) Invitation(ctx context.Context, token string) (domain.Invitation, error) {
	return a.Catalog.InvitationByToken(ctx, hashToken(token))
}

// Accept makes a user a member as the invitation says.
func (a *Accounts) Accept(ctx context.Context, token, userID string) error {
	return a.Catalog.Accept(ctx, hashToken(token), userID)
}

// AcceptAsNew creates an account for an invited person and signs them in.
func (a *Accounts) AcceptAsNew(ctx context.Context, token, name, password, network, replaces string) (Started, error) {
	if a.PasswordOff {
		return Started{}, ErrPasswordOff
	}
	known, err := a.lookUpToken(network, func() error {
		_, err := a.Invitation(ctx, token)
		return err
	})
	if err != nil {
		return Started{}, err
	}
	hash, err := a.hashNew(ctx, known, password)
	if err != nil {
		return Started{}, err
	}
	user, err := a.Catalog.AcceptAsNew(ctx, hashToken(token), name, hash)
	if err != nil {
		return Started{}, err
	}
	return a.Start(ctx, user.ID, "invitation", replaces)
}

// ResetLink is a password reset link. Its token is empty if the link was only mailed.
type ResetLink struct {
	Token     string
	ExpiresAt time.Time
	Mailed    bool
}

// MakeReset makes a password reset link for a member of an organization. The maker is shown the link only if the
// address of the account is not proven and the account is not linked to an identity provider: otherwise it is only
// mailed, since the account is more than what the organization gave. The errors are ErrPasswordOff, ErrNoPassword,
// ErrMailOnly, *RateLimitedError, ErrBusy and people.ErrBeyondRole.
func (a *Accounts) MakeReset(ctx context.Context, scope domain.OrganizationScope, userID string, maker domain.User) (ResetLink, error) {
	token, hash := newToken()
	n := people.NewReset{
		UserID: userID, TokenHash: hash, ExpiresAt: a.now().Add(ResetLife), MadeBy: maker.ID, OrganizationID: scope.OrganizationID(),
	}
	made := ResetLink{Token: token, ExpiresAt: n.ExpiresAt}
	if a.PasswordOff {
		return made, ErrPasswordOff
	}
	if err := a.Catalog.MayReset(ctx, n); err != nil {
		return made, err
	}
	who, err := a.Catalog.CredentialsOf(ctx, userID)
	if err != nil {
		return made, err
	}
	if who.Linked && who.PasswordHash == "" {
		return made, ErrNoPassword
	}
	n.Mailed = who.Linked || who.EmailVerified
	canMail := a.Mail != nil && mail.CanReach(who.Email)
	if n.Mailed && !canMail {
		return made, ErrMailOnly
	}
	mayMail := canMail && a.mails.reset(domain.NormalEmail(who.Email), a.now())
	if n.Mailed && !mayMail {
		return made, &RateLimitedError{resetEvery}
	}
	if err := a.Catalog.AddReset(ctx, n); err != nil {
		return made, err
	}
	made.Mailed = mayMail && a.mailReset(who.User, token, n.ExpiresAt, maker.Name)
	if n.Mailed {
		made.Token = ""
		if !made.Mailed {
			return made, ErrBusy
		}
	}
	return made, nil
}

// Reset sets a new password with a token from a link.
func (a *Accounts) Reset(ctx context.Context, token, password, network string) error {
	known, err := a.lookUpToken(network, func() error { return a.Catalog.CheckReset(ctx, hashToken(token)) })
	if err != nil {
		return err
	}
	hash, err := a.hashNew(ctx, known, password)
	if err != nil {
		return err
	}
	return a.Catalog.UseReset(ctx, hashToken(token), hash)
}
