package rows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Change says that something was changed, for those who cache what they have read. There is one for every entry of the
// audit log, since both are written by the same method.
type Change struct {
	Kind           string `json:"kind,omitempty"` // as in the audit log; empty: anything may have changed
	OrganizationID string `json:"organization,omitempty"`
	ProjectID      string `json:"project,omitempty"`
}

// The kinds of changes that somebody waits for.
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

// maxNotice is the longest text that is announced; PostgreSQL takes 7999 bytes.
const maxNotice = 7000

// notice returns the change as a text that others can read. Ids of any length fit: what is too long for a message is
// announced as a change of anything.
func (c Change) notice() string {
	text := TextOf(c)
	if len(text) > maxNotice {
		return TextOf(Change{})
	}
	return text
}

// ReadNotice reads what notice wrote. A newer program may write what this one does not understand: anything may have changed.
func ReadNotice(text string) Change {
	var c Change
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return Change{}
	}
	return c
}

// Subscribe makes f be told of changes.
func (d *DB) Subscribe(f func(Change)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.subscribers = append(slices.Clip(d.subscribers), f)
}

// Tell tells subscribers of changes.
func (d *DB) Tell(changes ...Change) {
	d.mu.Lock()
	subscribers := d.subscribers
	d.mu.Unlock()
	for _, f := range subscribers {
		for _, change := range changes {
			f(change)
		}
	}
}

// Note keeps a change until its transaction ends.
func (s Session) Note(change Change) {
	if !slices.Contains(*s.changes, change) {
		*s.changes = append(*s.changes, change)
	}
}

// announce tells other servers of the changes of a transaction if it is committed, and when it is.
func (s Session) announce(ctx context.Context) error {
	if s.SQL.Notify == "" {
		return nil
	}
	for _, change := range *s.changes {
		if _, err := s.Exec(ctx, s.SQL.Notify, change.notice()); err != nil {
			return fmt.Errorf("cannot tell other servers of the change: %w", err)
		}
	}
	return nil
}
