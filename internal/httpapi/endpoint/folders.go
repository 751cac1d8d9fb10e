package endpoint

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Folder is a folder of things whose names have slashes.
type Folder struct {
	Name   string
	Things int       // in it and below it
	Latest time.Time // the newest time of one of them
}

// CompareNames orders names without regard to case, and those that differ only by it by their bytes.
func CompareNames(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

// IntoFolders separates the things directly in a folder from the folders in it, by name.
func IntoFolders[T any](things []T, folder string, describe func(*T) (name string, at time.Time)) (direct []T, folders []Folder) {
	prefix := ""
	if folder != "" {
		prefix = folder + "/"
	}
	places := make(map[string]int)
	for n := range things {
		name, at := describe(&things[n])
		first, _, deeper := strings.Cut(strings.TrimPrefix(name, prefix), "/")
		if !deeper {
			direct = append(direct, things[n])
			continue
		}
		place, known := places[first]
		if !known {
			place = len(folders)
			places[first], folders = place, append(folders, Folder{Name: prefix + first})
		}
		folders[place].Things++
		if folders[place].Latest.Before(at) {
			folders[place].Latest = at
		}
	}
	slices.SortFunc(folders, func(a, b Folder) int { return CompareNames(a.Name, b.Name) })
	return direct, folders
}
