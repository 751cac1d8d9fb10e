package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"almanac/internal/catalog/sqldb"
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
	KindUser              = "user"
)

// maxNotice is the longest text that is announced; PostgreSQL takes 7999 bytes.
const maxNotice = 7000

// notice returns the change as a text that others can read. Ids of any length fit: what is too long for a message is
// announced as a change of anything.
func (c Change) notice() string {
	text := textOf(c)
	if len(text) > maxNotice {
		return textOf(Change{})
	}
	return text
}

// readNotice reads what notice wrote. A newer program may write what this one does not understand: anything may have changed.
func readNotice(text string) Change {
	var c Change
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return Change{}
	}
	return c
}

// Subscribe makes f be told of changes: of those made through this catalog before the method that makes them returns, and
// of those made by other servers while Listen runs. It must return soon and must not use the catalog.
func (c *Catalog) Subscribe(f func(Change)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subscribers = append(slices.Clip(c.subscribers), f)
}

func (c *Catalog) tell(changes ...Change) {
	c.mu.Lock()
	subscribers := c.subscribers
	c.mu.Unlock()
	for _, f := range subscribers {
		for _, change := range changes {
			f(change)
		}
	}
}

// Announce tells everybody of a change that was made in another way than through a catalog.
func (c *Catalog) Announce(ctx context.Context, change Change) error {
	err := c.update(ctx, func(s session) error {
		s.note(change)
		return nil
	})
	if err != nil {
		return fmt.Errorf("cannot announce a change of kind %q: %w", change.Kind, err)
	}
	return nil
}

// note keeps a change until its transaction ends.
func (s session) note(change Change) {
	if !slices.Contains(*s.changes, change) {
		*s.changes = append(*s.changes, change)
	}
}

// announce tells other servers of the changes of a transaction if it is committed, and when it is.
func (s session) announce(ctx context.Context) error {
	if s.db.Notify == "" {
		return nil
	}
	for _, change := range *s.changes {
		if _, err := s.exec(ctx, s.db.Notify, change.notice()); err != nil {
			return fmt.Errorf("cannot tell other servers of the change: %w", err)
		}
	}
	return nil
}

// Listen tells subscribers of changes that other servers make, until ctx is done. Whenever it begins to hear, the first time
// or again, anything may have changed. Where there are no other servers it does nothing.
func (c *Catalog) Listen(ctx context.Context, log *slog.Logger) {
	if c.db.Listen == nil {
		return
	}
	wait, hears := sqldb.FirstWait, true
	for {
		err := c.db.Listen(ctx, func() {
			c.tell(Change{})
			if !hears {
				log.Info("listening for catalog changes again")
			}
			wait, hears = sqldb.FirstWait, true
		}, func(text string) { c.tell(readNotice(text)) })
		if ctx.Err() != nil {
			return
		}
		if hears {
			log.Warn("cannot listen for catalog changes made by other servers: caches may be stale", "error", err)
		}
		if errors.Is(err, sqldb.ErrDeaf) {
			c.tell(Change{}) // others may change what they like, and nobody will say so
		}
		hears = false
		if sqldb.Sleep(ctx, wait) != nil {
			return
		}
		wait = min(2*wait, sqldb.LongWait)
	}
}
