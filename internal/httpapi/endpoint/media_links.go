package endpoint

import (
	"net/url"
	"time"

	"almanac/internal/auth"
	"almanac/internal/domain"
	"almanac/internal/media"
)

// Media is what the API needs to keep files.
type Media struct {
	Library *media.Library
	Links   *auth.MediaLinks
	// MaxBytes is the size of the largest file.
	MaxBytes int64
}

// linkLife is how long the address of a medium works.
const linkLife = time.Hour

// LinkExpiry is until when an address works that is made now.
func LinkExpiry() time.Time { return time.Now().Add(linkLife).Truncate(time.Second) }

// Address returns the signed address of a medium's bytes.
func (m Media) Address(c *Call, scope domain.ProjectScope, link auth.MediaLink) string {
	return c.BaseURL() + "/api/public/media/" + url.PathEscape(link.MediaID) + "/content?" + m.Links.Query(scope, link).Encode()
}
