package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/accounts"
	"almanac/internal/auth"
	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/export"
	"almanac/internal/httpapi/admin"
	"almanac/internal/httpapi/dashboards"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/evaluation"
	"almanac/internal/httpapi/explore"
	"almanac/internal/httpapi/files"
	"almanac/internal/httpapi/ingestion"
	"almanac/internal/httpapi/people"
	"almanac/internal/httpapi/prompting"
	"almanac/internal/httpapi/scoring"
	"almanac/internal/httpapi/settings"
	"almanac/internal/httpapi/tracing"
	"almanac/internal/ingest"
	"almanac/internal/legacy"
	"almanac/internal/limits"
	"almanac/internal/memory"
	"almanac/internal/oidc"
	"almanac/internal/peer"
	"almanac/internal/pricing"
	"almanac/internal/prompts"
	"almanac/internal/scores"
	"almanac/internal/secretbox"
	"almanac/internal/store"
	"almanac/internal/traces"
	"almanac/internal/views"
	"almanac/internal/webapp"
)

// Level is the version of the API that we speak, as clients compare it.
const Level = "4.55.0"

// Options are what the API needs to know.
type Options struct {
	Catalog *catalog.Catalog
	// Store keeps what was taken in.
	Store store.Store
	// Prices are the models of projects, whose prices rows show.
	Prices *pricing.Book
	// Marks is what people say of traces.
	Marks *traces.MarkBook
	// Secrets encrypts what projects entrust to us.
	Secrets *secretbox.Box
	// PrivateConnections says that connections may lead into the private network.
	PrivateConnections bool
	// Prompts reads prompts.
	Prompts *prompts.Library
	// Ingest takes exports of spans in.
	Ingest *ingest.Pipeline
	// Usage counts what is used and refuses what passes a limit; nil counts nothing.
	Usage *limits.Keeper
	// Masks are applied to scores before they are stored; nil for none.
	Masks *ingest.Masks
	// Legacy takes in the events of a batch that are about traces and observations, which key sent, and returns an error or nil
	// for each: a *decode.Invalid refuses the event, any other one fails the whole batch. If it is nil, such events are refused.
	Legacy func(ctx context.Context, scope domain.ProjectScope, key string, events []legacy.Event) []error
	Keys   *auth.Keys
	Admin  auth.Admin
	// Accounts lets people sign in.
	Accounts *accounts.Accounts
	// People is what the web application needs to know.
	People People
	// Failures makes wrong credentials visible and slow; nil does neither.
	Failures *auth.Failures
	// Proxies are trusted to say whom requests are from.
	Proxies peer.Proxies
	Log     *slog.Logger
	// Build is the version of this program.
	Build string
	// LastEvent tells when the newest event started that was ever taken in; the zero time if there is none.
	LastEvent func() time.Time
	// QueryTime is how long an answer that may be partial is worked on; 0 for the usual time.
	QueryTime time.Duration
	// Limits bound what clients can make the server hold and do at once.
	Limits endpoint.Limits
	// Feedback is where feedback is passed on to; nil if it is not wanted.
	Feedback *scoring.FeedbackSink
	// Media keeps files.
	Media endpoint.Media
	// Others keeps writers of other servers that share the event store apart from those of this one; nil if there are none.
	Others store.RemoteLocker
	// Address is where clients reach the server.
	Address endpoint.Address
	// Origins are those whose pages may call the server; none if it is empty.
	Origins Origins
	// MCPHosts are hosts that MCP clients may call the server by.
	MCPHosts MCPHosts
	// Metrics reports whether GET /metrics is served here.
	Metrics bool
	// Registry holds the measurements that are served, those of others included.
	Registry *prometheus.Registry
	// MetricsToken is asked for as a Bearer token by GET /metrics, unless there is none.
	MetricsToken auth.Token
}

// People is what the web application needs to know of the configuration.
type People struct {
	// InsecureHTTP allows people to sign in over plain HTTP from other machines.
	InsecureHTTP bool
	// EveryoneCreates says that everybody may create organizations, and not only owners of one.
	EveryoneCreates bool
	// SignOn has the identity providers that people can sign in through; nil if there are none.
	SignOn *oidc.SignOn
	// Views records what people open; nil if nobody wants to know.
	Views *views.Log
}

// API serves all routes.
type API struct {
	Options
	admission *endpoint.Admission
	memory    *memory.Budget
	telemetry *telemetry
	draining  atomic.Bool
	stopping  chan struct{} // closed by Drain
	mux       *http.ServeMux
	links     endpoint.Links
	rootToo   map[string]bool // paths that are served without the base path, too
	web       *webapp.App
	handlers
	// described is the description of what is served, with where it is.
	described func() []byte
	// mcp answers messages of MCP clients. It is made when the first one comes.
	mcp func() http.Handler
}

// New returns the API. It starts nothing.
func New(options Options) *API {
	return newWithRoutes(options, (*API).allRoutes)
}

// allRoutes are those for programs and those for people.
func (a *API) allRoutes() []route { return append(a.routes(), a.uiRoutes()...) }

func newWithRoutes(options Options, table func(*API) []route) *API {
	a := &API{Options: options, stopping: make(chan struct{}), admission: endpoint.NewAdmission(options.Limits), memory: newMemory(options.Limits), telemetry: newTelemetry(options)}
	measureMemory(options.Registry, a.memory)
	a.links, a.described = options.Address.Links(), sync.OnceValue(a.describe)
	a.mcp = sync.OnceValue(a.newMCPHandler)
	a.handlers = a.newHandlers()
	a.web = newWeb(a.links)
	a.mux = a.newMux(append(table(a), a.pageRoutes()...))
	return a
}

// handlers serve the routes, by what these are about.
type handlers struct {
	ingestion  *ingestion.Handlers
	tracing    *tracing.Handlers
	scoring    *scoring.Handlers
	datasets   *datasets.Handlers
	prompting  *prompting.Handlers
	files      *files.Handlers
	settings   *settings.Handlers
	dashboards *dashboards.Handlers
	evaluation *evaluation.Handlers
	admin      *admin.Handlers
	people     *people.Handlers
	explore    *explore.Handlers
}

// newHandlers gives each group of handlers what it needs, and nothing else.
func (a *API) newHandlers() handlers {
	writer := scores.NewWriter(scores.Options{Table: a.Store.Scores(), Config: a.Catalog.ScoreConfig, Mask: a.Masks.Score, Others: a.Others})
	count := a.telemetry.countScores
	finder := func(scope domain.ProjectScope) *traces.Finder {
		f := export.NewFinder(a.Catalog, a.Store, scope)
		f.Limit = a.Limits.Traces
		return f
	}
	reads := &tracing.Handlers{Catalog: a.Catalog, Store: a.Store, Prices: a.Prices, Marks: a.Marks, Media: a.Media, Finder: finder, Viewed: a.viewed()}
	return handlers{
		ingestion:  &ingestion.Handlers{Ingest: a.Ingest, Legacy: a.Legacy, Scores: writer, CountScores: count, Usage: a.Usage, Log: a.Log},
		tracing:    reads,
		scoring:    &scoring.Handlers{Catalog: a.Catalog, Store: a.Store, Finder: finder, Scores: writer, CountScores: count, Feedback: a.Feedback},
		datasets:   &datasets.Handlers{Catalog: a.Catalog, Store: a.Store, Media: a.Media, Links: a.links},
		prompting:  &prompting.Handlers{Catalog: a.Catalog, Prompts: a.Prompts},
		files:      &files.Handlers{Catalog: a.Catalog, Media: a.Media, Log: a.Log},
		settings:   &settings.Handlers{Catalog: a.Catalog, Store: a.Store, Prices: a.Prices, Secrets: a.Secrets, PrivateConnections: a.PrivateConnections},
		dashboards: &dashboards.Handlers{Catalog: a.Catalog},
		evaluation: &evaluation.Handlers{Catalog: a.Catalog},
		admin:      &admin.Handlers{Catalog: a.Catalog, Usage: a.Usage, Links: a.links},
		explore: &explore.Handlers{
			Catalog: a.Catalog, Store: a.Store, Finder: finder, Media: a.Media, RemoveTraces: reads.RemoveTraces,
			Tails: explore.NewTails(a.Limits.Tails, a.Registry), Box: a.QueryTime,
		},
		people: &people.Handlers{
			Catalog: a.Catalog, Accounts: a.Accounts, Cookies: people.Cookies{Address: a.Address, InsecureHTTP: a.People.InsecureHTTP},
			Network: func(r *http.Request) string { return peer.Network(a.addressOf(r)) }, SignOn: a.People.SignOn, Secrets: a.Secrets, Links: a.links, Log: a.Log,
			EveryoneCreates: a.People.EveryoneCreates, Build: a.Build,
		},
	}
}

// Drain makes the readiness check fail, so that load balancers send new requests elsewhere, and ends answers that would go on for long.
func (a *API) Drain() {
	if !a.draining.Swap(true) {
		close(a.stopping)
	}
}
