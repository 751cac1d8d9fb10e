package domain

import (
	"context"
	"encoding/json"
	"time"
)

// Actor is who made a change: kind "user" with the id of somebody who is signed in; "sso" with that of an identity provider, and
// "anonymous" for whoever could not sign in; "api-key" with the key's id; "admin" for whoever has the instance's admin key, or "admin-key"
// within a project; "cli" or "init" for the operator; "system" for what the server
// does by itself.
type Actor struct {
	Kind string
	ID   string
}

// AuditEntry records one change of the control plane. Before and After hold the public fields of the thing
// changed as JSON objects, nil where there was none; they never hold secrets.
type AuditEntry struct {
	ID             string
	At             time.Time
	OrganizationID string
	ProjectID      string
	Actor          Actor
	ActorName      string // of a person, as it is now, also after they left; empty for others
	Action         string // create, update, delete, view, download
	ResourceKind   string
	ResourceID     string
	Origin         Origin
	Before         json.RawMessage
	After          json.RawMessage
}

// Origin is where a change was asked for. Members are empty where that is not known.
type Origin struct {
	Address   string // of the client
	RequestID string // of the request, as it is in the server's log
	Client    string // the name that the program gave itself
}

type originKey struct{}

// WithOrigin returns a context whose changes are recorded as coming from an origin.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin of what is done in a context.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}
