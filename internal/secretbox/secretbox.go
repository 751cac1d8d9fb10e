// Package secretbox keeps secrets that must be used later, such as keys for the APIs of others: they are stored encrypted
// (AES-256-GCM), under a key that is not in the database.
package secretbox

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/disk"
)

// keySize is the length of a key in bytes.
const keySize = 32

// version is how sealed secrets begin, so that another way to seal them can be told apart.
const version = "v1."

// ErrSealed means that a sealed secret cannot be opened.
var ErrSealed = errors.New("a stored secret cannot be decrypted: the encryption key is another one than it was stored with, or the secret is damaged")

// Key is a secret key. It prints as dots.
type Key struct{ bytes [keySize]byte }

// String hides the key from fmt and logs.
func (Key) String() string { return "•••" }

// GoString hides the key from %#v.
func (Key) GoString() string { return "•••" }

// ParseKey reads a key of 64 hexadecimal digits. The error does not repeat it.
func ParseKey(text string) (Key, error) {
	var k Key
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != keySize {
		return k, fmt.Errorf("an encryption key has %d hexadecimal digits, such as openssl rand -hex %d prints", 2*keySize, keySize)
	}
	copy(k.bytes[:], raw)
	return k, nil
}

// KeyFile returns the key that a file holds. If there is no file, it makes one with a random key that only its owner can read.
func KeyFile(path string) (k Key, created bool, err error) { return keyFile(disk.Disk{}, path) }

func keyFile(d disk.Disk, path string) (k Key, created bool, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator names it
	if err == nil {
		if k, err = ParseKey(strings.TrimSpace(string(text))); err != nil {
			return k, false, fmt.Errorf("cannot read the encryption key in %s: %w", path, err)
		}
		return k, false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return k, false, fmt.Errorf("cannot read the encryption key: %w", err)
	}
	_, _ = rand.Read(k.bytes[:]) // never fails
	if err := writeKey(d, path, k); err != nil {
		return k, false, fmt.Errorf("cannot keep a new encryption key: %w", err)
	}
	return k, true, nil
}

// writeKey writes the file under another name first, so that a crash never leaves half a key.
func writeKey(d disk.Disk, path string, k Key) error {
	file, err := d.CreateTemp(filepath.Dir(path), filepath.Base(path)+".") // made with mode 0600
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, hex.EncodeToString(k.bytes[:])+"\n")
	if err := errors.Join(err, file.Sync(disk.KeyData), file.Close()); err != nil {
		return errors.Join(err, d.Remove(file.Name()))
	}
	if err := d.Rename(file.Name(), path); err != nil {
		return errors.Join(err, d.Remove(file.Name()))
	}
	return d.SyncDirectory(disk.KeyName, filepath.Dir(path))
}

// Box seals secrets and opens them again. It is safe for concurrent use.
type Box struct{ aead cipher.AEAD }

// New returns a box with this key.
func New(k Key) *Box {
	block, err := aes.NewCipher(k.bytes[:])
	if err != nil {
		panic("BUG: a key of the right size is refused: " + err.Error())
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("BUG: AES has no GCM: " + err.Error())
	}
	return &Box{aead}
}

// Seal encrypts a secret. Its place is a text that names where it belongs: sealed secrets cannot be opened elsewhere, so that
// nobody who can write to the database gains by copying one from row to row.
func (b *Box) Seal(secret, place string) string {
	sealed := b.aead.Seal(nil, nil, []byte(secret), []byte(place)) //nolint:gosec // the cipher makes a random nonce itself
	return version + base64.RawStdEncoding.EncodeToString(sealed)
}

// Open decrypts what Seal returned for the same place.
func (b *Box) Open(sealed, place string) (string, error) {
	encoded, ok := strings.CutPrefix(sealed, version)
	if !ok {
		return "", ErrSealed
	}
	raw, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		return "", ErrSealed
	}
	secret, err := b.aead.Open(nil, nil, raw, []byte(place))
	if err != nil {
		return "", ErrSealed
	}
	return string(secret), nil
}
