package domain

import (
	"context"
	"encoding/json"
	"time"
)

// Actor is the originator of a change. Its kind is "user", with the id of a signed-in user; "sso", with the id of an
// identity provider; "anonymous" for a failed sign-in; "api-key", with the id of the key; "admin" for the instance's
// admin key, or "admin-key" within a project; "cli" or "init" for the operator; or "system" for the server itself.
type Actor struct {
	Kind string
	ID   string
}

// AuditEntry records one change of the control plane. Before and After hold the public fields of the changed resource
// as JSON objects, nil if it did not exist; they never hold secrets.
type AuditEntry struct {
	ID             string
	At             time.Time
	OrganizationID string
	ProjectID      string
	Actor          Actor
	ActorName      string // current name of a user, even after they left; empty for other actors
	Action         string // create, update, delete, view, download
	ResourceKind   string
	ResourceID     string
	Origin         Origin
	Before         json.RawMessage
	After          json.RawMessage
}

// Origin identifies where a request for a change came from. Unknown fields are empty.
type Origin struct {
	Address   string // client address
	RequestID string // as in the server's log
	Client    string // user agent
}

type originKey struct{}

// WithOrigin returns a context whose changes are recorded as coming from an origin.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin stored in a context.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}
