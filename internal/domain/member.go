package domain

import (
	"errors"
	"time"
)

// User is a person with an account on the instance.
type User struct {
	ID        string
	Email     string // in lower case
	Name      string // empty if unknown
	CreatedAt time.Time
	UpdatedAt time.Time
	// DisabledAt is the time at which the account was disabled; nil if it is enabled.
	DisabledAt *time.Time
}

// Account is a user with sign-in data.
type Account struct {
	User
	PasswordHash  string // empty if there is no password
	EmailVerified bool   // the address is known to belong to the user
}

// Member is a user with a role, in an organization or in a project.
type Member struct {
	User
	Role Role
	// Pending is set as long as the user has not agreed to belong to the organization. The role has no effect, and the
	// user has only what the organization itself knows of them.
	Pending bool
}

// OfferedMembership is a membership that waits for the consent of a user.
type OfferedMembership struct {
	OrganizationID, OrganizationName string
	Role                             Role
}

var (
	// ErrLastOwner means that a change would leave an organization that has an owner without one.
	ErrLastOwner = errors.New("the only owner of the organization")
	// ErrNoMember means that a user does not have the membership to be changed. It is wrapped together with ErrNotFound.
	ErrNoMember = errors.New("no member")
)
