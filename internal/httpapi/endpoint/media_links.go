package endpoint

import (
	"net/http"
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

// ExportLink is what a link to the file of an export is signed for. No medium has such an id.
func ExportLink(id string) string { return "export/" + id }

// ExportAddress returns the signed address of the file of an export, for whoever asks for it, until the file is removed.
func (m Media) ExportAddress(c *Call, scope domain.ProjectScope, e *domain.Export) string {
	actor := c.Actor()
	query := m.Links.Query(scope, auth.MediaLink{
		Method: http.MethodGet, MediaID: ExportLink(e.ID), Expires: e.ExpiresAt.Truncate(time.Second), By: actor.Kind + ":" + actor.ID,
	})
	return c.BaseURL() + "/api/public/exports/" + url.PathEscape(e.ID) + "/content?" + query.Encode()
}
