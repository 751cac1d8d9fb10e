package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
)

const saltSize = 16

// HashSecret returns the stored form of an API secret: a random salt and the HMAC-SHA-256 of the secret under it.
// The hash is fast on purpose: it is computed for every request, and secrets are random, not chosen by people.
func HashSecret(secret string) string {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	return "hmac-sha256$" + encode(salt) + "$" + encode(hashSecret(salt, secret))
}

func hashSecret(salt []byte, secret string) []byte {
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(secret))
	return mac.Sum(nil)
}

// secretHash is a parsed stored form.
type secretHash struct{ salt, sum []byte }

var errSecretHash = errors.New("the stored hash of a secret is damaged")

func parseSecretHash(stored string) (secretHash, error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 3 || parts[0] != "hmac-sha256" {
		return secretHash{}, errSecretHash
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[1])
	sum, sumErr := base64.RawStdEncoding.DecodeString(parts[2])
	if saltErr != nil || sumErr != nil || len(sum) != sha256.Size {
		return secretHash{}, errSecretHash
	}
	return secretHash{salt, sum}, nil
}

// matches compares a secret in constant time.
func (h secretHash) matches(secret string) bool {
	return subtle.ConstantTimeCompare(hashSecret(h.salt, secret), h.sum) == 1
}

// SecretMatches reports whether the secret matches a stored form.
func SecretMatches(stored, secret string) bool {
	h, err := parseSecretHash(stored)
	return err == nil && h.matches(secret)
}

// The cost of a password hash, as recommended by OWASP for Argon2id with the least memory.
const (
	passwordTime    = 2
	passwordMemory  = 19 * 1024 // KiB
	passwordThreads = 1
	passwordSize    = 32
)

// HashPassword returns the stored form of a person's password: Argon2id with its parameters and a random salt.
func HashPassword(password string) string {
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	sum := argon2.IDKey([]byte(password), salt, passwordTime, passwordMemory, passwordThreads, passwordSize)
	return strings.Join([]string{"argon2id", strconv.Itoa(passwordTime), strconv.Itoa(passwordMemory), encode(salt), encode(sum)}, "$")
}

// PasswordMatches reports whether the password matches a stored form. It does the same work for invalid stored forms.
func PasswordMatches(stored, password string) bool {
	parts := strings.Split(stored, "$")
	salt, sum, usable := make([]byte, saltSize), make([]byte, passwordSize), false
	rounds, memory := uint32(passwordTime), uint32(passwordMemory)
	if len(parts) == 5 && parts[0] == "argon2id" {
		storedRounds, roundsErr := strconv.ParseUint(parts[1], 10, 8)
		storedMemory, memoryErr := strconv.ParseUint(parts[2], 10, 18) // up to 256 MB
		storedSalt, saltErr := base64.RawStdEncoding.DecodeString(parts[3])
		storedSum, sumErr := base64.RawStdEncoding.DecodeString(parts[4])
		if roundsErr == nil && memoryErr == nil && saltErr == nil && sumErr == nil && storedRounds > 0 && len(storedSum) == passwordSize {
			salt, sum, rounds, memory, usable = storedSalt, storedSum, uint32(storedRounds), uint32(storedMemory), true
		}
	}
	made := argon2.IDKey([]byte(password), salt, rounds, memory, passwordThreads, passwordSize)
	return subtle.ConstantTimeCompare(made, sum) == 1 && usable
}

func encode(b []byte) string { return base64.RawStdEncoding.EncodeToString(b) }
