package domain

import (
	"errors"
	"time"
)

// User is a person with an account on the instance.
type User struct {
	ID        string
	Email     string // in lower case
	Name      string // empty if nobody told
	CreatedAt time.Time
	UpdatedAt time.Time
	// DisabledAt is since when the account cannot be used; nil for most.
	DisabledAt *time.Time
}

// Account is a user with what is needed to sign in.
type Account struct {
	User
	PasswordHash  string // empty for somebody who has no password
	EmailVerified bool   // the address is known to be theirs
}

// Member is a user with a role, in an organization or in a project.
type Member struct {
	User
	Role Role
}

var (
	// ErrLastOwner means that a change would leave an organization that has an owner without one.
	ErrLastOwner = errors.New("the only owner of the organization")
	// ErrNoMember means that a user does not have the membership that a change asks for. It comes with ErrNotFound.
	ErrNoMember = errors.New("no member")
)
