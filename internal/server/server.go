// Package server runs Almanac: it opens everything it needs, listens, and on shutdown closes everything in reverse
// order. It owns every goroutine that outlives a request.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"golang.org/x/net/netutil"
	"golang.org/x/sync/errgroup"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/access/viewlog"
	"almanac/internal/buildinfo"
	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/domain"
	"almanac/internal/experimenting"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/scores"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlpgrpc"
	"almanac/internal/ingest/pricing"
	ingestScores "almanac/internal/ingest/scores"
	"almanac/internal/inherit"
	"almanac/internal/jobs"
	"almanac/internal/limits/memory"
	"almanac/internal/limits/usage"
	"almanac/internal/llm"
	"almanac/internal/netguard"
	"almanac/internal/prom"
	"almanac/internal/query/prompts"
	"almanac/internal/query/traces"
	"almanac/internal/server/provision"
	"almanac/internal/store"
	"almanac/internal/transfer/localstore"
	"almanac/internal/transfer/scheduled"
)

// Run serves until ctx is done and everything is finished and closed. Messages for people go to out, events to log.
func Run(ctx context.Context, options config.Serve, out io.Writer, log *slog.Logger) (err error) {
	started := time.Now()
	budget := memory.Limit(int64(options.Memory))
	memory.Apply(budget)
	masks, err := ingest.LoadMasks(options.MaskingRules)
	if err != nil {
		return err
	}
	sender, err := openSender(options.Mail)
	if err != nil {
		return err
	}
	// Listen first: a port in use is detected before anything is created, and early clients wait instead of failing.
	listeners, err := listenAll(ctx, options, log)
	if err != nil {
		return err
	}
	defer listeners.close()
	certificates, err := openCertificates(options, log)
	if err != nil {
		return err
	}

	if !options.Stateless() {
		defer func() { err = explainFullDisk(err, options.Data) }()
		directory, err := datadir.Open(options.Data)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, directory.Close()) }()
		warnIfExposed(options.Data, log)
		if listeners.commands, err = localstore.Listen(ctx, options.Data); err != nil {
			log.Warn("almanac import cannot be used while this server runs: cannot listen in the data directory", "error", err)
		} else {
			defer listeners.commands.Close() //nolint:errcheck // before the directory is unlocked; closing twice is harmless
		}
	}

	if err := refuseNewerEvents(options); err != nil { // before the catalog is migrated
		return err
	}
	c, err := openCatalog(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()

	// One server at a time: servers that start together must not all find the catalog empty.
	var first *provision.First
	if err := c.WithLock(ctx, "provisioning", func(ctx context.Context) (err error) {
		if err := c.MarkInUse(ctx); err != nil {
			return err
		}
		first, err = provision.Apply(ctx, c, options.Init, log)
		return err
	}); err != nil {
		return err
	}

	stored, err := openEvents(ctx, c, options, budget, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stored.Close()) }()
	var others store.RemoteLocker
	if options.EventsInClickHouse() {
		others = c.LockRows
	}
	events := store.NewLocked(&scheduled.Recorder{Store: stored, Catalog: c, Log: log}, others)

	secrets, err := openSecrets(options, log)
	if err != nil {
		return err
	}
	files, err := openMedia(options, c, secrets, log)
	if err != nil {
		return err
	}

	registry := prom.NewRegistry()
	if !options.Stateless() {
		measureDisk(registry, options.Data)
		registry.MustRegister(newBackupCollector(options.Data))
	}
	registry.MustRegister(newStoreCollector(events))
	prices, err := pricing.Default()
	if err != nil {
		return fmt.Errorf("cannot read the price list: %w", err)
	}
	book := pricing.NewLists(prices, c)
	guard := newGuard(options)
	models := llm.New(llm.Options{Guard: guard})
	defer models.Close()
	requests := memory.NewBudget(memory.SizesOf(requestMemory(options, budget)), options.RequestQueueTimeout)
	requestLimits := endpoint.Limits{
		Concurrent: options.MaxConcurrentRequests, Reads: concurrentReads(options), Wait: options.RequestQueueTimeout,
		Receiving: options.ReadTimeout, Handling: options.RequestTimeout, Sending: options.WriteTimeout,
	}
	scheduling := scheduled.New(c, events, secrets, book, scheduled.Allowed{
		Guard: guard, ServerCredentials: options.ExportWithServerCredentials,
	}, log)
	if err := scheduling.Reconcile(ctx); err != nil {
		return err
	}
	completing := inherit.New(c, events, log)
	if err := completing.Reconcile(ctx); err != nil {
		return err
	}
	registry.MustRegister(newScheduleCollector(c, log))
	usage := usage.New(usage.Options{Store: c, Metrics: registry, Log: log, Defaults: map[domain.LimitLevel]domain.Limits{
		domain.LevelKey: options.LimitKey, domain.LevelProject: options.LimitProject, domain.LevelOrganization: options.LimitOrganization,
	}})
	if err := usage.Load(ctx); err != nil {
		return err
	}
	library := prompts.New(c, cacheMemory(prompts.CacheBytes, budget), log)
	marks := traces.NewMarkCache(c.AllTraceMarks, cacheMemory(traces.MarkBytes, budget))
	pipeline := newPipeline(options, budget, events, book, masks, files.Library, library, usage, registry, log)
	keys := auth.NewKeys(c, options.KeyCacheLife, log)
	keys.TolerateOutages(auth.Outages{Grace: options.KeyOutageGrace, Away: c.IsUnavailable})
	keys.OpenImported(secrets.Open)
	refused := promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_refused_credentials_total", Help: "Rejected credentials, by reason.",
	}, []string{"reason"})
	signOn, err := openSignOn(options.SSO, secrets)
	if err != nil {
		return err
	}
	address := baseURL(options, listeners.api.Addr())
	letters, sending := openMail(sender, address, registry, log)
	persons := accounts.New(accounts.Options{
		Mail:         letters,
		SingleSignOn: len(signOn.Providers()) > 0, PasswordOff: options.DisablePasswordSignIn,
		Catalog: c, Log: log, CacheLife: options.KeyCacheLife, Failed: func() { refused.WithLabelValues("wrong password").Inc() },
	})
	c.Subscribe(caches{keys: keys, accounts: persons, prompts: library, prices: book, marks: marks, usage: usage}.invalidate)
	proxies, err := clientaddr.ParseProxies(options.TrustedProxies)
	if err != nil {
		return fmt.Errorf("--trusted-proxies: %w", err)
	}
	failures := auth.NewFailures(log, func(reason string) { refused.WithLabelValues(reason).Inc() })
	viewLog := newViewLog(options, c, registry, log)
	api := httpapi.New(httpapi.Options{
		Legacy:  newLegacy(options, events, book, masks, pipeline, registry),
		Catalog: c, Store: events, Prices: book, Marks: marks, Prompts: library, Secrets: secrets, Guard: guard, LLM: models,
		Exports: scheduling,
		Ingest:  pipeline, Usage: usage, Masks: masks, Times: eventTimes(options), Keys: keys, Accounts: persons,
		People: httpapi.People{
			SignOn: signOn, Views: viewLog, InsecureHTTP: options.InsecureHTTP, EveryoneCreates: options.OrganizationCreators == "everyone",
		},
		Admin: auth.NewAdmin(options.AdminAPIKey.Reveal()), Failures: failures, Proxies: proxies, Log: log, Build: buildinfo.Version(),
		LastEvent: pipeline.LastEvent,
		Limits:    requestLimits, Admission: endpoint.NewAdmission(requestLimits),
		Memory: requests, Feedback: feedbackSink(options), Media: files, Address: endpoint.Address{
			URL: options.Address().URL, Base: options.Address().Path,
		}, Origins: httpapi.ReadOrigins(options.CORSOrigins), MCPHosts: httpapi.ReadMCPHosts(options.MCPAllowedHosts),
		Metrics: listeners.metricsOnAPI, Registry: registry, MetricsToken: auth.NewToken(options.MetricsToken.Reveal()),
	})
	exports := otlpgrpc.New(otlpgrpc.Options{
		Ingest: pipeline, Keys: keys, Usage: usage, Failures: failures, Proxies: proxies, Log: log, MaxHeader: int64(options.MaxHeader),
		Receiving: options.ReadTimeout, Handling: options.RequestTimeout, Watching: options.WriteTimeout, Idle: options.IdleTimeout,
		Beginning: options.HeaderTimeout, TLS: certificates.config("h2"),
	})

	token, err := persons.NewSetUpToken(ctx)
	if err != nil {
		return err
	}
	welcome(out, address, first, token)
	if options.Open {
		openBrowser(firstPage(address, token), log)
	}
	listeners.warnIfReadable(options, log)
	log.Info("serving", "address", listeners.api.Addr().String(), "otlp_grpc", addressOr(listeners.grpc, "off"), "metrics",
		addressOr(listeners.metrics, listeners.metricsWhere()),
		"pprof", addressOr(listeners.pprof, "off"), "memory_limit_mb", budget>>20, "data", options.DataDirectory(), "version",
		buildinfo.Version(),
		"started_in", time.Since(started).Round(time.Millisecond))

	runner := jobs.New(jobs.Options{Memory: requests, Registry: registry, Log: log},
		kinds(newExports(options, c, events, files.Library.Blobs), scheduling,
			newRetention(options, c, events, files.Library, requests, registry, log), completing, &experimenting.Experiments{
				Catalog: c, Secrets: secrets, Models: models, Records: pipeline, Log: log,
				Scores: ingestScores.NewWriter(ingestScores.Options{
					Table: events.LockedScores(), Config: c.ScoreConfigs.Get, Mask: masks.Score, Times: eventTimes(options),
				}),
			})...)
	c.Subscribe(runner.Notice)
	registry.MustRegister(newJobCollector(c, runner.Kinds(), log))
	work := background{
		catalog: c, keys: keys, accounts: persons, sending: sending, usage: usage, failures: failures, certificates: certificates,
		jobs:  runner,
		views: viewLog, log: log,
	}
	commands := localstore.Handler(localstore.Options{Store: events, Notify: c.Notify, Memory: requests})
	err = serve(ctx, options, listeners, certificates, api, commands, exports, log, work.all())
	log.Info("stopped", "ran_for", time.Since(started).Round(time.Second))
	return err
}

// newViewLog returns nil unless the operator wants views recorded.
func newViewLog(options config.Serve, c *catalog.Catalog, registry *prometheus.Registry, log *slog.Logger) *viewlog.Log {
	if !options.AuditViews {
		return nil
	}
	dropped := promauto.With(registry).NewCounter(prometheus.CounterOpts{
		Name: "almanac_audit_views_dropped_total", Help: "Views of traces, observations and sessions that are missing from the audit log.",
	})
	return viewlog.New(viewlog.Options{Record: c.RecordViews, Log: log, Dropped: func(count int) { dropped.Add(float64(count)) }})
}

// newGuard returns the guard of requests whose destination projects configure.
func newGuard(options config.Serve) netguard.Guard {
	guard := netguard.Guard{Private: options.AllowPrivateConnections}
	if options.ProxyFromEnvironment {
		guard.Proxy = netguard.EnvironmentProxy
	}
	return guard
}

// feedbackSink returns nil if feedback is disabled.
func feedbackSink(options config.Serve) *scores.FeedbackSink {
	if options.FeedbackURL == "" {
		return nil
	}
	return scores.NewFeedbackSink(options.FeedbackURL.Reveal())
}

// serve runs the servers and the background work until ctx is done, then stops them.
func serve(
	ctx context.Context, options config.Serve, l *listeners, certificates certificates, api *httpapi.API, commands http.Handler,
	exports *otlpgrpc.Server, log *slog.Logger,
	working []job,
) error {
	toAPI, toGRPC := connectionLimits(options, l, maxFiles())
	if toAPI < options.MaxConnections {
		log.Info("fewer connections than --max-connections: the limit of open files is too low for more", "connections", toAPI)
	}
	var handler http.Handler = api
	if !options.NoHSTS {
		handler = strictTransport(api)
	}
	requests := &streams{most: int64(toAPI)}
	main := newHTTPServer(options, requests.bound(handler), log)
	main.ConnContext = requests.context
	main.TLSConfig = certificates.config("h2", "http/1.1")
	open := limitConnections(l.api, toAPI)
	main.ConnState = open.note
	servers := map[*http.Server]net.Listener{main: open}
	if l.metrics != nil {
		measurements := newHTTPServer(options, onlyAt("/metrics", api.MetricsHandler()), log)
		if !onLoopback(l.metrics.Addr()) { // nothing on this machine needs a certificate for the public name
			measurements.TLSConfig = certificates.config("h2", "http/1.1")
		}
		servers[measurements] = l.metrics
	}
	if l.pprof != nil {
		profiler := newHTTPServer(options, profilerHandler(), log)
		profiler.WriteTimeout = 0 // a profile takes as long as the client asks for
		servers[profiler] = l.pprof
	}
	if l.commands != nil {
		servers[&http.Server{Handler: commands, ReadHeaderTimeout: options.HeaderTimeout}] = l.commands // they may wait for memory
	}

	// Background work ends after the last request, so that it sees what that request left.
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	var work errgroup.Group
	for _, job := range working {
		work.Go(func() error { job.run(background); return nil })
	}

	group, groupCtx := errgroup.WithContext(ctx)
	for server, listener := range servers {
		group.Go(func() error {
			if err := serveOn(server, listener); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("cannot serve on %s: %w", listener.Addr(), err)
			}
			return nil
		})
	}
	if l.grpc != nil {
		group.Go(func() error {
			if err := exports.Serve(netutil.LimitListener(l.grpc, toGRPC)); err != nil {
				return fmt.Errorf("cannot serve on %s: %w", l.grpc.Addr(), err)
			}
			return nil
		})
	}
	group.Go(func() error {
		<-groupCtx.Done()
		api.Drain()
		exports.Drain()
		log.Info("shutting down: finishing requests in flight", "timeout", options.ShutdownTimeout)
		time.Sleep(options.ShutdownDelay)
		deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), options.ShutdownTimeout)
		defer cancel()
		var stopping sync.WaitGroup
		stopping.Go(func() {
			if err := exports.Shutdown(deadline); err != nil {
				log.Warn("closing gRPC connections: exports did not finish before the shutdown timeout", "error", err)
			}
		})
		for server := range servers {
			if err := server.Shutdown(deadline); err != nil {
				log.Warn("closing connections: requests did not finish before the shutdown timeout", "error", err)
				_ = server.Close()
			}
		}
		stopping.Wait()
		return nil
	})
	err := group.Wait()
	stopBackground()
	return errors.Join(err, work.Wait())
}

func newHTTPServer(options config.Serve, h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           closeAfterChunked(h),
		ReadHeaderTimeout: options.HeaderTimeout,
		ReadTimeout:       options.ReadTimeout,
		WriteTimeout:      options.WriteTimeout,
		IdleTimeout:       options.IdleTimeout,
		MaxHeaderBytes:    int(options.MaxHeader),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          otlpgrpc.StreamsPerConnection,
			MaxReceiveBufferPerStream:     otlpgrpc.StreamWindow,
			MaxReceiveBufferPerConnection: otlpgrpc.ConnectionWindow,
			SendPingTimeout:               otlpgrpc.PingAfter,
			PingTimeout:                   otlpgrpc.PingTimeout,
		},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug), // errors of broken clients are not ours
	}
}

// serveOn serves over TLS if it is configured.
func serveOn(server *http.Server, listener net.Listener) error {
	if server.TLSConfig != nil {
		return server.ServeTLS(listener, "", "")
	}
	return server.Serve(listener)
}

func onlyAt(path string, h http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+path, h)
	return mux
}

func profilerHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}
