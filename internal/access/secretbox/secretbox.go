// Package secretbox encrypts secrets that are stored for later use, such as keys for external APIs, with AES-256-GCM
// under a key that is not in the database.
package secretbox

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
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

// version is the prefix of sealed secrets, which distinguishes them from those of future formats.
const version = "v1."

// ErrSealed means that a sealed secret cannot be opened.
var ErrSealed = errors.New("a stored secret cannot be decrypted: the encryption key is another one than it was stored with, or the " +
	"secret is damaged")

// Key is a secret key. It prints as dots.
type Key struct{ bytes [keySize]byte }

// String hides the key from fmt and logs.
func (Key) String() string { return "•••" }

// GoString hides the key from %#v.
func (Key) GoString() string { return "•••" }

// ParseKey parses a key of 64 hexadecimal digits. The error does not contain the key.
func ParseKey(text string) (Key, error) {
	var k Key
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != keySize {
		return k, fmt.Errorf("an encryption key must have %d hexadecimal digits, as printed by openssl rand -hex %d", 2*keySize, keySize)
	}
	copy(k.bytes[:], raw)
	return k, nil
}

// KeyFile reads the key from a file. If the file does not exist, it creates one with a random key that only its owner
// can read.
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
		return k, false, fmt.Errorf("cannot store a new encryption key: %w", err)
	}
	return k, true, nil
}

// writeKey writes the key to a temporary file first, so that a crash never leaves half a key.
func writeKey(d disk.Disk, path string, k Key) error {
	file, err := d.CreateTemp(filepath.Dir(path), filepath.Base(path)+".") // created with mode 0600
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
type Box struct {
	aead cipher.AEAD
	key  Key
}

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
	return &Box{aead, k}
}

// Derive returns a secret of 32 bytes for a purpose, the same for the same key. Neither the key nor the secrets for other
// purposes can be found from it.
func (b *Box) Derive(purpose string) string {
	secret, err := hkdf.Key(sha256.New, b.key.bytes[:], nil, purpose, keySize)
	if err != nil {
		panic("BUG: no secret can be derived: " + err.Error())
	}
	return string(secret)
}

// Seal encrypts a secret. The place says where it belongs: a sealed secret cannot be opened for another place, so that
// an attacker with write access to the database gains nothing by copying it from row to row.
func (b *Box) Seal(secret, place string) string {
	sealed := b.aead.Seal(nil, nil, []byte(secret), []byte(place)) //nolint:gosec // the cipher makes a random nonce itself
	return version + base64.RawStdEncoding.EncodeToString(sealed)
}

// Open decrypts a secret that was sealed for the same place.
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
