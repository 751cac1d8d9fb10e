package people

import (
	"errors"
	"net/http"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/oidc"
	"almanac/internal/catalog/tenants"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type userBody struct {
	ID          string `json:"id"`
	Email       string `json:"email"`
	Name        string `json:"name"`
	HasPassword bool   `json:"hasPassword"`
}

type organizationBody struct {
	ID          string        `json:"id"`
	Name        string        `json:"name"`
	Role        domain.Role   `json:"role"`
	Permissions []string      `json:"permissions"`
	Projects    []projectBody `json:"projects"`
}

type projectBody struct {
	ID             string      `json:"id"`
	Name           string      `json:"name"`
	OrganizationID string      `json:"organizationId"`
	Role           domain.Role `json:"role"`
	Permissions    []string    `json:"permissions"`
	RetentionDays  int         `json:"retentionDays"`
	MaxDataBytes   int64       `json:"maxDataBytes"`
}

func newOrganizationBody(o domain.OrganizationAccess) organizationBody {
	return organizationBody{
		ID: o.ID, Name: o.Name, Role: o.Role, Permissions: o.Role.InOrganization().Names(),
		Projects: endpoint.Map(o.Projects, func(p domain.ProjectAccess) projectBody { return newProjectBody(o.ID, p) }),
	}
}

func newProjectBody(organizationID string, p domain.ProjectAccess) projectBody {
	return projectBody{
		ID: p.ID, Name: p.Name, OrganizationID: organizationID, Role: p.Role, Permissions: p.Role.InProject().Names(),
		RetentionDays: p.RetentionDays, MaxDataBytes: p.MaxBytes,
	}
}

// offerBody is a membership that waits for the consent of the person.
type offerBody struct {
	OrganizationID   string      `json:"organizationId"`
	OrganizationName string      `json:"organizationName"`
	Role             domain.Role `json:"role"`
	// NeedsProof is set if the person must first prove that the address of the account is theirs.
	NeedsProof bool `json:"needsProof"`
}

type sessionBody struct {
	User                   *userBody          `json:"user"`
	SetupNeeded            bool               `json:"setupNeeded"`
	PasswordSignIn         bool               `json:"passwordSignIn"`
	Mail                   bool               `json:"mail"`
	Providers              []Provider         `json:"providers"`
	Organizations          []organizationBody `json:"organizations"`
	Offers                 []offerBody        `json:"offers"`
	MayCreateOrganizations bool               `json:"mayCreateOrganizations"`
	Version                string             `json:"version"`
}

// sessionOf returns the holder of a session token and what they may do.
func (h *Handlers) sessionOf(c *endpoint.Call, token string) (sessionBody, error) {
	b := sessionBody{
		PasswordSignIn: !h.Accounts.PasswordOff, Mail: h.Accounts.CanMail(),
		Providers:     endpoint.Map(h.SignOn.Providers(), func(p oidc.Provider) Provider { return Provider(p) }),
		Organizations: []organizationBody{}, Offers: []offerBody{}, Version: h.Build,
	}
	person, err := h.Accounts.Check(c.Context(), token)
	var denied *auth.Denied
	if errors.As(err, &denied) && denied.Status == http.StatusUnauthorized {
		b.SetupNeeded, err = h.Accounts.SetUpNeeded(c.Context())
		return b, err
	}
	if err != nil {
		return b, err
	}
	b.User = &userBody{person.User.ID, person.User.Email, person.User.Name, person.HasPassword}
	b.Organizations = endpoint.Map(person.Organizations, newOrganizationBody)
	b.Offers = endpoint.Map(person.Offered, func(o domain.OfferedMembership) offerBody {
		return offerBody{o.OrganizationID, o.OrganizationName, o.Role, !person.EmailVerified}
	})
	b.MayCreateOrganizations = h.mayCreate(person)
	return b, nil
}

func (h *Handlers) mayCreate(person *auth.Person) bool { return h.EveryoneCreates || person.Owns() }

// GetSession serves GET /api/ui/auth/session.
func (h *Handlers) GetSession(c *endpoint.Call) (any, error) {
	return h.sessionOf(c, h.Cookies.Token(c.Request()))
}

// signedIn sets the cookie of a new session and returns its body.
func (h *Handlers) signedIn(c *endpoint.Call, started accounts.Started) (sessionBody, error) {
	h.Cookies.Set(c, started)
	return h.sessionOf(c, started.Token)
}

// SignIn serves POST /api/ui/auth/sign-in.
func (h *Handlers) SignIn(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	email, password := b.Field("email").TextLen(1, accounts.MaxEmail), b.Field("password").TextLen(1, accounts.MaxPassword)
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.Cookies.Allowed(c.Request()); err != nil {
		return nil, err
	}
	started, err := h.Accounts.SignIn(c.Context(), email, password, h.Network(c.Request()), h.Cookies.Token(c.Request()))
	if err != nil {
		return nil, problem(err)
	}
	return h.signedIn(c, started)
}

// SignOut serves POST /api/ui/auth/sign-out.
func (h *Handlers) SignOut(c *endpoint.Call) (any, error) {
	if err := h.Accounts.SignOut(c.Context(), h.Cookies.Token(c.Request())); err != nil {
		return nil, err
	}
	h.Cookies.Clear(c)
	if location := h.signOutElsewhere(c); location != "" {
		return struct {
			RedirectTo string `json:"redirectTo"`
		}{location}, nil
	}
	return respond.NoContent{}, nil
}

func readPassword(v decode.Value) string {
	return v.TextLen(accounts.MinPassword, accounts.MaxPassword)
}

func readPersonName(v decode.Value) string { return v.TrimmedLen(1, accounts.MaxName) }

func readEmail(v decode.Value) string {
	return endpoint.ReadEmail(v, accounts.MaxEmail, "This is not an email address")
}

type keyPairBody struct {
	PublicKey string `json:"publicKey"`
	SecretKey string `json:"secretKey"`
}

// SetUp serves POST /api/ui/auth/setup.
func (h *Handlers) SetUp(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	token, name, email, password := b.Field("token").Text(), readPersonName(b.Field("name")), readEmail(b.Field("email")),
		readPassword(b.Field("password"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.Cookies.Allowed(c.Request()); err != nil {
		return nil, err
	}
	user, started, err := h.Accounts.SetUp(c.Context(), token, email, name, password, h.Network(c.Request()), h.Cookies.Token(c.Request()))
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil,
			respond.NotFound("This link was used already, or the server was started again since. The server prints a new one when it " +
				"starts.")
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.Conflict("Somebody can sign in already. Ask them to invite you.")
	case err != nil:
		return nil, problem(err)
	}
	session, err := h.signedIn(c, started)
	if err != nil {
		return nil, err
	}
	answer := struct {
		Session   sessionBody  `json:"session"`
		ProjectID *string      `json:"projectId"`
		Keys      *keyPairBody `json:"keys"`
	}{Session: session}
	for _, o := range session.Organizations {
		if len(o.Projects) > 0 {
			answer.ProjectID = &o.Projects[0].ID
			answer.Keys, err = h.firstKeys(c, started.Token, *answer.ProjectID, domain.Actor{Kind: "user", ID: user.ID})
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return respond.Status{Code: http.StatusCreated, Body: answer}, nil
}

// firstKeys creates a key pair to show to the first owner: the secret of the one created on first start was not stored.
func (h *Handlers) firstKeys(c *endpoint.Call, token, projectID string, actor domain.Actor) (*keyPairBody, error) {
	person, err := h.Accounts.Check(c.Context(), token)
	if err != nil {
		return nil, err
	}
	_, _, scope, err := person.Project(projectID, domain.KeysWrite)
	if err != nil {
		return nil, err
	}
	pair := domain.NewKeyPair()
	_, err = h.Catalog.CreateKey(c.Context(), scope, tenants.NewKey{
		ProjectID: projectID, PublicKey: pair.PublicKey, SecretHash: auth.HashSecret(pair.SecretKey), DisplaySecret: pair.DisplaySecret(),
		Note: new("created at set-up"), Permissions: domain.AllPermissions(),
	}, actor)
	return &keyPairBody{pair.PublicKey, pair.SecretKey}, err
}

// ForgotPassword serves POST /api/ui/auth/forgot-password. The response does not reveal whether the address is known or
// a link is sent.
func (h *Handlers) ForgotPassword(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	email := readEmail(b.Field("email"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	if err := h.Accounts.Forgot(c.Context(), email, h.Network(c.Request())); err != nil {
		return nil, problem(err)
	}
	return respond.Empty(http.StatusAccepted), nil
}

// ResetPassword serves POST /api/ui/auth/reset-password.
func (h *Handlers) ResetPassword(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	token, password := b.Field("token").Text(), readPassword(b.Field("password"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	err := h.Accounts.Reset(c.Context(), token, password, h.Network(c.Request()))
	return endpoint.Confirm(problem(endpoint.NotFoundAs(err, "This link was used already, or it has expired. Ask for another one.")),
		respond.NoContent{})
}
