package media

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"almanac/internal/domain"
)

type closable struct{ *bytes.Reader }

func (closable) Close() error { return nil }

// TestContent reads content damaged at any position: its last bytes are never returned.
func TestContent(t *testing.T) {
	whole := bytes.Repeat([]byte("some bytes, "), 5000)
	sum := sha256.Sum256(whole)
	m := &domain.Medium{ID: "m", BlobKey: "key", SHA256: base64.StdEncoding.EncodeToString(sum[:]), ContentLength: int64(len(whole))}
	open := func(content []byte) *Content { return newContent(closable{bytes.NewReader(content)}, m) }

	c := open(whole)
	for range 2 {
		if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, whole) || c.Damage() != nil {
			t.Errorf("whole: %d bytes, %v, %v", len(got), err, c.Damage())
		}
		if _, err := c.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
	}
	for _, place := range []int{0, 1, 32 << 10, len(whole) - 1} {
		damaged := bytes.Clone(whole)
		damaged[place] ^= 1
		c := open(damaged)
		for _, step := range []func() (int64, error){
			func() (int64, error) { return c.Seek(0, io.SeekEnd) }, // as http.ServeContent finds the size
			func() (int64, error) { return c.Seek(0, io.SeekStart) },
		} {
			if _, err := step(); err != nil {
				t.Fatal(err)
			}
		}
		got, err := io.ReadAll(c)
		if err == nil || !strings.Contains(err.Error(), "blob key, is damaged") || len(got) >= len(whole) || c.Damage() == nil {
			t.Errorf("damaged at %d: %d bytes, %v", place, len(got), err)
		}
	}
	// A part is returned as it is.
	c = open(append(bytes.Clone(whole[:len(whole)-1]), 'x'))
	if _, err := c.Seek(10, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(c); err != nil || len(got) != len(whole)-10 || c.Damage() != nil {
		t.Errorf("a part: %d bytes, %v", len(got), err)
	}
}
