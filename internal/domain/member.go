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
}

// Member is a user with a role, in an organization or in a project.
type Member struct {
	User
	Role Role
}

// RoleNames returns the roles as the API names them, strongest first.
func RoleNames() []string {
	return []string{string(RoleOwner), string(RoleAdmin), string(RoleMember), string(RoleViewer), string(RoleNone)}
}

var (
	// ErrLastOwner means that a change would leave an organization that has an owner without one.
	ErrLastOwner = errors.New("the only owner of the organization")
	// ErrNoMember means that a user does not have the membership that a change asks for. It comes with ErrNotFound.
	ErrNoMember = errors.New("no member")
)
