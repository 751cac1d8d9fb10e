package people

import (
	"errors"
	"net/http"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type invitationBody struct {
	ID          string       `json:"id"`
	Email       string       `json:"email"`
	Role        domain.Role  `json:"role"`
	ProjectID   *string      `json:"projectId"`
	ProjectRole *domain.Role `json:"projectRole"`
	InvitedBy   *string      `json:"invitedBy"`
	CreatedAt   respond.Time `json:"createdAt"`
	ExpiresAt   respond.Time `json:"expiresAt"`
}

func newInvitationBody(i domain.Invitation) invitationBody {
	return invitationBody{
		ID: i.ID, Email: i.Email, Role: i.Role, ProjectID: orNull(i.ProjectID), ProjectRole: orNull(i.ProjectRole),
		InvitedBy: orNull(i.InvitedByName),
		CreatedAt: respond.Time(i.CreatedAt), ExpiresAt: respond.Time(i.ExpiresAt),
	}
}

// orNull returns a pointer to text, or nil if it is empty.
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// ListInvitations serves GET /api/ui/organizations/{organizationId}/invitations.
func (h *Handlers) ListInvitations(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	found, err := h.Catalog.Invitations(c.Context(), scope)
	return endpoint.ListAs("invitations", found, err, newInvitationBody)
}

func readRole(v decode.Value) domain.Role { return domain.Role(v.Enum(domain.AllRoleNames()...)) }

// CreateInvitation serves POST /api/ui/organizations/{organizationId}/invitations.
func (h *Handlers) CreateInvitation(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	b := c.Body().Object()
	n := domain.Invitation{Email: readEmail(b.Field("email")), Role: readRole(b.Field("role")), InvitedBy: c.Person().User.ID}
	project, role := b.Field("projectId"), b.Field("projectRole")
	decode.Set(&n.ProjectID, decode.Nullish(project, func(v decode.Value) string { return v.TextLen(1, endpoint.MaxUserID) }))
	decode.Set(&n.ProjectRole, decode.Nullish(role, readRole))
	if (n.ProjectID == "") != (n.ProjectRole == "") {
		role.Reject(decode.Violation(role.Path(), "A role in a project needs both projectId and projectRole"))
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	own := c.Person().RoleIn(scope.OrganizationID())
	if own.Weaker(n.Role) || own.Weaker(n.ProjectRole) {
		return nil, aboveOwn(own)
	}
	stored, token, err := h.Accounts.Invite(c.Context(), scope, n, c.Actor())
	switch {
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.Conflict("Somebody with this address is a member already.")
	case errors.Is(err, domain.ErrTooMany):
		return nil, respond.Conflict("There are too many open invitations. Take some back first.")
	case err != nil:
		return nil, endpoint.NotFoundAs(err, "There is no such project.")
	}
	return respond.Status{Code: http.StatusCreated, Body: struct {
		Invitation invitationBody `json:"invitation"`
		Link       string         `json:"link"`
		Mailed     bool           `json:"mailed"`
	}{newInvitationBody(stored), c.BaseURL() + accounts.InvitationPath(token), h.Accounts.MailInvitation(stored, token)}}, nil
}

// RevokeInvitation serves DELETE /api/ui/organizations/{organizationId}/invitations/{invitationId}.
func (h *Handlers) RevokeInvitation(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	err := h.Catalog.Uninvite(c.Context(), scope, c.Path("invitationId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "There is no such invitation."), respond.NoContent{})
}

// noInvitation is the message for an invitation link that is no longer valid.
const noInvitation = "This invitation was accepted or taken back already, or it has expired. Ask for another one."

// GetInvitation serves GET /api/ui/invitations/{token}.
func (h *Handlers) GetInvitation(c *endpoint.Call) (any, error) {
	i, err := h.Accounts.Invitation(c.Context(), c.Path("token"))
	if err != nil {
		return nil, endpoint.NotFoundAs(err, noInvitation)
	}
	exists, err := h.Catalog.UserExists(c.Context(), i.Email)
	if err != nil {
		return nil, err
	}
	type organizationRef struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	return struct {
		Email         string          `json:"email"`
		Organization  organizationRef `json:"organization"`
		Role          domain.Role     `json:"role"`
		InvitedBy     *string         `json:"invitedBy"`
		AccountExists bool            `json:"accountExists"`
	}{i.Email, organizationRef{i.OrganizationID, i.OrganizationName}, i.Role, orNull(i.InvitedByName), exists}, nil
}

// AcceptInvitation serves POST /api/ui/invitations/{token}/accept. An existing account must be signed in: the link
// alone must not give access to it, since the inviter knows the link as well.
func (h *Handlers) AcceptInvitation(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	name, password := decode.Nullish(b.Field("name"), readPersonName), decode.Nullish(b.Field("password"), readPassword)
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.Cookies.Allowed(c.Request()); err != nil {
		return nil, err
	}
	token, cookie := c.Path("token"), h.Cookies.Token(c.Request())
	i, err := h.Accounts.Invitation(c.Context(), token)
	if err != nil {
		return nil, endpoint.NotFoundAs(err, noInvitation)
	}
	exists, err := h.Catalog.UserExists(c.Context(), i.Email)
	if err != nil {
		return nil, err
	}
	if exists {
		return h.acceptAs(c, i, token, cookie)
	}
	if name == nil || password == nil {
		missing := b.Field("name")
		if name != nil {
			missing = b.Field("password")
		}
		missing.Reject(decode.Violation(missing.Path(), "A new account needs a name and a password"))
		return nil, b.Err()
	}
	started, err := h.Accounts.AcceptAsNew(c.Context(), token, *name, *password, h.Network(c.Request()), cookie)
	switch {
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.Conflict("There is an account with this address already. Sign in to it, then open the link again.")
	case err != nil:
		return nil, problem(endpoint.NotFoundAs(err, noInvitation))
	}
	return h.signedIn(c, started)
}

func (h *Handlers) acceptAs(c *endpoint.Call, i domain.Invitation, token, cookie string) (any, error) {
	person, err := h.Accounts.Check(c.Context(), cookie)
	var denied *auth.Denied
	if errors.As(err, &denied) && denied.Status == http.StatusUnauthorized {
		return nil, &respond.Error{
			Status: http.StatusUnauthorized, Message: "There is an account with this address. Sign in to it, then open the link again.",
		}
	}
	if err != nil {
		return nil, err
	}
	if !domain.EqualFoldASCII(person.User.Email, i.Email) {
		return nil, respond.Conflict("The invitation is for another address than that of your account. Sign out, then open the link again.")
	}
	if err := h.Accounts.Accept(c.Context(), token, person.User.ID); err != nil {
		return nil, endpoint.NotFoundAs(err, noInvitation)
	}
	return h.sessionOf(c, cookie)
}
