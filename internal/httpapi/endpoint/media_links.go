package endpoint

import (
	"net/http"
	"net/url"
	"time"

	"almanac/internal/access/auth"
	"almanac/internal/domain"
	"almanac/internal/media"
)

// Media is what the API needs to store files and link to them.
type Media struct {
	Library *media.Library
	Links   *auth.MediaLinks
	// MaxBytes is the maximum size of a file.
	MaxBytes int64
}

// linkLife is how long a link to a medium is valid.
const linkLife = time.Hour

// LinkExpiry returns the expiry of a link created now.
func LinkExpiry() time.Time { return time.Now().Add(linkLife).Truncate(time.Second) }

// Address returns a signed URL of a medium's content. It names the caller.
func (m Media) Address(c *Call, scope domain.ProjectScope, link auth.MediaLink) string {
	link.By = byActor(c.Actor())
	return c.BaseURL() + "/api/public/media/" + url.PathEscape(link.MediaID) + "/content?" + m.Links.Query(scope, link).Encode()
}

// ExportLink returns the media id for which a link to an export file is signed. No medium has such an id.
func ExportLink(id string) string { return "export/" + id }

// ExportAddress returns a signed URL of an export file. It names the caller and is valid until the file is removed.
func (m Media) ExportAddress(c *Call, scope domain.ProjectScope, e *domain.Export) string {
	query := m.Links.Query(scope, auth.MediaLink{
		Method: http.MethodGet, MediaID: ExportLink(e.ID), Expires: e.ExpiresAt.Truncate(time.Second), By: byActor(c.Actor()),
	})
	return c.BaseURL() + "/api/public/exports/" + url.PathEscape(e.ID) + "/content?" + query.Encode()
}

func byActor(actor domain.Actor) string { return actor.Kind + ":" + actor.ID }
