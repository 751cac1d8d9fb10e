// Package localstore lets commands write events to the server that runs on a data directory: only one process can have
// the embedded store open. The server listens on a socket in the directory, so that whoever may write to its files may
// also write to its store, and nobody else.
package localstore

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// socketIn returns the path of the socket. Its own directory, which others cannot enter, protects it from the moment
// when it is created.
func socketIn(dataDir string) string { return filepath.Join(dataDir, "socket", "events") }

// Listen creates the socket of a data directory, which the caller must have locked.
func Listen(ctx context.Context, dataDir string) (net.Listener, error) {
	path := socketIn(dataDir)
	directory := filepath.Dir(path)
	if err := os.Mkdir(directory, 0o700); err != nil && !os.IsExist(err) { //nolint:forbidigo // it need not survive anything
		return nil, err
	}
	info, err := os.Lstat(directory)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		return nil, fmt.Errorf("%s must be a directory that only the server's user can enter: remove it", directory)
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) { //nolint:forbidigo // left by a server that was killed
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// Exists reports whether the server of a data directory has a socket.
func Exists(dataDir string) bool {
	info, err := os.Stat(socketIn(dataDir))
	return err == nil && info.Mode().Type()&fs.ModeSocket != 0
}
