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

// APIKey is a key pair without its secret. An empty ProjectID makes it an organization key.
type APIKey struct {
	ID             string
	OrganizationID string
	ProjectID      string
	PublicKey      string
	DisplaySecret  string // enough of the secret to recognise it
	Note           *string
	Permissions    PermissionSet // of a project key; organization keys do not use them
	CreatedAt      time.Time
	ExpiresAt      *time.Time
	LastUsedAt     *time.Time
}

// Consumer is whoever a request is made for: the key that was presented and what it belongs to. What is not known is empty.
type Consumer struct{ KeyID, ProjectID, OrganizationID string }

// Party returns who shares turns and memory with others: the project, or the organization if it is a key of one.
func (c Consumer) Party() string { return cmp.Or(c.ProjectID, c.OrganizationID) }

// Consumer returns the key as a consumer.
func (k APIKey) Consumer() Consumer { return Consumer{k.ID, k.ProjectID, k.OrganizationID} }

// Expired reports whether the key is past its expiry at that time.
func (k APIKey) Expired(now time.Time) bool { return k.ExpiresAt != nil && !now.Before(*k.ExpiresAt) }

// ImportedKeyPrefix is how the hash of a key begins that was imported and has not been used since: another program made it, and it
// is sealed.
const ImportedKeyPrefix = "imported$"

// StoredKey is an API key together with the hash that its secret is checked against.
type StoredKey struct {
	APIKey
	SecretHash string
}

// KeyPair is a public key and its secret in clear. It exists only between its creation and the answer that shows it.
type KeyPair struct {
	PublicKey string
	SecretKey string
}

// NewKeyPair returns a random key pair.
func NewKeyPair() KeyPair {
	return KeyPair{PublicKey: PublicKeyPrefix + uuid.NewString(), SecretKey: SecretKeyPrefix + uuid.NewString()}
}

// DisplaySecret returns the part of the secret that may be shown later: its first 6 and last 4 characters.
// A secret too short to hide anything behind them shows nothing but dots.
func (p KeyPair) DisplaySecret() string {
	if len(p.SecretKey) < 16 {
		return "..."
	}
	return p.SecretKey[:6] + "..." + p.SecretKey[len(p.SecretKey)-4:]
}
