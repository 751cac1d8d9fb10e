package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/blob"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/admin"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/events"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest"
	"almanac/internal/limits/memory"
	"almanac/internal/limits/usage"
	"almanac/internal/platform"
	"almanac/internal/store"
)

// resource is a path of the route table with its routes by method.
type resource struct {
	path   string
	routes map[string]route
	errors respond.ErrorFormat
	// bodyLast means that bodies are read after the credential has been checked.
	bodyLast bool
}

func (res *resource) route(method string) (route, bool) {
	rt, ok := res.routes[method]
	if !ok {
		rt, ok = res.routes[anyMethod]
	}
	return rt, ok
}

// newMux returns the mux for a route table. It matches paths only; serve checks the method later.
func (a *API) newMux(table []route) *http.ServeMux {
	resources := make(map[string]*resource)
	a.alsoAtRoot = make(map[string]bool)
	mux := http.NewServeMux()
	for _, rt := range table {
		res := resources[rt.path]
		if res == nil {
			res = &resource{path: rt.path, routes: make(map[string]route), errors: rt.rules.errors}
			resources[rt.path] = res
			mux.HandleFunc(muxPattern(rt.path), func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, res) })
		}
		if _, twice := res.routes[rt.method]; twice {
			panic("BUG: two routes for " + rt.method + " " + rt.path)
		}
		res.routes[rt.method] = rt
		res.bodyLast = res.bodyLast || rt.rules.receive != nil
		if rt.rules.alsoAtRoot {
			a.alsoAtRoot[rt.path] = true
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		a.fail(w, r, respond.Stable, respond.NoRoute(r.Method+" "+r.URL.Path))
	})
	return mux
}

func muxPattern(path string) string {
	if path == "/" {
		return "/{$}" // only the root, not everything below it
	}
	return path
}

// beforeSecrets are the parts of paths that a secret follows: invitation tokens, in the page and in the route that it
// calls, and what looks like a secret key, which people sometimes send in place of an id.
var beforeSecrets = []string{domain.SecretKeyPrefix, invitationPath, accounts.InvitationPath("")}

// loggedPath returns the path of a request without a secret and what follows it. Only this form of a path is logged.
func loggedPath(r *http.Request) string {
	for _, before := range beforeSecrets {
		if path, _, found := strings.Cut(r.URL.Path, before); found {
			return path + before + "…"
		}
	}
	return r.URL.Path
}

// ServeHTTP serves one request below the base path.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.serveBelow(w, r, a.Address.Base) }

// serveBelow serves one request below a base path: it assigns a request id, recovers from panics, measures and logs.
// Nothing after it sees the base path; a.links adds it to URLs that point back to this server.
func (a *API) serveBelow(w http.ResponseWriter, r *http.Request, base string) {
	started := time.Now()
	id := requestID(r.Header.Get("X-Request-Id"))
	h := w.Header()
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("X-Robots-Tag", "noindex")

	info := &endpoint.Info{ID: id, Route: "unmatched", Started: started}
	answer := &statusRecorder{ResponseWriter: w}
	ctx, release := a.withLease(endpoint.WithInfo(r.Context(), info))
	r = r.WithContext(ctx)
	a.telemetry.inFlight.Add(1)
	defer func() {
		release()
		a.telemetry.inFlight.Add(-1)
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint // compared by identity, as net/http does
				panic(p)
			}
			a.Log.Error("panic while serving request", "request", id, "method", r.Method, "path", loggedPath(r),
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if answer.status == 0 {
				a.fail(answer, r, respond.Stable, respond.Internal())
			}
		}
		took := time.Since(started)
		a.telemetry.observe(info.Route, r, answer, took)
		level := slog.LevelDebug
		if answer.status >= http.StatusInternalServerError {
			level = slog.LevelWarn
		}
		if a.Log.Enabled(r.Context(), level) {
			a.Log.Log(r.Context(), level, "request", "request", id, "method", r.Method, "path", loggedPath(r), "route", info.Route,
				"status", answer.status, "bytes", answer.bytes, "took", took.Round(time.Microsecond))
		}
	}()

	if inside, ok := endpoint.Below(r.URL, base); ok {
		r.URL = inside
	} else if !a.alsoAtRoot[r.URL.Path] {
		missing := respond.NoRoute(r.Method + " " + r.URL.Path)
		missing.Message += ". Everything is served below " + base + ", the base path of this server."
		a.fail(answer, r, respond.Stable, missing)
		return
	}
	if target, ok := withoutTrailingSlash(r.URL); ok {
		h.Set("Location", a.links.To(target))
		answer.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	if target, ok := endpoint.Cleaned(r.URL); ok {
		h.Set("Location", a.links.To(target))
		answer.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	a.mux.ServeHTTP(answer, r)
}

// addressOf returns the client's address.
func (a *API) addressOf(r *http.Request) netip.Addr {
	return a.Proxies.Address(r.RemoteAddr, r.Header["X-Forwarded-For"])
}

// mayChange reports whether a request may change something that the audit log records. Reads do not, nor do routes with
// their own receiver: their bodies hold spans or files.
func mayChange(method string, rules rules) bool {
	return (method != http.MethodGet || rules.changes) && rules.receive == nil
}

// originOf returns the origin of a request, as the audit log records it with a change.
func (a *API) originOf(r *http.Request) domain.Origin {
	origin := domain.Origin{RequestID: endpoint.InfoOf(r).ID, Client: clientName(r.Header.Get("User-Agent"))}
	if address := a.addressOf(r); address.IsValid() {
		origin.Address = address.String()
	}
	return origin
}

// clientName returns the printable part of a User-Agent header, up to 200 characters.
func clientName(sent string) string {
	const maxCharacters = 200
	count := 0
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || count == maxCharacters {
			return -1
		}
		count++
		return r
	}, sent)
}

// requestID returns the id sent by the client if it is short and plain enough for logs, and a new one otherwise.
func requestID(sent string) string {
	const maxLen = 64
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.:", r)
	}
	if sent == "" || len(sent) > maxLen || strings.TrimFunc(sent, plain) != "" {
		return domain.NewID()
	}
	return sent
}

// withoutTrailingSlash returns the redirect target for a path that ends in a slash.
func withoutTrailingSlash(u *url.URL) (target string, ok bool) {
	path := u.EscapedPath()
	trimmed := strings.TrimRight(path, "/")
	if trimmed == path || trimmed == "" {
		return "", false
	}
	// Exactly one leading slash: //example.org would lead to another host.
	target = "/" + strings.TrimLeft(trimmed, "/\\")
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	return target, true
}

// serve handles a request to a known path. It reports errors in the order that clients rely on: body, CORS, method,
// credential, then the handler with its parameters. Some routes read the body after the credential.
func (a *API) serve(w http.ResponseWriter, r *http.Request, res *resource) {
	endpoint.InfoOf(r).Route = res.path
	rt, offered := res.route(r.Method)
	// The credential is checked first, so that the memory for the body belongs to somebody, and reported last.
	var handle func(*endpoint.Call) (any, error)
	var refusal error
	if offered {
		handle, refusal = rt.access.admit(a, r, rt.rules)
	}

	var b endpoint.Body
	forgetBody := func() {}
	defer func() { forgetBody() }()
	if !rt.rules.ownPace {
		r.Body = endpoint.Paced(w, r.Body, a.receiveUntil(r))
	}
	if !res.bodyLast {
		limit := rt.maxBody()
		wanted := offered && refusal == nil
		if !wanted {
			limit = min(limit, maxUnknownBody)
		}
		read, release, err := endpoint.ReadBody(r, limit)
		forgetBody = release
		switch {
		case err != nil && !wanted && endpoint.IsTooLarge(err):
			w.Header().Set("Connection", "close") // the rest of the body stays unread; the response says what else is wrong
		case err != nil:
			a.refuseBody(w, r, res.errors, err)
			return
		}
		b = read
	}

	if r.Method == http.MethodOptions {
		if a.answerPreflight(w, r, res) {
			return
		}
		offered = false
	} else {
		a.allowOrigin(w, r, res.pages(r.Method))
	}
	if !offered {
		w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(res.routes)), ", "))
		a.fail(w, r, res.errors, respond.MethodNotAllowed())
		return
	}
	a.announce(w.Header(), rt.rules.successor)
	if rt.rules.private {
		w.Header().Set("Cache-Control", "no-store")
	}
	if refusal != nil {
		forgetBody() // the response may be delayed
		forgetBody = func() {}
		if res.bodyLast {
			w.Header().Set("Connection", "close") // the body is still unread
		}
		a.fail(w, r, res.errors, a.Failures.Slow(r.Context(), clientaddr.Network(a.addressOf(r)), refusal))
		return
	}
	if consumer := endpoint.InfoOf(r).Consumer; !rt.rules.unlimited {
		if _, err := a.Usage.Reserve(consumer, domain.Amounts{1, 0, int64(len(b.Bytes))}); err != nil {
			if rt.rules.receive != nil {
				w.Header().Set("Connection", "close") // the body is still unread
			}
			a.fail(w, r, res.errors, err)
			return
		}
	}
	query, err := readQuery(r.URL.RawQuery, rt.rules, res.errors)
	if err != nil {
		if rt.rules.receive != nil {
			w.Header().Set("Connection", "close") // the body is still unread
		}
		a.fail(w, r, res.errors, err)
		return
	}
	if rt.rules.receive != nil {
		received, release, err := rt.rules.receive(r, endpoint.InfoOf(r).Consumer.FairnessKey())
		defer release()
		if err != nil {
			w.Header().Set("Connection", "close") // the rest of the body may be unread
			a.fail(w, r, res.errors, err)
			return
		}
		b = received
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.Limits.Handling)
	defer cancel()
	if mayChange(r.Method, rt.rules) {
		ctx = domain.WithOrigin(ctx, a.originOf(r))
	}
	var value any
	call := endpoint.NewCall(r.WithContext(ctx), w, query, b, endpoint.Exchange{
		Log: a.Log, Address: a.Address, SendUntil: a.sendUntil(r), Stopping: a.stopping, Admit: func() error {
			_, err := rt.access.admit(a, r, rt.rules)
			return err
		},
	})
	if rt.rules.noAdmission {
		value, err = handle(call)
	} else {
		value, err = call.InTurn(a.Admission, rt.rules.readsEvents, handle)
	}
	if err != nil {
		a.fail(w, r, res.errors, err)
		return
	}
	a.answer(w, r, res.errors, value)
}

// readQuery reads the query parameters of a request. It rejects a query that cannot be read as a whole, since different
// readers would find different parameters in it, and parameters that are repeated although they are no lists.
func readQuery(raw string, rules rules, format respond.ErrorFormat) (url.Values, error) {
	query, err := url.ParseQuery(raw)
	if rules.anyQuery {
		return query, nil
	}
	if err != nil {
		return nil,
			respond.InvalidRequest("The query string is malformed: it has a % that is not followed by two hexadecimal digits, or a " +
				"semicolon")
	}
	var issues []decode.Issue
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if len(query[name]) > 1 && !slices.Contains(rules.lists, name) && len(issues) < maxRepeated {
			issues = append(issues, repeated(name))
		}
	}
	switch {
	case issues == nil:
		return query, nil
	case format == respond.Coded || format == respond.CodedGeneric:
		return nil, respond.InvalidQuery(issues)
	}
	return nil, respond.InvalidData(issues)
}

// maxRepeated is how many repeated parameters a response names: anybody can send thousands of them, and an issue is much
// longer than a name.
const maxRepeated = 20

// repeated returns the issue of a parameter that was sent more than once, as the reference reports it: two numbers are
// no number.
func repeated(name string) decode.Issue {
	switch name {
	case "limit", "page", "scoreLimit", "valueMin", "valueMax":
		return decode.NotANumber([]any{name})
	}
	return decode.WrongType([]any{name}, "string", "array")
}

// answer writes the response for a value that a handler returned.
func (a *API) answer(w http.ResponseWriter, r *http.Request, format respond.ErrorFormat, value any) {
	status := http.StatusOK
	switch v := value.(type) {
	case respond.Content:
		for name, text := range v.Header {
			w.Header().Set(name, text)
		}
		respond.Write(w, r, status, v.Type, v.Body)
		return
	case respond.NoContent:
		w.WriteHeader(http.StatusNoContent)
		return
	case respond.Empty:
		w.WriteHeader(int(v))
		return
	case respond.Redirect:
		w.Header().Set("Location", a.links.To(v.Location))
		w.WriteHeader(http.StatusFound)
		return
	case respond.ExternalRedirect:
		w.Header().Set("Location", v.URL)
		w.WriteHeader(http.StatusFound)
		return
	case respond.Stream:
		if err := v(w, r); err != nil {
			a.fail(w, r, format, err)
		}
		return
	case respond.Sent:
		return
	case *respond.Prepared:
		defer endpoint.SetSendDeadline(w, a.sendUntil(r), v.Size())()
		v.Send(w, r)
		return
	case respond.Status:
		status, value = v.Code, v.Body
	case nil:
		value = respond.Message{Message: "OK"}
	}
	body, err := respond.Marshal(value)
	if err != nil {
		a.fail(w, r, format, fmt.Errorf("cannot write an answer of type %T: %w", value, err))
		return
	}
	// Twice the size: once more for the compressed copy.
	if err := endpoint.LeaseOf(r).Grow(r.Context(), 2*int64(len(body))); err != nil {
		a.fail(w, r, format, err)
		return
	}
	defer endpoint.SetSendDeadline(w, a.sendUntil(r), len(body))()
	respond.Write(w, r, status, format.ContentType(), body)
}

// fail writes an error response. Server errors are logged here and nowhere else.
func (a *API) fail(w http.ResponseWriter, r *http.Request, format respond.ErrorFormat, err error) {
	answer := toErrorResponse(err)
	temporary := a.temporary(err)
	if temporary != nil {
		answer = temporary
	}
	if answer.Status >= http.StatusInternalServerError && (answer.RetryAfter == 0 || temporary != nil) {
		a.Log.Error("request failed", "request", endpoint.InfoOf(r).ID, "method", r.Method, "path", loggedPath(r), "error", cause(err))
	}
	if answer.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(answer.RetryAfter))
	}
	if limit := answer.RateLimit; limit != nil {
		w.Header().Set("X-RateLimit-Limit", strconv.FormatInt(limit.Limit, 10))
		w.Header().Set("X-RateLimit-Remaining", strconv.FormatInt(limit.Remaining, 10))
		w.Header().Set("X-RateLimit-Reset", limit.ResetAt.String())
	}
	body, marshalErr := respond.Marshal(answer.Body(format))
	if marshalErr != nil {
		panic("BUG: an error body does not marshal: " + marshalErr.Error())
	}
	respond.Write(w, r, answer.Status, format.ContentType(), body)
}

// retryRoom is the Retry-After value, in seconds, when the server has run out of disk space or file descriptors, or
// when something that it needs cannot be reached.
const retryRoom = 10

// temporary returns the answer to an error that no handler has mapped and that may go away by itself: the machine has
// run out of disk space or file descriptors, or the event store, the catalog or the media bucket cannot be reached. It
// returns nil for other errors.
func (a *API) temporary(err error) *respond.Error {
	var answer *respond.Error
	var refused *ingest.Error
	if errors.As(err, &answer) || errors.As(err, &refused) {
		return nil
	}
	switch err := cause(err); {
	case platform.DiskFull(err) || platform.OutOfFiles(err) || a.Catalog.IsOutOfSpace(err):
		return respond.Busy("The server has run out of disk space or of file descriptors. Try again later.", retryRoom)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil // the client went away, or the request took too long
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrBusy):
		return respond.Busy("The event store cannot be reached at the moment. Try again shortly.", retryRoom)
	case a.Catalog.IsUnavailable(err):
		return respond.Busy("The database of the server cannot be reached at the moment. Try again shortly.", retryRoom)
	case errors.Is(err, blob.ErrUnavailable):
		return respond.Busy("The media storage cannot be reached at the moment. Try again shortly.", retryRoom)
	}
	return nil
}

// toErrorResponse maps any error to the response sent to the client.
func toErrorResponse(err error) *respond.Error {
	var (
		answer  *respond.Error
		invalid *decode.Invalid
		denied  *auth.Denied
		refused *ingest.Error
		limited *usage.Exceeded
	)
	if many := refusedSearch(err); many != nil {
		return many
	}
	switch {
	case errors.As(err, &limited):
		return admin.OverLimit(limited)
	case errors.As(err, &answer):
		return answer
	case errors.As(err, &invalid):
		return respond.InvalidData(invalid.Issues)
	case errors.As(err, &denied):
		return &respond.Error{Status: denied.Status, Message: denied.Message, RetryAfter: denied.RetryAfter}
	case errors.As(err, &refused):
		return events.ExportRefusal(refused)
	case errors.Is(err, memory.ErrBusy):
		return errMemory
	case errors.Is(err, memory.ErrTooLarge):
		return errTooLarge
	case errors.Is(err, context.DeadlineExceeded):
		return respond.TooSlow()
	case errors.Is(err, context.Canceled):
		const clientClosedRequest = 499 // seen only by the log and the metrics
		return &respond.Error{Status: clientClosedRequest, Message: "The client went away"}
	}
	return respond.Internal()
}

// cause returns the underlying error of a denial, or err itself.
func cause(err error) error {
	var denied *auth.Denied
	if errors.As(err, &denied) && denied.Unwrap() != nil {
		return denied.Unwrap()
	}
	return err
}

// refuseBody responds to a body that could not be read. It closes the connection, since the rest of the body may be
// unread.
func (a *API) refuseBody(w http.ResponseWriter, r *http.Request, format respond.ErrorFormat, err error) {
	w.Header().Set("Connection", "close")
	var refused *endpoint.BodyError
	switch {
	case errors.As(err, &refused) && (format == respond.RPC || format == respond.ForPeople):
		if refused.Status == http.StatusBadRequest {
			a.fail(w, r, format, respond.InvalidJSON())
			return
		}
		a.fail(w, r, format, &respond.Error{Status: refused.Status, Message: refused.Message})
	case errors.As(err, &refused):
		respond.Text(w, r, refused.Status, refused.Message)
	case errors.Is(err, endpoint.ErrClientGone):
		respond.Text(w, r, http.StatusRequestTimeout, endpoint.ErrClientGone.Error())
	default:
		a.fail(w, r, format, err)
	}
}
