package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// reading holds everything that a server returns, contents by key.
type reading map[key][]string

// get requests JSON.
func (w *world) get(path string, into any) error {
	code, text, _, err := w.do(http.MethodGet, w.server.URL+path, "", nil)
	if err != nil {
		return err
	}
	if code != http.StatusOK {
		return &statusError{path, code, text}
	}
	return json.Unmarshal([]byte(text), into)
}

// statusError is an unsuccessful response.
type statusError struct {
	path string
	code int
	text string
}

func (e *statusError) Error() string { return fmt.Sprintf("GET %s: %d %.300s", e.path, e.code, e.text) }

// readers returns functions that read all records of a kind.
func readers() map[string]func(w *world, found reading) error {
	return map[string]func(w *world, found reading) error{
		observation: func(w *world, found reading) error {
			var before string
			return readPages(w, "/api/public/v2/observations?fields=core,basic,io&limit=500", byCursor,
				func(row struct{ ID, Name, Input, StartTime string }) error {
					w.newestFirst(observation, &before, row.StartTime)
					if row.ID != row.Name {
						row.Input = "the name " + row.Name
					}
					found.add(observation, row.ID, row.Input)
					return nil
				})
		},
		score: func(w *world, found reading) error {
			var before string
			return readPages(w, "/api/public/v3/scores?fields=details&limit=100", byCursor,
				func(row struct{ ID, Comment, Timestamp string }) error {
					w.newestFirst(score, &before, row.Timestamp)
					found.add(score, row.ID, row.Comment)
					return nil
				})
		},
		item: func(w *world, found reading) error {
			return readPages(w, "/api/public/dataset-items?datasetName="+dataset+"&limit=100", byPage,
				func(row struct{ ID, Input string }) error {
					found.add(item, row.ID, row.Input)
					return nil
				})
		},
		prompt: readPrompts,
		medium: readMedia,
	}
}

// newestFirst reports a violation if a row of a list is newer than the previous one. Times in responses are strings
// that sort chronologically.
func (w *world) newestFirst(kind string, before *string, at string) {
	if at == "" || *before != "" && at > *before {
		w.violation("a list shows the %s of %q after that of %q", kind, at, *before)
	}
	*before = at
}

func (f reading) add(kind, id, content string) {
	k := key{kind, id}
	f[k] = append(f[k], content)
}

// page is the metadata of a page of a list.
type page struct {
	Cursor     string
	TotalPages int
}

func byCursor(_ int, meta page) (string, bool) {
	return "&cursor=" + url.QueryEscape(meta.Cursor), meta.Cursor != ""
}

func byPage(number int, meta page) (string, bool) {
	return fmt.Sprintf("&page=%d", number+1), number < meta.TotalPages
}

// readPages reads all pages of a list.
func readPages[R any](w *world, path string, next func(int, page) (string, bool), each func(R) error) error {
	more, ok := "", true
	for number := 1; ok; number++ {
		var answer struct {
			Data []R
			Meta page
		}
		if err := w.get(path+more, &answer); err != nil {
			return err
		}
		for _, row := range answer.Data {
			if err := each(row); err != nil {
				return err
			}
		}
		more, ok = next(number, answer.Meta)
	}
	return nil
}

func readPrompts(w *world, found reading) error {
	type row struct {
		Name     string
		Versions []int
	}
	return readPages(w, "/api/public/v2/prompts?limit=100", byPage, func(r row) error {
		for _, version := range r.Versions {
			var answer struct{ Prompt string }
			if err := w.get(fmt.Sprintf("/api/public/v2/prompts/%s?version=%d", r.Name, version), &answer); err != nil {
				return err
			}
			found.add(prompt, r.Name, answer.Prompt)
		}
		return nil
	})
}

// readMedia requests each medium that was announced: there is no list of them.
func readMedia(w *world, found reading) error {
	for _, name := range w.ledger.sent(medium) {
		w.mu.Lock()
		id := w.media[name]
		w.mu.Unlock()
		var answer struct{ URL string }
		err := w.get("/api/public/media/"+id, &answer)
		if missing := new(statusError); errors.As(err, &missing) && missing.code == http.StatusNotFound {
			continue
		}
		if err != nil {
			return err
		}
		code, text, _, err := w.do(http.MethodGet, answer.URL, "", nil)
		if err != nil {
			return err
		}
		if code != http.StatusOK {
			return &statusError{"the content of " + id, code, text}
		}
		found.add(medium, name, text)
	}
	return nil
}

// readAll reads every record of every kind.
func (w *world) readAll() (reading, error) {
	found := make(reading)
	for kind, read := range readers() {
		if err := read(w, found); err != nil {
			return nil, fmt.Errorf("cannot read every %s: %w", kind, err)
		}
	}
	return found, nil
}

// check compares everything that the server returns with the ledger.
func (w *world) check(restarted bool) (t tally) {
	found, err := w.readAll()
	if err != nil {
		w.violation("%v", err)
		return t
	}
	return w.ledger.compare(found, restarted)
}
