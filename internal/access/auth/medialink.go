package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/url"
	"strconv"
	"time"

	"almanac/internal/domain"
)

// MediaLink is a temporary permission to upload or download the bytes of one medium without any other credential. It is
// encoded in the URL of the medium.
type MediaLink struct {
	Method  string // PUT or GET
	MediaID string
	Expires time.Time // in whole seconds
	// What must be uploaded; empty in a download link.
	ContentType   string
	ContentLength int64
	SHA256        string
	// By says whom the link was made for: it ends when they lose the right to it, and downloads of exports are recorded
	// with it.
	By string
}

// MediaLinks signs and checks links.
type MediaLinks struct{ key []byte }

// NewMediaLinks returns a signer whose key is derived from a secret of the instance.
func NewMediaLinks(secret string) *MediaLinks {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte("media links, version 1"))
	return &MediaLinks{h.Sum(nil)}
}

// Query returns the link as query parameters.
func (l *MediaLinks) Query(scope domain.ProjectScope, link MediaLink) url.Values {
	query := url.Values{
		"project": {scope.ProjectID()}, "expires": {strconv.FormatInt(link.Expires.Unix(), 10)},
		"signature": {base64.RawURLEncoding.EncodeToString(l.sign(scope.ProjectID(), link))},
	}
	if link.ContentType != "" {
		query.Set("type", link.ContentType)
		query.Set("length", strconv.FormatInt(link.ContentLength, 10))
		query.Set("sha256", link.SHA256)
	}
	if link.By != "" {
		query.Set("by", link.By)
	}
	return query
}

// sign returns the signature. Each value is preceded by its length, so that no two different links have the same signed
// text.
func (l *MediaLinks) sign(project string, link MediaLink) []byte {
	h := hmac.New(sha256.New, l.key)
	parts := []string{
		link.Method, project, link.MediaID, strconv.FormatInt(link.Expires.Unix(), 10),
		link.ContentType, strconv.FormatInt(link.ContentLength, 10), link.SHA256,
	}
	if link.By != "" {
		parts = append(parts, link.By)
	}
	for _, part := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// Errors for links that are not accepted.
var (
	ErrLinkChanged = errors.New("the address is not one that this server signed")
	ErrLinkExpired = errors.New("the address has expired")
)

// Check returns what a URL permits. It must be signed for this method and medium, and not be expired.
func (l *MediaLinks) Check(method, mediaID string, query url.Values, now time.Time) (domain.ProjectScope, MediaLink, error) {
	for _, values := range query {
		if len(values) != 1 {
			return domain.ProjectScope{}, MediaLink{}, ErrLinkChanged
		}
	}
	link := MediaLink{Method: method, MediaID: mediaID, ContentType: query.Get("type"), SHA256: query.Get("sha256"), By: query.Get("by")}
	expires, expiresErr := strconv.ParseInt(query.Get("expires"), 10, 64)
	signature, signatureErr := base64.RawURLEncoding.DecodeString(query.Get("signature"))
	var lengthErr error
	if link.ContentType != "" {
		link.ContentLength, lengthErr = strconv.ParseInt(query.Get("length"), 10, 64)
	}
	link.Expires = time.Unix(expires, 0)
	project := query.Get("project")
	switch {
	case expiresErr != nil, signatureErr != nil, lengthErr != nil, project == "", !hmac.Equal(signature, l.sign(project, link)):
		return domain.ProjectScope{}, MediaLink{}, ErrLinkChanged
	case !now.Before(link.Expires):
		return domain.ProjectScope{}, MediaLink{}, ErrLinkExpired
	}
	return domain.OfProject(project), link, nil
}
