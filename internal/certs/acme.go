package certs

import (
	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// ACME says which domains to get certificates for, and from whom. The authority checks that a domain leads here by
// connecting to its port 443 (the challenge tls-alpn-01). Certificates are renewed before they expire.
type ACME struct {
	Domains []string
	// Email is where the authority writes to if something is wrong; it may be empty.
	Email string
	// Directory is the address of the authority; Let's Encrypt if it is empty.
	Directory string
	// Cache is the directory that keys and certificates are kept in.
	Cache string
}

func (a ACME) manager() *autocert.Manager {
	return &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(a.Domains...), Cache: autocert.DirCache(a.Cache),
		Email: a.Email, Client: &acme.Client{DirectoryURL: a.Directory},
	}
}
