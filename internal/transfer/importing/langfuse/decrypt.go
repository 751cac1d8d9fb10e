package langfuse

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
)

// decrypter decrypts secrets of an installation: AES-256-GCM, with nonce, ciphertext and tag in hexadecimal, separated
// by colons.
type decrypter struct{ block cipher.Block }

var (
	errNoEncryptionKey = errors.New("its secret is encrypted: set --source-encryption-key to the ENCRYPTION_KEY of the source")
	errEncryptionKey   = errors.New("the ENCRYPTION_KEY of the source must have 64 hexadecimal digits")
	errEncrypted       = errors.New("its secret cannot be decrypted: the ENCRYPTION_KEY of the source does not match, or the secret is " +
		"damaged")
)

// newDecrypter parses a key. Without a key, no secret can be decrypted.
func newDecrypter(key string) (*decrypter, error) {
	if key == "" {
		return new(decrypter), nil
	}
	raw, err := hex.DecodeString(key)
	if err != nil || len(raw) != 32 {
		return nil, errEncryptionKey
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return nil, errEncryptionKey
	}
	return &decrypter{block}, nil
}

// open decrypts a secret. The error reveals nothing about it.
func (d *decrypter) open(text string) (string, error) {
	if d.block == nil {
		return "", errNoEncryptionKey
	}
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return "", errEncrypted
	}
	var raw [3][]byte
	for n, part := range parts {
		var err error
		if raw[n], err = hex.DecodeString(part); err != nil {
			return "", errEncrypted
		}
	}
	nonce, sealed := raw[0], slices.Concat(raw[1], raw[2])
	if len(nonce) == 0 || len(nonce) > 64 {
		return "", errEncrypted
	}
	aead, err := cipher.NewGCMWithNonceSize(d.block, len(nonce))
	if err != nil {
		return "", errEncrypted
	}
	plain, err := aead.Open(nil, nonce, sealed, nil)
	if err != nil {
		return "", errEncrypted
	}
	return string(plain), nil
}
