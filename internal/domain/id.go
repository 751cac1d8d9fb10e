package domain

import (
	"crypto/rand"
	"strings"
)

// NewID returns a random identifier of 26 lower-case letters and digits (130 bits). Ids are opaque to clients.
func NewID() string { return strings.ToLower(rand.Text()) }
