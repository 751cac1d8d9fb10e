package domain

import (
	"cmp"
	"time"

	"github.com/google/uuid"
)

// The prefixes of generated keys, which SDKs and secret scanners look for.
const (
	PublicKeyPrefix = "pk-lf-"
	SecretKeyPrefix = "sk-lf-"
)

// The maximum length of each half of a key, in characters and in bytes.
const (
	MaxKeyLength = 200
	MaxKeyBytes  = 4 * MaxKeyLength
)

// APIKey is a key pair without its secret. An empty ProjectID makes it an organization key.
type APIKey struct {
	ID             string
	OrganizationID string
	ProjectID      string
	PublicKey      string
	DisplaySecret  string // enough of the secret to recognise it
	Note           *string
	Permissions    PermissionSet // used only by project keys
	CreatedAt      time.Time
	ExpiresAt      *time.Time
	LastUsedAt     *time.Time
}

// Consumer is the key that a request was made with and what the key belongs to. Unknown members are empty.
type Consumer struct{ KeyID, ProjectID, OrganizationID string }

// FairnessKey returns the unit among which turns and memory are shared: the project, or the organization for an
// organization key.
func (c Consumer) FairnessKey() string { return cmp.Or(c.ProjectID, c.OrganizationID) }

// Consumer returns the key as a consumer.
func (k APIKey) Consumer() Consumer { return Consumer{k.ID, k.ProjectID, k.OrganizationID} }

// Expired reports whether the key has expired at the given time.
func (k APIKey) Expired(now time.Time) bool { return k.ExpiresAt != nil && !now.Before(*k.ExpiresAt) }

// ImportedKeyPrefix is the prefix of the hash of a key that was imported and not used since. Such a hash was made by
// another program and is sealed.
const ImportedKeyPrefix = "imported$"

// StoredKey is an API key together with the hash that its secret is checked against.
type StoredKey struct {
	APIKey
	SecretHash string
}

// KeyPair is a public key and its plaintext secret. It exists only between its creation and the response that shows it.
type KeyPair struct {
	PublicKey string
	SecretKey string
}

// NewKeyPair returns a random key pair.
func NewKeyPair() KeyPair {
	return KeyPair{PublicKey: PublicKeyPrefix + uuid.NewString(), SecretKey: SecretKeyPrefix + uuid.NewString()}
}

// DisplaySecret returns the part of the secret that may be shown later: its first 6 and last 4 characters. A short
// secret, which that would reveal, is shown only as dots.
func (p KeyPair) DisplaySecret() string {
	if len(p.SecretKey) < 16 {
		return "..."
	}
	return p.SecretKey[:6] + "..." + p.SecretKey[len(p.SecretKey)-4:]
}
