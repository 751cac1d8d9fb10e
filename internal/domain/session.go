package domain

import "time"

// Session is somebody signed in with one browser.
type Session struct {
	ID         string
	UserID     string
	CreatedAt  time.Time
	LastSeenAt time.Time
	ExpiresAt  time.Time // whatever happens until then
	Address    string    // of whoever signed in
	Client     string    // the name that the browser gave itself
}

// Invitation lets somebody become a member of an organization, and get a role of their own in one of its projects.
type Invitation struct {
	ID               string
	OrganizationID   string
	OrganizationName string
	Email            string // in lower case
	Role             Role
	ProjectID        string // empty for none
	ProjectRole      Role   // empty for none
	InvitedBy        string // the id of a user; empty if they are gone
	InvitedByName    string
	CreatedAt        time.Time
	ExpiresAt        time.Time
}

// OrganizationAccess is an organization that a person can see, with their role in it.
type OrganizationAccess struct {
	ID, Name string
	Role     Role
	Projects []ProjectAccess // those that they can see
}

// ProjectAccess is a project that a person can see, with the role that counts there.
type ProjectAccess struct {
	ID, Name      string
	RetentionDays int
	MaxBytes      int64
	Role          Role
}
