package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// writeTar writes a compressed archive with all files in one directory. It does not reveal who made it, or when.
func writeTar(w io.Writer, directory string, files []file, date time.Time) error {
	packed := gzip.NewWriter(w)
	t := tar.NewWriter(packed)
	for _, f := range files {
		header := &tar.Header{
			Name: directory + "/" + f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: date, Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(f.content); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), packed.Close())
}

// writeZip does the same as writeTar for Windows.
func writeZip(w io.Writer, directory string, files []file, date time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: directory + "/" + f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		part, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.content); err != nil {
			return err
		}
	}
	return z.Close()
}
