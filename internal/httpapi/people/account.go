package people

import (
	"errors"
	"net/http"

	"almanac/internal/access/accounts"
	"almanac/internal/catalog/people"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type personSessionBody struct {
	ID         string       `json:"id"`
	Current    bool         `json:"current"`
	CreatedAt  respond.Time `json:"createdAt"`
	LastSeenAt respond.Time `json:"lastSeenAt"`
	ExpiresAt  respond.Time `json:"expiresAt"`
	Address    string       `json:"address"`
	Client     string       `json:"client"`
}

// ListSessions serves GET /api/ui/auth/sessions.
func (h *Handlers) ListSessions(c *endpoint.Call) (any, error) {
	person := c.Person()
	sessions, err := h.Catalog.Sessions(c.Context(), person.User.ID)
	return endpoint.ListAs("sessions", sessions, err, func(s domain.Session) personSessionBody {
		expires := s.LastSeenAt.Add(accounts.IdleLife)
		if s.ExpiresAt.Before(expires) {
			expires = s.ExpiresAt
		}
		return personSessionBody{
			ID: s.ID, Current: s.ID == person.Session.ID, CreatedAt: respond.Time(s.CreatedAt), LastSeenAt: respond.Time(s.LastSeenAt),
			ExpiresAt: respond.Time(expires), Address: s.Address, Client: s.Client,
		}
	})
}

// EndSession serves DELETE /api/ui/auth/sessions/{sessionId}.
func (h *Handlers) EndSession(c *endpoint.Call) (any, error) {
	person := c.Person()
	err := h.Catalog.EndSession(c.Context(), person.User.ID, c.Path("sessionId"), c.Actor())
	if err == nil && c.Path("sessionId") == person.Session.ID {
		h.Cookies.Clear(c)
	}
	return endpoint.Confirm(endpoint.NotFoundAs(err, "There is no such session."), respond.NoContent{})
}

// EndOtherSessions serves DELETE /api/ui/auth/sessions.
func (h *Handlers) EndOtherSessions(c *endpoint.Call) (any, error) {
	person := c.Person()
	_, err := h.Catalog.EndSessions(c.Context(), person.User.ID, person.Session.ID, c.Actor())
	return endpoint.Confirm(err, respond.NoContent{})
}

// UpdateAccount serves PATCH /api/ui/account.
func (h *Handlers) UpdateAccount(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	name := readPersonName(b.Field("name"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	account, err := h.Catalog.RenameUser(c.Context(), c.Person().User.ID, name, c.Actor())
	return endpoint.Show(account, err, func(a domain.Account) userBody {
		return userBody{a.ID, a.Email, a.Name, a.PasswordHash != ""}
	})
}

// ChangePassword serves PUT /api/ui/account/password.
func (h *Handlers) ChangePassword(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	current, next := b.Field("current").TextLen(1, accounts.MaxPassword), readPassword(b.Field("new"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	if !c.Person().HasPassword {
		return nil, respond.InvalidRequest("Your account has no password: you sign in through an identity provider.")
	}
	err := h.Accounts.ChangePassword(c.Context(), c.Person(), current, next, h.Network(c.Request()))
	if errors.Is(err, accounts.ErrWrong) {
		return nil, &decode.Invalid{Issues: []decode.Issue{decode.Violation([]any{"current"}, "The current password is wrong")}}
	}
	return endpoint.Confirm(problem(err), respond.NoContent{})
}

// AcceptMembership serves POST /api/ui/account/memberships/{organizationId}/accept.
func (h *Handlers) AcceptMembership(c *endpoint.Call) (any, error) {
	person := c.Person()
	err := h.Catalog.AcceptMembership(c.Context(), person.OwnMembership(c.Path("organizationId")), person.User.ID)
	if errors.Is(err, people.ErrUnproven) {
		return nil, &respond.Error{
			Status: http.StatusForbidden, Code: "address_not_proven",
			Message: "First prove that the address of your account is yours: sign out and set a new password by e-mail, or use single " +
				"sign-on.",
		}
	}
	if err != nil {
		return nil, endpoint.NotFoundAs(err, noMembership)
	}
	return h.sessionOf(c, h.Cookies.Token(c.Request()))
}

// Leave serves DELETE /api/ui/account/memberships/{organizationId}. It also declines a membership.
func (h *Handlers) Leave(c *endpoint.Call) (any, error) {
	person := c.Person()
	err := h.Catalog.Leave(c.Context(), person.OwnMembership(c.Path("organizationId")), person.User.ID)
	if errors.Is(err, domain.ErrLastOwner) {
		return nil, memberProblem(err)
	}
	return endpoint.Confirm(endpoint.NotFoundAs(err, noMembership), respond.NoContent{})
}

const noMembership = "You are not a member of this organization."
