package certs

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"almanac/internal/disk"
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
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(a.Domains...), Cache: syncedCache{DirCache: autocert.DirCache(a.Cache)},
		Email: a.Email, Client: &acme.Client{DirectoryURL: a.Directory},
	}
}

// syncedCache is a directory in which no loss of power leaves half a file: one without content under the name of the
// account's key would be refused from then on, and no certificate renewed. A file that is lost as a whole is asked for again.
type syncedCache struct {
	autocert.DirCache
	disk disk.Disk
}

// Put writes a file under another name first.
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
