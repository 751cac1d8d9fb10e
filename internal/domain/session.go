package domain

import "time"

// Session is a signed-in browser session of a user.
type Session struct {
	ID         string
	UserID     string
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time // absolute expiry
	Address    string    // client address at sign-in
	Client     string    // user agent of the browser
}

// Invitation invites someone to become a member of an organization, optionally with a separate role in one of its
// projects.
type Invitation struct {
	ID               string
	OrganizationID   string
	OrganizationName string
	Email            string // in lower case
	Role             Role
	ProjectID        string // empty for none
	ProjectRole      Role   // empty for none
	InvitedBy        string // user id; empty if that user was deleted
	InvitedByName    string
	CreatedAt        time.Time
	ExpiresAt        time.Time
}

// OrganizationAccess is an organization visible to a user, with their role in it.
type OrganizationAccess struct {
	ID, Name string
	Role     Role
	Projects []ProjectAccess // those visible to the user
}

// ProjectAccess is a project visible to a user, with their effective role.
type ProjectAccess struct {
	ID, Name      string
	RetentionDays int
	MaxBytes      int64
	Role          Role
}
