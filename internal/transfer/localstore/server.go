package localstore

import (
	"encoding/gob"
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/buildinfo"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Options are the parts of the server that commands may use.
type Options struct {
	Store store.Store
	// Notify tells the server's caches of a change that a command has made to the catalog.
	Notify func(tables.Change)
	// Memory is what requests take their memory from. They wait for it, as background work does.
	Memory *memory.Budget
}

// Handler returns the handler of requests on the socket.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	route(mux, o.Memory, observations, o.Store.Observations())
	route(mux, o.Memory, scores, o.Store.Scores())
	mux.HandleFunc("POST /ping", func(w http.ResponseWriter, _ *http.Request) { answer(w, nil, 0) })
	mux.HandleFunc("POST /changes", func(w http.ResponseWriter, r *http.Request) {
		var change tables.Change
		if decode(w, r, &change) {
			o.Notify(change)
			answer(w, nil, 0)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if theirs := r.Header.Get(versionHeader); theirs != buildinfo.Version() {
			answer(w, fmt.Errorf("the server has version %s, and this program %s: use the program of the server", buildinfo.Version(),
				theirs), 0)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// route adds the operations of a table. Each takes memory for its request and for what it reads.
func route[R any](mux *http.ServeMux, budget *memory.Budget, name string, table store.Table[R]) {
	handle := func(operation string, do func(w http.ResponseWriter, r *http.Request, scope domain.ProjectScope)) {
		mux.HandleFunc("POST /"+name+"/"+operation, func(w http.ResponseWriter, r *http.Request) {
			project := r.Header.Get(projectHeader)
			ctx, release := budget.Work(r.Context(), project)
			defer release()
			switch {
			case project == "" || r.ContentLength < 0 || r.ContentLength > maxRequest:
				answer(w, fmt.Errorf("%w: a request without a project or with %d bytes", store.ErrInvalid, r.ContentLength), 0)
				return
			case memory.Of(ctx) != nil:
				if err := memory.Of(ctx).Grow(ctx, 2*r.ContentLength); err != nil { // as received, and as rows
					answer(w, err, 0)
					return
				}
			}
			do(w, r.WithContext(ctx), domain.OfProject(project)) //nolint:forbidigo // whoever opens the socket may write to all projects
		})
	}
	handle("append", func(w http.ResponseWriter, r *http.Request, scope domain.ProjectScope) {
		var rows []R
		if decode(w, r, &rows) {
			answer(w, table.Append(r.Context(), scope, rows), len(rows))
		}
	})
	handle("delete", func(w http.ResponseWriter, r *http.Request, scope domain.ProjectScope) {
		var selection store.Selection
		if decode(w, r, &selection) {
			deleted, err := table.Delete(r.Context(), scope, selection)
			answer(w, err, deleted)
		}
	})
	handle("lookup", func(w http.ResponseWriter, r *http.Request, scope domain.ProjectScope) {
		var l store.Lookup
		if !decode(w, r, &l) {
			return
		}
		encoder := gob.NewEncoder(w)
		for row, err := range table.Lookup(r.Context(), scope, l) {
			next := found[R]{Row: row}
			if err != nil {
				next = found[R]{Error: failureOf(err)}
			}
			if encoder.Encode(next) != nil || err != nil { // the client is gone, or knows
				return
			}
		}
		_ = encoder.Encode(found[R]{}) // the client notices if it is missing
	})
}

// decode reads the body of a request and reports whether it could.
func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	err := gob.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(into)
	if err != nil {
		answer(w, errors.Join(store.ErrInvalid, err), 0)
	}
	return err == nil
}

// answer sends the number of rows that were changed, or the error if there is one.
func answer(w http.ResponseWriter, err error, changed int) {
	if err != nil {
		w.WriteHeader(statusFailed)
		_ = gob.NewEncoder(w).Encode(failureOf(err)) // the client notices if it is missing
		return
	}
	_ = gob.NewEncoder(w).Encode(changed) // likewise
}
