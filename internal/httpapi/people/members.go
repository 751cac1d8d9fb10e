package people

import (
	"cmp"
	"errors"
	"net/http"

	"almanac/internal/access/accounts"
	"almanac/internal/catalog/people"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type memberBody struct {
	UserID   string      `json:"userId"`
	Email    string      `json:"email"`
	Name     string      `json:"name"`
	Role     domain.Role `json:"role"`
	Disabled bool        `json:"disabled"`
	Pending  bool        `json:"pending"`
}

func newMemberBody(m domain.Member) memberBody {
	return memberBody{m.ID, m.Email, m.Name, m.Role, m.DisabledAt != nil, m.Pending}
}

// aboveOwn returns the error for a caller who tries to grant or revoke a role above their own.
func aboveOwn(own domain.Role) error {
	return &respond.Error{
		Status: http.StatusForbidden, Message: "Your role is " + string(own) + ": you can neither give nor take a role above it.",
	}
}

// ListMembers serves GET /api/ui/organizations/{organizationId}/members.
func (h *Handlers) ListMembers(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	members, err := h.Catalog.Members(c.Context(), scope)
	return endpoint.ListAs("members", members, err, newMemberBody)
}

// memberBelow returns the member named by the path. It returns an error if that member's role, or the role to grant, is
// above the caller's.
func (h *Handlers) memberBelow(c *endpoint.Call, scope domain.OrganizationScope, role domain.Role) (domain.Member, error) {
	m, err := h.Catalog.Member(c.Context(), scope, c.Path("userId"))
	if err != nil {
		return m, memberProblem(err)
	}
	if own := c.Person().RoleIn(scope.OrganizationID()); own.Weaker(m.Role) || own.Weaker(role) {
		return m, aboveOwn(own)
	}
	return m, nil
}

func readRoleOnly(c *endpoint.Call) (domain.Role, error) {
	b := c.Body().Object()
	role := readRole(b.Field("role"))
	return role, b.Err()
}

// SetMember serves PUT /api/ui/organizations/{organizationId}/members/{userId}.
func (h *Handlers) SetMember(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	role, err := readRoleOnly(c)
	if err != nil {
		return nil, err
	}
	if _, err := h.memberBelow(c, scope, role); err != nil {
		return nil, err
	}
	m, err := h.Catalog.SetMember(c.Context(), scope, c.Path("userId"), role, c.Actor())
	return endpoint.Show(m, memberProblem(err), newMemberBody)
}

// RemoveMember serves DELETE /api/ui/organizations/{organizationId}/members/{userId}.
func (h *Handlers) RemoveMember(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if _, err := h.memberBelow(c, scope, domain.RoleNone); err != nil {
		return nil, err
	}
	_, err := h.Catalog.RemoveMember(c.Context(), scope, c.Path("userId"), c.Actor())
	return endpoint.Confirm(memberProblem(err), respond.NoContent{})
}

// CreateResetLink serves POST /api/ui/organizations/{organizationId}/members/{userId}/reset-link. The caller could use
// a link that they are shown, so they must already have all the access of the account, in every organization that gave
// it a role, and the link of an account that is more than that is only mailed.
func (h *Handlers) CreateResetLink(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	m, err := h.memberBelow(c, scope, domain.RoleNone)
	if err != nil {
		return nil, err
	}
	made, err := h.Accounts.MakeReset(c.Context(), scope, m.ID, c.Person().User)
	const operator = " The operator can set a password: almanac users set-password."
	switch {
	case errors.Is(err, people.ErrBeyondRole):
		return nil, &respond.Error{
			Status: http.StatusForbidden, Code: "beyond_role",
			Message: "The account can do more than you can, here or in another organization." + operator,
		}
	case errors.Is(err, accounts.ErrNoPassword):
		return nil, respond.Conflict("The account has no password: it signs in through an identity provider." + operator)
	case errors.Is(err, accounts.ErrMailOnly):
		return nil,
			respond.Conflict("The address of the account is proven, so a link can only be mailed to it, but no mail can be sent." +
				operator)
	case err != nil:
		return nil, memberProblem(problem(err))
	}
	var link *string
	if made.Token != "" {
		link = new(c.BaseURL() + accounts.ResetPath(made.Token))
	}
	return respond.Status{Code: http.StatusCreated, Body: struct {
		Link      *string      `json:"link"`
		ExpiresAt respond.Time `json:"expiresAt"`
		Mailed    bool         `json:"mailed"`
	}{link, respond.Time(made.ExpiresAt), made.Mailed}}, nil
}

type projectMemberBody struct {
	UserID           string       `json:"userId"`
	Email            string       `json:"email"`
	Name             string       `json:"name"`
	Role             domain.Role  `json:"role"`
	OrganizationRole domain.Role  `json:"organizationRole"`
	ProjectRole      *domain.Role `json:"projectRole"`
	Disabled         bool         `json:"disabled"`
	Pending          bool         `json:"pending"`
}

// ListProjectMembers serves GET /api/ui/projects/{projectId}/members.
func (h *Handlers) ListProjectMembers(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	members, err := h.Catalog.Members(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	own, err := h.Catalog.ProjectMembers(c.Context(), scope, c.Path("projectId"))
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	roles := make(map[string]domain.Role, len(own))
	for _, m := range own {
		roles[m.ID] = m.Role
	}
	list := []projectMemberBody{}
	for _, m := range members {
		b := projectMemberBody{
			UserID: m.ID, Email: m.Email, Name: m.Name, Role: m.Role, OrganizationRole: m.Role, Disabled: m.DisabledAt != nil,
			Pending: m.Pending,
		}
		if role, ok := roles[m.ID]; ok {
			b.Role, b.ProjectRole = role, &role
		}
		if b.Role != domain.RoleNone {
			list = append(list, b)
		}
	}
	return struct {
		Members []projectMemberBody `json:"members"`
	}{list}, nil
}

// projectMemberBelow returns an error if the caller would grant or revoke a role above their own in a project. An empty
// role means the member's role in the organization.
func (h *Handlers) projectMemberBelow(c *endpoint.Call, scope domain.OrganizationScope, role domain.Role) error {
	m, err := h.Catalog.Member(c.Context(), scope, c.Path("userId"))
	if err != nil {
		return memberProblem(err)
	}
	role = cmp.Or(role, m.Role)
	others, err := h.Catalog.ProjectMembers(c.Context(), scope, c.Path("projectId"))
	if err != nil {
		return endpoint.ProjectError(err)
	}
	for _, other := range others {
		if other.ID == m.ID {
			m.Role = other.Role
		}
	}
	if own := h.project(c, scope).Role; own.Weaker(m.Role) || own.Weaker(role) {
		return aboveOwn(own)
	}
	return nil
}

// SetProjectMember serves PUT /api/ui/projects/{projectId}/members/{userId}.
func (h *Handlers) SetProjectMember(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	role, err := readRoleOnly(c)
	if err != nil {
		return nil, err
	}
	if err := h.projectMemberBelow(c, scope, role); err != nil {
		return nil, err
	}
	m, err := h.Catalog.SetProjectMember(c.Context(), scope, c.Path("projectId"), c.Path("userId"), role, c.Actor())
	return endpoint.Show(m, memberProblem(err), newMemberBody)
}

// RemoveProjectMember serves DELETE /api/ui/projects/{projectId}/members/{userId}.
func (h *Handlers) RemoveProjectMember(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if err := h.projectMemberBelow(c, scope, ""); err != nil {
		return nil, err
	}
	err := h.Catalog.RemoveProjectMember(c.Context(), scope, c.Path("projectId"), c.Path("userId"), c.Actor())
	return endpoint.Confirm(memberProblem(err), respond.NoContent{})
}
