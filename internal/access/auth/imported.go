package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/crypto/bcrypt"

	"almanac/internal/domain"
)

// A key imported from Langfuse comes with the hashes that Langfuse made of its secret. It is checked against one of
// them until it is used for the first time; at that point the secret is known, so it is hashed in our format and the
// old hash is discarded.

// The imported hash is sealed, since it is worth more to a reader of the database than ours: all of them share one
// salt, which others may know.

// ImportedHash is what Langfuse stores of a secret.
type ImportedHash struct {
	// Fast is hex(SHA-256(secret + hex(SHA-256(salt)))) with the salt of the installation; empty for keys of its early
	// versions.
	Fast string
	// Bcrypt is used if there is no fast hash or no salt.
	Bcrypt string
	// Shown is the part of the secret that Langfuse displays: its first 6 and last 4 characters with dots between them.
	Shown string
}

// maxBcryptCost is the highest accepted cost of imported hashes. Langfuse uses 11; each step doubles the time of a
// check.
const maxBcryptCost = 14

// ErrNoSalt means that the key can only be checked with the salt.
var ErrNoSalt = errors.New("the key has no hash that can be checked without the salt")

// ErrHash means that a hash does not have a format used by Langfuse.
var ErrHash = errors.New("the hash of the secret has an unknown format")

// sealedHash is the plaintext of a sealed hash: either Sum and Salt, or Bcrypt and Shown.
type sealedHash struct {
	Sum    string `json:"sum,omitempty"`  // hexadecimal
	Salt   string `json:"salt,omitempty"` // hex(SHA-256(salt)): the salt itself is not needed
	Bcrypt string `json:"bcrypt,omitempty"`
	Shown  string `json:"shown,omitempty"`
}

// Stored returns the stored form of the secret of an imported key. If salt is empty, that is the slower hash.
func (h ImportedHash) Stored(publicKey, salt string, seal func(secret, place string) string) (string, error) {
	var kept sealedHash
	switch {
	case h.Fast != "" && salt != "":
		if sum, err := hex.DecodeString(h.Fast); err != nil || len(sum) != sha256.Size {
			return "", ErrHash
		}
		salted := sha256.Sum256([]byte(salt))
		kept = sealedHash{Sum: h.Fast, Salt: hex.EncodeToString(salted[:])}
	case h.Bcrypt == "":
		return "", ErrNoSalt
	default:
		if cost, err := bcrypt.Cost([]byte(h.Bcrypt)); err != nil || cost > maxBcryptCost {
			return "", ErrHash
		}
		kept = sealedHash{Bcrypt: h.Bcrypt, Shown: h.Shown}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", err
	}
	return domain.ImportedKeyPrefix + seal(string(text), importedPlace(publicKey)), nil
}

// IsImported reports whether a stored form is that of an imported key that has not been used yet.
func IsImported(stored string) bool { return strings.HasPrefix(stored, domain.ImportedKeyPrefix) }

func importedPlace(publicKey string) string {
	return fmt.Sprintf("hash of the imported key %q", publicKey)
}

// importedHash is the parsed stored form of an imported key's secret.
type importedHash struct {
	stored string
	sum    []byte
	salt   string
	bcrypt string // empty if there is a sum
	shown  string
}

// openImported decrypts and parses a stored form.
func openImported(stored, publicKey string, open func(sealed, place string) (string, error)) (*importedHash, error) {
	if open == nil {
		return nil, errors.New("the secrets of imported keys cannot be decrypted by this server")
	}
	text, err := open(strings.TrimPrefix(stored, domain.ImportedKeyPrefix), importedPlace(publicKey))
	if err != nil {
		return nil, err
	}
	var kept sealedHash
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, errSecretHash // the original error might quote the sealed text
	}
	h := &importedHash{stored: stored, salt: kept.Salt, bcrypt: kept.Bcrypt, shown: kept.Shown}
	if h.bcrypt == "" {
		if h.sum, err = hex.DecodeString(kept.Sum); err != nil || len(h.sum) != sha256.Size {
			return nil, errSecretHash
		}
	}
	return h, nil
}

// matches compares a secret with the fast hash, in constant time.
func (h *importedHash) matches(secret string) bool {
	made := sha256.Sum256([]byte(secret + h.salt))
	return subtle.ConstantTimeCompare(made[:], h.sum) == 1
}

// looksRight reports whether a secret can be the right one, judging by the part of it that is displayed anyway. It
// keeps attackers who guess from making us compute slow hashes.
func (h *importedHash) looksRight(secret string) bool {
	const first, last, longest = 6, 4, 72 // the limit of bcrypt
	if len(secret) > longest {
		return false
	}
	if !strings.Contains(h.shown, "...") {
		return true
	}
	shown := secret[:min(first, len(secret))] + "..." + secret[max(0, len(secret)-last):]
	return subtle.ConstantTimeCompare([]byte(shown), []byte(h.shown)) == 1
}

const (
	// slowFailures is the maximum number of slow hashes per minute that may turn out not to match. It limits the work
	// caused by an attacker who knows a public key and the displayed part of its secret.
	slowFailures = 20
	slowWindow   = time.Minute
)

// bcryptLimiter serializes slow hashes and limits how many fail. Its fields are guarded by turn.
type bcryptLimiter struct {
	compare func(hash, secret []byte) error // of bcrypt; tests count its calls
	turn    chan struct{}
	since   time.Time
	failed  int
}

// adopt checks a secret against the imported hash of its key. If it matches, that hash is replaced by one of ours. The
// error, if any, is a *Denied.
func (k *Keys) adopt(ctx context.Context, public string, found cachedKey, secret string) (bool, error) {
	if found.imported.bcrypt != "" {
		return k.adoptSlowly(ctx, public, found, secret)
	}
	if !found.imported.matches(secret) {
		return false, nil
	}
	k.rehash(ctx, public, found, secret)
	return true, nil
}

func (k *Keys) adoptSlowly(ctx context.Context, public string, found cachedKey, secret string) (bool, error) {
	if !found.imported.looksRight(secret) {
		return false, nil
	}
	select {
	case k.slow.turn <- struct{}{}:
		defer func() { <-k.slow.turn }()
	case <-ctx.Done():
		return false, Unavailable(context.Cause(ctx))
	}
	// Of several concurrent requests, the first one may have adopted the key by now.
	found, err := k.lookUp(ctx, public)
	switch {
	case err != nil:
		return false, Unavailable(err)
	case !found.found || found.key.Expired(k.now()):
		return false, nil
	case found.imported == nil:
		return k.matches(found.hash, secret), nil
	}
	if now := k.now(); now.Sub(k.slow.since) >= slowWindow {
		k.slow.since, k.slow.failed = now, 0
	}
	if k.slow.failed >= slowFailures {
		denied := &Denied{
			Status: http.StatusTooManyRequests, Message: "Too many wrong credentials. Try again later.",
			RetryAfter: int(slowWindow / time.Second),
		}
		return false, denied.wrong("wrong secret", shownKey(public, true))
	}
	if err := k.slow.compare([]byte(found.imported.bcrypt), []byte(secret)); err != nil {
		k.slow.failed++
		return false, nil
	}
	k.rehash(ctx, public, found, secret)
	return true, nil
}

// rehash replaces the imported hash with one of ours, in the cache and in the store. If it cannot be stored, the key
// works nevertheless, and the next lookup tries again.
func (k *Keys) rehash(ctx context.Context, public string, found cachedKey, secret string) {
	stored := HashSecret(secret)
	ours, err := parseSecretHash(stored)
	if err != nil {
		panic("BUG: a fresh hash does not parse: " + err.Error())
	}
	k.mu.Lock()
	// Others may have read the same key concurrently.
	if entry, ok := k.cached[public]; ok && entry.imported != nil && entry.imported.stored == found.imported.stored {
		entry.hash, entry.imported = ours, nil
		k.cached[public] = entry
		k.epoch++ // concurrent readers may find the old hash and must not cache it
	}
	k.mu.Unlock()
	replaced, err := k.store.ReplaceKeyHash(ctx, found.key.ID, found.imported.stored, stored)
	switch {
	case err != nil:
		k.log.Warn("cannot replace the imported hash of an API key: retrying when the key is used again", "key", public, "error", err)
	case replaced:
		k.log.Info("an imported API key was used for the first time: replaced its imported hash", "key", public)
	}
}
