package accounts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"almanac/internal/catalog/people"
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
	// invitedAtOnce and inviteEvery limit the invitations that one person can have mailed, and mailedAtOnce and mailEvery
	// those that one organization can.
	invitedAtOnce = 20
	inviteEvery   = 5 * time.Minute
	mailedAtOnce  = 50
	mailEvery     = 2 * time.Minute
	// maxResetRequests is the maximum number of pending password reset requests.
	maxResetRequests = 100
	// remindTimeout is the timeout for handling one of them.
	remindTimeout = 5 * time.Second
	// maxNameInMail is the maximum length of a name in a mail, in characters.
	maxNameInMail = 40
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
	mu                                               sync.Mutex
	resets, invitations, byInviters, byOrganizations buckets
}

func newMailLimits() *mailLimits {
	return &mailLimits{
		resets:          newBuckets(resetsAtOnce, resetEvery),
		invitations:     newBuckets(invitationsAtOnce, invitationEvery),
		byInviters:      newBuckets(invitedAtOnce, inviteEvery),
		byOrganizations: newBuckets(mailedAtOnce, mailEvery),
	}
}

// reset reports whether an address may be sent another password reset link, and counts it.
func (l *mailLimits) reset(email string, now time.Time) bool {
	return count(&l.mu, now, attempt{&l.resets, email}) == 0
}

// invitation reports whether an address may be sent another invitation by this person of an organization, and counts
// it.
func (l *mailLimits) invitation(email, inviter, organization string, now time.Time) bool {
	return count(
		&l.mu, now, attempt{&l.invitations, email}, attempt{&l.byInviters, inviter}, attempt{&l.byOrganizations, organization},
	) == 0
}

// MailInvitation mails an invitation to its recipient, and reports whether it was queued.
func (a *Accounts) MailInvitation(i domain.Invitation, token string) bool {
	if a.Mail == nil || !mail.CanReach(i.Email) ||
		!a.mails.invitation(domain.NormalEmail(i.Email), i.InvitedBy, i.OrganizationID, a.now()) {
		return false
	}
	by, organization := cmp.Or(cleanName(i.InvitedByName), "Somebody"), cleanName(i.OrganizationName)
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

// mailReset mails a user a password reset link created by somebody who manages the account, and reports whether it was
// queued.
func (a *Accounts) mailReset(user domain.User, token string, expires time.Time, by string) bool {
	by = cmp.Or(cleanName(by), "Somebody who manages your account")
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

// resetRequest is a request for a password reset.
type resetRequest struct {
	email  string
	origin domain.Origin
}

// Forgot mails a password reset link to an address, if it has an account. The account is looked up later, by Run, so
// that neither the response nor its timing reveals whether there is one.
func (a *Accounts) Forgot(ctx context.Context, email, network string) error {
	if wait := a.tries.take(email, network, a.now()); wait > 0 {
		return &RateLimitedError{wait}
	}
	if a.Mail == nil || a.PasswordOff || !mail.CanReach(domain.NormalEmail(email)) || !a.mails.reset(domain.NormalEmail(email), a.now()) {
		return nil
	}
	select {
	case a.resetRequests <- resetRequest{domain.NormalEmail(email), domain.OriginOf(ctx)}:
	default:
		a.Log.Debug("too many concurrent password reset requests")
	}
	return nil
}

// sendReset mails the link for a password reset request. It is not interrupted when the server stops.
func (a *Accounts) sendReset(ctx context.Context, f resetRequest) {
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
	token, hash := newToken()
	expires := a.now().Add(ResetLife)
	if err == nil {
		err = a.Catalog.AddReset(ctx, people.NewReset{UserID: account.ID, TokenHash: hash, ExpiresAt: expires, Mailed: true})
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
		case f := <-a.resetRequests:
			a.sendReset(ctx, f)
		default:
			return
		}
	}
}

// inWords formats a time for people whose time zone is unknown.
func inWords(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// cleanName turns a name chosen by a user into one short line, without line breaks, characters that change how the rest
// is displayed, and anything that a mail program would turn into a link: the mail comes from the operator's domain.
func cleanName(name string) string {
	runes := []rune(name)
	var clean strings.Builder
	for n, r := range runes {
		last := n+1 == len(runes) || unicode.IsSpace(runes[n+1])
		switch {
		case unicode.IsSpace(r) || !unicode.IsPrint(r), strings.ContainsRune(`:/\@<>`, r),
			strings.ContainsRune(".\u3002\uff0e\uff61", r) && !last:
			clean.WriteByte(' ')
		default:
			clean.WriteRune(r)
		}
	}
	short := []rune(strings.Join(strings.Fields(clean.String()), " "))
	if len(short) > maxNameInMail {
		return string(short[:maxNameInMail-1]) + "…"
	}
	return string(short)
}
