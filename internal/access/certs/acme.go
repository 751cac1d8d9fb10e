package certs

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"almanac/internal/disk"
	"almanac/internal/netguard"
)

// ACME says which domains to obtain certificates for, and from which authority. The authority verifies control of a
// domain by connecting to its port 443 (the tls-alpn-01 challenge). Certificates are renewed before they expire.
type ACME struct {
	Domains []string
	// Email is the contact address given to the authority. It may be empty.
	Email string
	// Directory is the URL of the authority's directory. Empty means Let's Encrypt.
	Directory string
	// Cache is the directory that holds keys and certificates.
	Cache string
}

func (a ACME) manager() *autocert.Manager {
	return &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(a.Domains...),
		Cache: syncedCache{DirCache: autocert.DirCache(a.Cache)},
		Email: a.Email, Client: &acme.Client{
			DirectoryURL: a.Directory, HTTPClient: netguard.TrustedClient(netguard.TrustedTransport(), 0).HTTP(),
		},
	}
}

// syncedCache is a directory in which a power loss never leaves a partial file. An empty file under the name of the
// account key would be refused from then on, and no certificate renewed. A missing file is requested again.
type syncedCache struct {
	autocert.DirCache
	disk disk.Disk
}

// Put writes a file under a temporary name first.
func (c syncedCache) Put(ctx context.Context, name string, data []byte) error {
	directory := string(c.DirCache)
	if err := c.disk.Mkdir(directory); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	file, err := c.disk.CreateTemp(directory, ".new-")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(disk.CertificateData), file.Close(), ctx.Err())
	if err == nil {
		err = c.disk.Rename(file.Name(), filepath.Join(directory, filepath.Clean("/"+name)))
	}
	if err != nil {
		return errors.Join(err, c.disk.Remove(file.Name()))
	}
	return nil
}
