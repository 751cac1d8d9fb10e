package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"almanac/internal/domain"
	"almanac/internal/mail"
)

const (
	// resetsAtOnce is the burst of password reset links mailed to one address, whoever requests them, and resetEvery
	// the interval at which another one is allowed. An attacker who uses them up has sent that person links that work.
	resetsAtOnce = 3
	resetEvery   = 20 * time.Minute
	// invitationsAtOnce and invitationEvery are the same for invitations to one address, from all organizations.
	invitationsAtOnce = 3
	invitationEvery   = time.Hour
	// invitedAtOnce and inviteEvery limit the invitations that one person can have mailed.
	invitedAtOnce = 50
	inviteEvery   = time.Minute
	// maxForgotten is the maximum number of pending password reset requests.
	maxForgotten = 100
	// remindTimeout is the timeout for handling one of them.
	remindTimeout = 5 * time.Second
	// maxNameInMail is the maximum length of a name in a mail, in characters.
	maxNameInMail = 80
)

// Mail configures how links are sent to people.
type Mail struct {
	// Post queues a message, and reports whether there was room for it.
	Post func(mail.Message) bool
	// Address is the base URL of links. It comes from the operator and never from a request: someone who requests a
	// link for another person's account must not choose where it leads.
	Address string
}

// InvitationPath returns the path of the page for accepting an invitation.
func InvitationPath(token string) string { return "/invite/" + token }

// ResetPath returns the path of the page for setting a new password.
func ResetPath(token string) string { return "/auth/reset-password?token=" + token }

// CanMail reports whether links can be sent by mail.
func (a *Accounts) CanMail() bool { return a.Mail != nil }

// mailLimits protects people from being flooded with mail.
type mailLimits struct {
	mu                              sync.Mutex
	resets, invitations, byInviters buckets
}

func newMailLimits() *mailLimits {
	return &mailLimits{
		resets:      buckets{free: resetsAtOnce, every: resetEvery, left: make(map[string]bucket)},
		invitations: buckets{free: invitationsAtOnce, every: invitationEvery, left: make(map[string]bucket)},
		byInviters:  buckets{free: invitedAtOnce, every: inviteEvery, left: make(map[string]bucket)},
	}
}

// reset reports whether an address may be sent another password reset link, and counts it.
func (l *mailLimits) reset(email string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resets.wait(email, now) > 0 {
		return false
	}
	l.resets.take(email, now)
	return true
}

// invitation reports whether an address may be sent another invitation by this person, and counts it.
func (l *mailLimits) invitation(email, inviter string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if max(l.invitations.wait(email, now), l.byInviters.wait(inviter, now)) > 0 {
		return false
	}
	l.invitations.take(email, now)
	l.byInviters.take(inviter, now)
	return true
}

// MailInvitation mails an invitation to its recipient, and reports whether it was queued.
func (a *Accounts) MailInvitation(i domain.Invitation, token string) bool {
	if a.Mail == nil || !mail.CanReach(i.Email) || !a.mails.invitation(normal(i.Email), i.InvitedBy, a.now()) {
		return false
	}
	by, organization := cleanName(i.InvitedByName), cleanName(i.OrganizationName)
	if by == "" {
		by = "Somebody"
	}
	role := ""
	if i.Role != domain.RoleNone {
		role = ", with the role " + string(i.Role)
	}
	return a.Mail.Post(mail.Message{
		To: i.Email, Kind: "invitation", ID: i.ID, Subject: "Invitation to " + organization + " on Almanac",
		Text: fmt.Sprintf(`%s invites you to join "%s" on Almanac%s.

Open this link to accept:

%s

It works once, until %s. If you did not expect it, ignore this message.
`, by, organization, role, a.Mail.Address+InvitationPath(token), inWords(i.ExpiresAt)),
	})
}

// MailReset mails a user a password reset link created by somebody who manages the account, and reports whether it was
// queued.
func (a *Accounts) MailReset(user domain.User, token string, expires time.Time, by string) bool {
	if a.Mail == nil || !mail.CanReach(user.Email) || !a.mails.reset(normal(user.Email), a.now()) {
		return false
	}
	by = cleanName(by)
	if by == "" {
		by = "Somebody who manages your account"
	}
	return a.postReset(user, by+" made a link to a new password for your account", token, expires)
}

func (a *Accounts) postReset(user domain.User, why, token string, expires time.Time) bool {
	return a.Mail.Post(mail.Message{
		To: user.Email, Kind: "password reset", ID: user.ID, Subject: "A new password for Almanac",
		Text: fmt.Sprintf(`%s at %s (%s).

Open this link to set it:

%s

It works once, until %s, and earlier links no longer work. If you do not want a new password, ignore this message: the one
that you have stays valid.
`, why, a.Mail.Address, user.Email, a.Mail.Address+ResetPath(token), inWords(expires)),
	})
}

// forgotten is a request for a password reset.
type forgotten struct {
	email  string
	origin domain.Origin
}

// Forgot mails a password reset link to an address, if it has an account. The account is looked up later, by Run, so
// that neither the response nor its timing reveals whether there is one.
func (a *Accounts) Forgot(ctx context.Context, email, network string) error {
	if wait := a.tries.take(email, network, a.now()); wait > 0 {
		return &RateLimitedError{wait}
	}
	if a.Mail == nil || a.PasswordOff || !mail.CanReach(normal(email)) || !a.mails.reset(normal(email), a.now()) {
		return nil
	}
	select {
	case a.forgotten <- forgotten{normal(email), domain.OriginOf(ctx)}:
	default:
		a.Log.Debug("too many concurrent password reset requests")
	}
	return nil
}

// remind mails the link for a password reset request. It is not interrupted when the server stops.
func (a *Accounts) remind(ctx context.Context, f forgotten) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(domain.WithOrigin(ctx, f.origin)), remindTimeout)
	defer cancel()
	account, err := a.Catalog.Account(ctx, f.email)
	if errors.Is(err, domain.ErrNotFound) {
		return
	}
	// Users without a password sign in through an identity provider, which decides how they authenticate.
	if err == nil && (account.DisabledAt != nil || account.PasswordHash == "" && a.SingleSignOn) {
		return
	}
	var (
		token   string
		expires time.Time
	)
	if err == nil {
		token, expires, err = a.NewReset(ctx, account.ID, domain.Actor{Kind: "anonymous"})
	}
	if err != nil {
		a.Log.Error("cannot create a password reset link", "error", err)
		return
	}
	a.postReset(account.User, "Somebody, probably you, asked for a new password for your account", token, expires)
}

// remindAll handles all pending password reset requests.
func (a *Accounts) remindAll(ctx context.Context) {
	for {
		select {
		case f := <-a.forgotten:
			a.remind(ctx, f)
		default:
			return
		}
	}
}

// normal returns an address in the form under which it is counted.
func normal(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// inWords formats a time for people whose time zone is unknown.
func inWords(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// cleanName turns a name chosen by a user into one short line, without line breaks or characters that change how the
// rest is displayed.
func cleanName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	clean := []rune(strings.Join(words, " "))
	if len(clean) > maxNameInMail {
		return string(clean[:maxNameInMail-1]) + "…"
	}
	return string(clean)
}
