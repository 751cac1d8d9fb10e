package admin

import (
	"errors"
	"math"
	"net/http"

	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type scimUserBody struct {
	Schemas  []string    `json:"schemas"`
	ID       string      `json:"id"`
	UserName string      `json:"userName"`
	Name     scimName    `json:"name"`
	Emails   []scimEmail `json:"emails"`
	Active   bool        `json:"active"`
	Meta     scimMeta    `json:"meta"`
}

type scimName struct {
	Formatted string `json:"formatted"`
}

type scimEmail struct {
	Primary bool   `json:"primary"`
	Value   string `json:"value"`
	Type    string `json:"type"`
}

type scimMeta struct {
	ResourceType string       `json:"resourceType"`
	Created      respond.Time `json:"created"`
	LastModified respond.Time `json:"lastModified"`
}

// newSCIMUserBody returns the body of a user, who is active while they are a member of the organization.
func newSCIMUserBody(u domain.User, active bool) scimUserBody {
	return scimUserBody{
		Schemas: []string{SCIMUserSchema}, ID: u.ID, UserName: u.Email, Name: scimName{u.Name},
		Emails: []scimEmail{{true, u.Email, "work"}}, Active: active,
		Meta: scimMeta{"User", respond.Time(u.CreatedAt), respond.Time(u.UpdatedAt)},
	}
}

// MaxSCIMResults is the maximum page size; larger counts are reduced to it, as RFC 7644 allows.
const MaxSCIMResults = 100

// ListSCIMUsers serves GET /api/public/scim/Users.
func (h *Handlers) ListSCIMUsers(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	q := c.Query()
	bounds := decode.IntRule{Min: -math.MaxInt32, Max: math.MaxInt32}
	first, count := bounds, bounds
	first.Default, count.Default = 1, MaxSCIMResults
	// Values that are too small are raised to the minimum, as RFC 7644 requires.
	start := max(1, q.Int("startIndex", first))
	page := tables.Page{Offset: start - 1, Limit: min(max(0, q.Int("count", count)), MaxSCIMResults)}
	filter := q.String("filter")
	if err := q.Err(); err != nil {
		return nil, err
	}
	var email *string
	if filter != nil && *filter != "" {
		name, ok := parseSCIMFilter(*filter)
		if !ok {
			return nil, respond.InvalidRequest(`The filter is not supported. Supported is: userName eq "somebody@example.org"`)
		}
		email = &name
	}
	members, total, err := h.Catalog.MemberPage(c.Context(), scope, email, page)
	if err != nil {
		return nil, err
	}
	list := make([]scimUserBody, len(members))
	for n, m := range members {
		list[n] = newSCIMUserBody(m.User, true)
	}
	return struct {
		Schemas      []string       `json:"schemas"`
		TotalResults int            `json:"totalResults"`
		StartIndex   int            `json:"startIndex"`
		ItemsPerPage int            `json:"itemsPerPage"`
		Resources    []scimUserBody `json:"Resources"`
	}{[]string{scimListSchema}, total, start, len(list), list}, nil
}

// CreateSCIMUser makes a user a member of the organization. Passwords are ignored: identity providers send random ones.
func (h *Handlers) CreateSCIMUser(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	in, err := readNewSCIMUser(scimBody(c.Body()))
	if err != nil {
		return nil, err
	}
	var role *domain.Role // inactive users are not members
	if in.active {
		if role = in.role; role == nil {
			role = new(domain.RoleNone)
		}
	}
	user, err := h.Catalog.ProvisionUser(c.Context(), scope, in.email, in.name, role, c.Actor())
	if errors.Is(err, domain.ErrConflict) {
		return nil, respond.Conflict("The user is a member of the organization already")
	}
	if err != nil {
		return nil, err
	}
	return respond.Status{Code: http.StatusCreated, Body: newSCIMUserBody(user, in.active)}, nil
}

// GetSCIMUser serves GET /api/public/scim/Users/{userId}.
func (h *Handlers) GetSCIMUser(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	m, err := h.Catalog.Member(c.Context(), scope, c.Path("userId"))
	if err != nil {
		return nil, memberError(err)
	}
	return newSCIMUserBody(m.User, true), nil
}

// PutSCIMUser makes a user active or inactive, and sets their role. It does not change their name and address, because
// the account is shared with other organizations.
func (h *Handlers) PutSCIMUser(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	in, err := readSCIMUser(scimBody(c.Body()))
	if err != nil {
		return nil, err
	}
	return h.changeSCIMUser(c, scope, in)
}

// PatchSCIMUser makes a user active or inactive.
func (h *Handlers) PatchSCIMUser(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	active, err := readSCIMPatch(scimBody(c.Body()))
	if err != nil {
		return nil, err
	}
	return h.changeSCIMUser(c, scope, scimUserChange{active: active})
}

func (h *Handlers) changeSCIMUser(c *endpoint.Call, scope domain.OrganizationScope, change scimUserChange) (any, error) {
	id := c.Path("userId")
	user, err := h.Catalog.Known(c.Context(), scope, id)
	switch {
	case err != nil:
	case !change.active:
		user, err = h.deactivate(c, scope, id)
	case change.role != nil:
		var m domain.Member
		m, err = h.Catalog.SetMember(c.Context(), scope, id, *change.role, c.Actor())
		user = m.User
	default:
		var m domain.Member
		m, err = h.Catalog.EnsureMember(c.Context(), scope, id, c.Actor())
		user = m.User
	}
	if err != nil {
		return nil, memberError(err)
	}
	return newSCIMUserBody(user, change.active), nil
}

// deactivate removes a user's membership, if there is one. Users whom the organization never added do not exist for it.
func (h *Handlers) deactivate(c *endpoint.Call, scope domain.OrganizationScope, id string) (domain.User, error) {
	m, err := h.Catalog.RemoveMember(c.Context(), scope, id, c.Actor())
	if errors.Is(err, domain.ErrNotFound) {
		return h.Catalog.Known(c.Context(), scope, id)
	}
	return m.User, err
}

// DeleteSCIMUser removes a membership and keeps the account.
func (h *Handlers) DeleteSCIMUser(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	if _, err := h.Catalog.RemoveMember(c.Context(), scope, c.Path("userId"), c.Actor()); err != nil {
		return nil, memberError(err)
	}
	return respond.NoContent{}, nil
}
