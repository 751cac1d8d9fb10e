package admin

import (
	"errors"
	"net/http"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type membershipBody struct {
	UserID string `json:"userId"`
	Role   string `json:"role"`
	Email  string `json:"email"`
	Name   string `json:"name"`
}

func newMembershipBody(m domain.Member) membershipBody {
	return membershipBody{UserID: m.ID, Role: string(m.Role.Public()), Email: m.Email, Name: m.Name}
}

type membershipEnd struct {
	Message string `json:"message"`
	UserID  string `json:"userId"`
}

// ListMemberships serves GET /api/public/organizations/memberships.
func (h *Handlers) ListMemberships(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	members, err := h.Catalog.Members(c.Context(), scope)
	return endpoint.ListAs("memberships", members, err, newMembershipBody)
}

// PutMembership gives any user of the instance a role in the organization.
func (h *Handlers) PutMembership(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	user, role, err := readMembership(c.Body())
	if err != nil {
		return nil, err
	}
	m, err := h.Catalog.SetMember(c.Context(), scope, user, role, c.Actor())
	return endpoint.Show(m, memberError(err), newMembershipBody)
}

// DeleteMembership removes a membership, if there is one.
func (h *Handlers) DeleteMembership(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	user, err := readMember(c.Body())
	if err != nil {
		return nil, err
	}
	_, err = h.Catalog.RemoveMember(c.Context(), scope, user, c.Actor())
	if err != nil && !errors.Is(err, domain.ErrNotFound) {
		return nil, memberError(err)
	}
	return membershipEnd{"Membership deleted successfully", user}, nil
}

// ListProjectMemberships lists the users who have a role specific to a project.
func (h *Handlers) ListProjectMemberships(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	members, err := h.Catalog.ProjectMembers(c.Context(), scope, c.Path("projectId"))
	return endpoint.ListAs("memberships", members, endpoint.ProjectError(err), newMembershipBody)
}

// PutProjectMembership gives a member of the organization a role in a project, which overrides their role in the
// organization.
func (h *Handlers) PutProjectMembership(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	user, role, err := readMembership(c.Body())
	if err != nil {
		return nil, err
	}
	m, err := h.Catalog.SetProjectMember(c.Context(), scope, c.Path("projectId"), user, role, c.Actor())
	if errors.Is(err, domain.ErrNoMember) {
		return nil, respond.NotFound("User is not a member of the organization")
	}
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	return newMembershipBody(m), nil
}

// DeleteProjectMembership serves DELETE /api/public/projects/{projectId}/memberships.
func (h *Handlers) DeleteProjectMembership(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	user, err := readMember(c.Body())
	if err != nil {
		return nil, err
	}
	err = h.Catalog.RemoveProjectMember(c.Context(), scope, c.Path("projectId"), user, c.Actor())
	if errors.Is(err, domain.ErrNoMember) {
		return nil, respond.NotFound("Project membership not found for user")
	}
	if err != nil {
		return nil, endpoint.ProjectError(err)
	}
	return membershipEnd{"Project membership deleted successfully", user}, nil
}

func readMembership(body decode.Value) (user string, role domain.Role, err error) {
	b := body.Object()
	user = b.Field("userId").TextLen(1, endpoint.MaxUserID)
	role = domain.Role(b.Field("role").Enum(domain.RoleNames()...))
	return user, role, b.Err()
}

func readMember(body decode.Value) (user string, err error) {
	b := body.Object()
	user = b.Field("userId").TextLen(1, endpoint.MaxUserID)
	return user, b.Err()
}

// memberError maps the errors of a user who does not exist or who must remain the owner.
func memberError(err error) error {
	switch {
	case errors.Is(err, domain.ErrLastOwner):
		return &respond.Error{
			Status: http.StatusForbidden, Name: "ForbiddenError",
			Message: "The user is the last owner of the organization. Make somebody else an owner first.",
		}
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound("User not found")
	}
	return err
}
