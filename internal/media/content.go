package media

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"
	"io"

	"almanac/internal/domain"
)

// Content is the content of a medium. Reading it from start to end fails before the last bytes if they do not have the
// announced hash, so that no damaged file passes for an intact one. Partial reads cannot be verified.
type Content struct {
	io.ReadSeekCloser
	medium *domain.Medium
	at     int64
	hash   hash.Hash // of all bytes up to at; nil if some were skipped
	err    error
}

func newContent(r io.ReadSeekCloser, m *domain.Medium) *Content {
	return &Content{ReadSeekCloser: r, medium: m, hash: sha256.New()}
}

// Read implements io.Reader.
func (c *Content) Read(into []byte) (int, error) {
	n, err := c.ReadSeekCloser.Read(into)
	c.at += int64(n)
	if c.hash == nil || n == 0 {
		return n, err
	}
	c.hash.Write(into[:n])
	if c.at == c.medium.ContentLength && base64.StdEncoding.EncodeToString(c.hash.Sum(nil)) != c.medium.SHA256 {
		c.err = fmt.Errorf("medium %s, blob %s, is damaged: its SHA-256 hash does not match", c.medium.ID, c.medium.BlobKey)
		return 0, c.err
	}
	return n, err
}

// Seek implements io.Seeker.
func (c *Content) Seek(offset int64, whence int) (int64, error) {
	at, err := c.ReadSeekCloser.Seek(offset, whence)
	if c.at = at; at == 0 {
		c.hash = sha256.New()
	} else {
		c.hash = nil
	}
	return at, err
}

// Damage returns an error if the bytes read did not have the announced hash.
func (c *Content) Damage() error { return c.err }
