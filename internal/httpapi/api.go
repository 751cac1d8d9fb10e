package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/access/oidc"
	"almanac/internal/access/secretbox"
	"almanac/internal/access/viewlog"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/httpapi/admin"
	"almanac/internal/httpapi/dashboards"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/evaluators"
	"almanac/internal/httpapi/events"
	"almanac/internal/httpapi/media"
	"almanac/internal/httpapi/people"
	"almanac/internal/httpapi/playground"
	"almanac/internal/httpapi/prompts"
	"almanac/internal/httpapi/respond"
	"almanac/internal/httpapi/scores"
	"almanac/internal/httpapi/settings"
	"almanac/internal/httpapi/traces"
	"almanac/internal/httpapi/ui"
	"almanac/internal/ingest"
	"almanac/internal/ingest/legacy"
	"almanac/internal/ingest/pricing"
	ingestScores "almanac/internal/ingest/scores"
	"almanac/internal/limits/memory"
	"almanac/internal/limits/usage"
	"almanac/internal/llm"
	"almanac/internal/netguard"
	queryPrompts "almanac/internal/query/prompts"
	queryTraces "almanac/internal/query/traces"
	"almanac/internal/store"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/scheduled"
	"almanac/internal/webapp"
)

// Level is the API version that the server implements, for clients to compare.
const Level = "4.55.0"

// Options holds the dependencies and configuration of the API.
type Options struct {
	Catalog *catalog.Catalog
	// Store is the event store: a store.LockedStore if others merge or delete rows as well.
	Store store.Store
	// Prices holds the models of projects, whose prices appear in rows.
	Prices *pricing.Lists
	// Marks holds what people set on traces: bookmarks, tags and publication.
	Marks *queryTraces.MarkCache
	// Secrets encrypts credentials that projects store with the server.
	Secrets *secretbox.Box
	// Exports reaches the buckets of scheduled exports.
	Exports *scheduled.Exports
	// Guard makes the requests whose destination projects configure.
	Guard netguard.Guard
	// LLM calls models.
	LLM *llm.Client
	// Prompts reads and caches prompts.
	Prompts *queryPrompts.Library
	// Ingest is the pipeline for span exports.
	Ingest *ingest.Pipeline
	// Usage counts usage and enforces limits; nil does neither.
	Usage *usage.Tracker
	// Times limits the times of scores; the zero value allows any time.
	Times domain.TimeWindow
	// Masks are applied to scores before they are stored; nil for none.
	Masks *ingest.Masks
	// Legacy ingests the trace and observation events of a batch sent with key, and returns an error or nil for each
	// event: a *decode.Invalid rejects that event, any other error fails the whole batch. If Legacy is nil, such events
	// are rejected.
	Legacy func(ctx context.Context, scope domain.ProjectScope, key string, events []legacy.Event) []error
	Keys   *auth.Keys
	Admin  auth.Admin
	// Accounts handles the sign-in of people.
	Accounts *accounts.Accounts
	// People configures the web application.
	People People
	// Failures logs wrong credentials and delays the responses to them; nil does neither.
	Failures *auth.Failures
	// Proxies are the proxies trusted to report client addresses.
	Proxies clientaddr.Proxies
	Log     *slog.Logger
	// Build is the version of this program.
	Build string
	// LastEvent returns the start time of the newest event ever ingested, or the zero time if there is none.
	LastEvent func() time.Time
	// QueryTime is the time budget of a query that may return a partial result; 0 for the default.
	QueryTime time.Duration
	// Limits bounds the work that clients can demand of the server.
	Limits endpoint.Limits
	// Admission gives requests their turns.
	Admission *endpoint.Admission
	// Memory is the budget for everything that requests hold: bodies, rows decoded and joined for responses, and
	// responses until they are sent. Background work shares it.
	Memory *memory.Budget
	// Feedback is where feedback is forwarded; nil if feedback is disabled.
	Feedback *scores.FeedbackSink
	// Media stores files.
	Media endpoint.Media
	// Address is where clients reach the server.
	Address endpoint.Address
	// Origins are the origins whose pages may call the server; empty for none.
	Origins Origins
	// MCPHosts are the host names under which MCP clients may call the server.
	MCPHosts MCPHosts
	// Metrics enables GET /metrics on this listener.
	Metrics bool
	// Registry holds all metrics that are served, including those of other packages.
	Registry *prometheus.Registry
	// MetricsToken is the Bearer token that GET /metrics requires, if it is set.
	MetricsToken auth.Token
}

// People is the configuration of the web application.
type People struct {
	// InsecureHTTP allows people to sign in over plain HTTP from other machines.
	InsecureHTTP bool
	// EveryoneCreates allows everybody, not only owners of an organization, to create organizations.
	EveryoneCreates bool
	// SignOn holds the identity providers; nil if there are none.
	SignOn *oidc.SignOn
	// Views records in the audit log what people open; nil if that is disabled.
	Views *viewlog.Log
}

// API serves all routes.
type API struct {
	Options
	telemetry  *telemetry
	draining   atomic.Bool
	stopping   chan struct{} // closed by Drain
	mux        *http.ServeMux
	links      endpoint.Links
	alsoAtRoot map[string]bool // paths that are also served without the base path
	web        *webapp.App
	handlers
	// described returns the OpenAPI description with the path prefix of this server.
	described      func() *respond.Prepared
	referenceFiles referenceFiles
	// mcp returns the handler for MCP messages, which is created on first use.
	mcp func() http.Handler
}

// New returns the API. It starts nothing.
func New(options Options) *API {
	return newWithRoutes(options, (*API).allRoutes)
}

// allRoutes returns the routes of the public API and those of the web application.
func (a *API) allRoutes() []route { return append(a.routes(), a.uiRoutes()...) }

func newWithRoutes(options Options, table func(*API) []route) *API {
	options.Store = store.NewLocked(options.Store, nil) // unless it has locks already
	a := &API{Options: options, stopping: make(chan struct{}), telemetry: newTelemetry(options)}
	measureMemory(options.Registry, a.Memory)
	a.links, a.described = options.Address.Links(), sync.OnceValue(a.describe)
	a.mcp = sync.OnceValue(a.newMCPHandler)
	a.handlers = a.newHandlers()
	a.web = newWeb(a.links)
	a.mux = a.newMux(append(table(a), a.pageRoutes()...))
	return a
}

// handlers holds the groups of handlers that serve the routes.
type handlers struct {
	ingestion  *events.Handlers
	tracing    *traces.Handlers
	scoring    *scores.Handlers
	datasets   *datasets.Handlers
	prompting  *prompts.Handlers
	files      *media.Handlers
	settings   *settings.Handlers
	dashboards *dashboards.Handlers
	evaluation *evaluators.Handlers
	admin      *admin.Handlers
	people     *people.Handlers
	explore    *ui.Handlers
	playing    *playground.Handlers
}

// newHandlers creates the groups of handlers, each with only the dependencies it needs.
func (a *API) newHandlers() handlers {
	writer := ingestScores.NewWriter(ingestScores.Options{
		Table: store.NewLocked(a.Store, nil).LockedScores(), Config: a.Catalog.ScoreConfigs.Get, Mask: a.Masks.Score, Times: a.Times,
	})
	count := a.telemetry.countScores
	finder := func(scope domain.ProjectScope) *queryTraces.Finder {
		f := export.NewFinder(a.Catalog, a.Store, scope)
		f.Limit = a.Limits.Traces
		return f
	}
	reads := &traces.Handlers{
		Catalog: a.Catalog, Store: a.Store, Prices: a.Prices, Marks: a.Marks, Media: a.Media, Finder: finder, Viewed: a.viewed(),
	}
	return handlers{
		ingestion: &events.Handlers{Ingest: a.Ingest, Legacy: a.Legacy, Scores: writer, CountScores: count, Usage: a.Usage, Log: a.Log},
		tracing:   reads,
		scoring: &scores.Handlers{
			Catalog: a.Catalog, Store: a.Store, Finder: finder, Scores: writer, CountScores: count, Feedback: a.Feedback,
		},
		datasets:  &datasets.Handlers{Catalog: a.Catalog, Store: a.Store, Media: a.Media, Links: a.links},
		prompting: &prompts.Handlers{Catalog: a.Catalog, Prompts: a.Prompts, Store: a.Store},
		files:     &media.Handlers{Catalog: a.Catalog, Observations: a.Store.Observations(), Media: a.Media, Log: a.Log},
		settings: &settings.Handlers{
			Catalog: a.Catalog, Store: a.Store, Prices: a.Prices, Secrets: a.Secrets, Guard: a.Guard, LLM: a.LLM, Exports: a.Exports,
		},
		dashboards: &dashboards.Handlers{Catalog: a.Catalog},
		evaluation: &evaluators.Handlers{Catalog: a.Catalog},
		admin:      &admin.Handlers{Catalog: a.Catalog, Usage: a.Usage, Storage: admin.NewStorage(a.Store.Sizes), Links: a.links},
		explore: &ui.Handlers{
			Catalog: a.Catalog, Store: a.Store, Finder: finder, Media: a.Media, RemoveTraces: reads.RemoveTraces,
			Tails: ui.NewTails(a.Limits.Tails, a.Registry), Box: a.QueryTime,
		},
		playing: &playground.Handlers{
			Catalog: a.Catalog, Secrets: a.Secrets, Models: a.LLM, Records: a.Ingest, Prices: a.Prices, Media: a.Media,
			Runs: playground.NewRuns(a.Registry), Recheck: a.Limits.Tails.Recheck, Log: a.Log,
		},
		people: &people.Handlers{
			Catalog: a.Catalog, Accounts: a.Accounts, Cookies: people.Cookies{Address: a.Address, InsecureHTTP: a.People.InsecureHTTP},
			Network: func(r *http.Request) string { return clientaddr.Network(a.addressOf(r)) }, SignOn: a.People.SignOn,
			Secrets: a.Secrets, Links: a.links, Log: a.Log,
			EveryoneCreates: a.People.EveryoneCreates, Build: a.Build,
		},
	}
}

// Drain makes the readiness check fail, so that load balancers send new requests elsewhere, and ends long-lived
// responses.
func (a *API) Drain() {
	if !a.draining.Swap(true) {
		close(a.stopping)
	}
}
