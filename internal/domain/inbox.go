package domain

import (
	"regexp"
	"time"
)

// Limits of what people are told.
const (
	// MaxInbox is how many entries of a person are kept, the newest ones.
	MaxInbox = 500
	// InboxLife is how long an entry is kept.
	InboxLife = 90 * 24 * time.Hour
	// MaxMentions is how many people a comment can mention.
	MaxMentions = 50
)

// InboxEntry is something that a person is told. Exactly one of Comment and Export is set.
type InboxEntry struct {
	ID          string
	ProjectID   string
	ProjectName string
	CreatedAt   time.Time
	ReadAt      *time.Time
	Comment     *InboxComment
	Export      *InboxExport
}

// InboxComment is a comment that mentions the person.
type InboxComment struct {
	ID         string
	ObjectType string
	ObjectID   string
	TraceID    string // of an observation
	Content    string
	AuthorName string // empty if nobody is known to have written it
	// Prompt and Version are those of the commented version of a prompt; empty and 0 for anything else, and if it is deleted.
	Prompt  string
	Version int64
}

// InboxExport is a file that the person asked for.
type InboxExport struct {
	ID     string
	Table  string
	Format string
	State  string
	Error  string
	Rows   int64
}

var mention = regexp.MustCompile(`@\[[^\]\n]{1,200}\]\(user:([^)\s]{1,200})\)`)

// Mentions returns the ids of the people whom a comment mentions, in order.
func Mentions(content string) []string {
	var ids []string
	seen := make(map[string]bool)
	for _, found := range mention.FindAllStringSubmatch(content, -1) {
		if id := found[1]; !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
