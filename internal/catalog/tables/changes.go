package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Change describes a change, so that caches can be invalidated. There is one for every change in the audit log, since
// both are written by the same method.
type Change struct {
	Kind           string `json:"kind,omitempty"` // as in the audit log; empty means that anything may have changed
	OrganizationID string `json:"organization,omitempty"`
	ProjectID      string `json:"project,omitempty"`
}

// The kinds of changes that subscribers look for.
const (
	KindKey               = "apiKey"
	KindMembership        = "membership"
	KindModel             = "model"
	KindOrganization      = "organization"
	KindProject           = "project"
	KindProjectMembership = "projectMembership"
	KindPrompt            = "prompt"
	KindSession           = "session"
	KindTrace             = "trace"
	KindUser              = "user"
)

// maxNotice is the maximum length of a notification in bytes; PostgreSQL accepts 7999.
const maxNotice = 7000

// notice returns the change as the payload of a notification. If ids make it too long, it is announced as a change of
// anything.
func (c Change) notice() string {
	text := TextOf(c)
	if len(text) > maxNotice {
		return TextOf(Change{})
	}
	return text
}

// ReadNotice parses the payload of a notification. A payload that this program does not understand, perhaps from a
// newer one, means that anything may have changed.
func ReadNotice(text string) Change {
	var c Change
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return Change{}
	}
	return c
}

// Subscribe makes f receive changes.
func (d *DB) Subscribe(f func(Change)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.subscribers = append(slices.Clip(d.subscribers), f)
}

// Notify notifies subscribers of changes.
func (d *DB) Notify(changes ...Change) {
	d.mu.Lock()
	subscribers := d.subscribers
	d.mu.Unlock()
	for _, f := range subscribers {
		for _, change := range changes {
			f(change)
		}
	}
}

// Note keeps a change until the transaction ends, when subscribers are notified.
func (s Session) Note(change Change) {
	if !slices.Contains(*s.changes, change) {
		*s.changes = append(*s.changes, change)
	}
}

// announce notifies other servers of the transaction's changes when it is committed.
func (s Session) announce(ctx context.Context) error {
	if s.SQL.Notify == "" {
		return nil
	}
	for _, change := range *s.changes {
		if _, err := s.Exec(ctx, s.SQL.Notify, change.notice()); err != nil {
			return fmt.Errorf("cannot notify other servers of the change: %w", err)
		}
	}
	return nil
}
