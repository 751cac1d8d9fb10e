// Package server runs Almanac: it opens what is needed in order, listens, and on the way down closes everything in the
// opposite order. It owns every goroutine that outlives a request.
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
	"syscall"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/errgroup"

	"almanac/internal/auth"
	"almanac/internal/buildinfo"
	"almanac/internal/config"
	"almanac/internal/datadir"
	"almanac/internal/feedback"
	"almanac/internal/httpapi"
	"almanac/internal/idlocks"
	"almanac/internal/ingest"
	"almanac/internal/memory"
	"almanac/internal/meter"
	"almanac/internal/otlpgrpc"
	"almanac/internal/pricing"
	"almanac/internal/prompts"
	"almanac/internal/provision"
	"almanac/internal/retention"
)

// Run serves until ctx is done and everything is finished and closed. What people should see goes to out, what happened
// to log.
func Run(ctx context.Context, options config.Serve, out io.Writer, log *slog.Logger) (err error) {
	started := time.Now()
	budget := memory.Budget(int64(options.Memory))
	memory.Apply(budget)
	masks, err := ingest.LoadMasks(options.MaskingRules)
	if err != nil {
		return err
	}
	// Listen first: a taken port is found before anything is created, and clients that come early wait instead of failing.
	listeners, err := listenAll(ctx, options, log)
	if err != nil {
		return err
	}
	defer listeners.close()

	if !options.Stateless() {
		directory, err := datadir.Open(options.Data)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, directory.Close()) }()
		warnIfExposed(options.Data, log)
	}

	c, err := openCatalog(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()

	// One server after the other: those that start together must not all find the catalog empty.
	var first *provision.First
	if err := c.InTurn(ctx, "provisioning", func(ctx context.Context) (err error) {
		if err := c.Taken(ctx); err != nil {
			return err
		}
		first, err = provision.Apply(ctx, c, options.Init, log)
		return err
	}); err != nil {
		return err
	}

	events, err := openEvents(ctx, options, budget, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, events.Close()) }()

	files, err := openMedia(ctx, options, c, log)
	if err != nil {
		return err
	}

	registry := meter.NewRegistry()
	if !options.Stateless() {
		measureDisk(registry, options.Data)
	}
	prices, err := pricing.Default()
	if err != nil {
		return fmt.Errorf("cannot read the price list: %w", err)
	}
	secrets, err := openSecrets(options, log)
	if err != nil {
		return err
	}
	book, library := pricing.NewBook(prices, c), prompts.New(c, log)
	pipeline := newPipeline(options, budget, events, book, masks, files.Library, library, registry, log)
	keys := auth.NewKeys(c, options.KeyCacheLife, log)
	var others idlocks.Others
	if options.EventsElsewhere() {
		others = c.HoldRows
	}
	api := httpapi.New(httpapi.Options{
		Legacy: newLegacy(options, events, others, book, masks, pipeline, registry), Others: others,
		Catalog: c, Store: events, Prices: book, Prompts: library, Secrets: secrets, PrivateConnections: options.AllowPrivateConnections,
		Ingest: pipeline, Masks: masks, Keys: keys, Admin: auth.NewAdmin(options.AdminAPIKey.Reveal()), Log: log, Build: buildinfo.Version(),
		LastEvent: pipeline.LastEvent,
		Limits: httpapi.Limits{
			Concurrent: options.MaxConcurrentRequests, Wait: options.RequestQueueTimeout,
			Memory: int64(options.RequestMemory), Handling: options.RequestTimeout,
		},
		Feedback: feedbackSink(options), Media: files, MCPHosts: httpapi.ReadMCPHosts(options.MCPAllowedHosts),
		Metrics: options.MetricsListen == "same", Registry: registry, MetricsToken: auth.NewToken(options.MetricsToken.Reveal()),
	})
	exports := otlpgrpc.New(otlpgrpc.Options{
		Ingest: pipeline, Keys: keys, Log: log, MaxHeader: int64(options.MaxHeader),
		Receiving: options.ReadTimeout, Handling: options.RequestTimeout, Answering: options.WriteTimeout, Idle: options.IdleTimeout,
	})

	address := baseURL(options, listeners.api.Addr())
	welcome(out, address, first)
	log.Info("serving", "address", listeners.api.Addr().String(), "otlp_grpc", addressOr(listeners.grpc, "off"), "metrics", addressOr(listeners.metrics, options.MetricsListen),
		"pprof", addressOr(listeners.pprof, "off"), "memory_limit_mb", budget>>20, "data", options.DataDirectory(), "version", buildinfo.Version(),
		"started_in", time.Since(started).Round(time.Millisecond))

	cleaning := &retention.Job{Catalog: c, Store: events, Media: files.Library, Log: log, Now: time.Now}
	err = serve(ctx, options, listeners, api, exports, log, keys.Run,
		func(ctx context.Context) { c.Listen(ctx, log) },
		func(ctx context.Context) { c.Alone(ctx, "retention", log, cleaning.Run) })
	log.Info("stopped", "ran_for", time.Since(started).Round(time.Second))
	return err
}

// feedbackSink returns nil if the operator wants no feedback.
func feedbackSink(options config.Serve) *feedback.Sink {
	if options.FeedbackURL == "" {
		return nil
	}
	return feedback.NewSink(options.FeedbackURL.Reveal())
}

// serve runs the servers and the background work until ctx is done, then stops them.
func serve(
	ctx context.Context, options config.Serve, l *listeners, api *httpapi.API, exports *otlpgrpc.Server, log *slog.Logger, jobs ...func(context.Context),
) error {
	servers := map[*http.Server]net.Listener{newHTTPServer(options, api, log): netutil.LimitListener(l.api, options.MaxConnections)}
	if l.metrics != nil {
		servers[newHTTPServer(options, onlyAt("/metrics", api.MetricsHandler()), log)] = l.metrics
	}
	if l.pprof != nil {
		profiler := newHTTPServer(options, profilerHandler(), log)
		profiler.WriteTimeout = 0 // a profile takes as long as it is asked to
		servers[profiler] = l.pprof
	}

	// Background work ends after the last request, so that it sees what that request left.
	background, stopBackground := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBackground()
	var work errgroup.Group
	for _, job := range jobs {
		work.Go(func() error { job(background); return nil })
	}

	group, groupCtx := errgroup.WithContext(ctx)
	for server, listener := range servers {
		group.Go(func() error {
			if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("cannot serve on %s: %w", listener.Addr(), err)
			}
			return nil
		})
	}
	if l.grpc != nil {
		group.Go(func() error {
			if err := exports.Serve(netutil.LimitListener(l.grpc, options.MaxConnections)); err != nil {
				return fmt.Errorf("cannot serve on %s: %w", l.grpc.Addr(), err)
			}
			return nil
		})
	}
	group.Go(func() error {
		<-groupCtx.Done()
		api.Drain()
		log.Info("stopping: no new requests, running ones may finish", "timeout", options.ShutdownTimeout)
		time.Sleep(options.ShutdownDelay)
		deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), options.ShutdownTimeout)
		defer cancel()
		var stopping sync.WaitGroup
		stopping.Go(func() {
			if err := exports.Shutdown(deadline); err != nil {
				log.Warn("cutting off exports over gRPC that did not finish in time", "error", err)
			}
		})
		for server := range servers {
			if err := server.Shutdown(deadline); err != nil {
				log.Warn("cutting off requests that did not finish in time", "error", err)
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
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug), // broken clients are not our errors
	}
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

// listeners are the open ports; those that are not asked for are nil.
type listeners struct{ api, grpc, metrics, pprof net.Listener }

// autoGRPC is where exporters look for a receiver of OTLP over gRPC if nobody tells them otherwise.
const autoGRPC = "127.0.0.1:4317"

func listenAll(ctx context.Context, options config.Serve, log *slog.Logger) (*listeners, error) {
	l := new(listeners)
	wanted := []struct {
		target  *net.Listener
		address string
		flag    string
	}{
		{&l.api, options.Listen, "--listen"},
		{&l.grpc, options.OTLPGRPCListen, "--otlp-grpc-listen"},
		{&l.metrics, options.MetricsListen, "--metrics-listen"},
		{&l.pprof, options.PprofListen, "--pprof-listen"},
	}
	for _, w := range wanted {
		if w.address == "" || w.address == "same" || w.address == "off" || w.address == "auto" {
			continue
		}
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", w.address)
		if err != nil {
			l.close()
			if errors.Is(err, syscall.EADDRINUSE) {
				return nil, fmt.Errorf("%s is in use by another program: stop it, or choose another address with %s", w.address, w.flag)
			}
			return nil, fmt.Errorf("cannot listen on the address of %s: %w", w.flag, err)
		}
		*w.target = listener
	}
	if l.api == nil {
		return nil, errors.New("--listen needs an address such as 127.0.0.1:3000")
	}
	if options.OTLPGRPCListen == "auto" {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", autoGRPC)
		if err != nil {
			log.Warn("not serving OTLP over gRPC: its usual address cannot be used; choose another with --otlp-grpc-listen, or off", "error", err)
			return l, nil
		}
		l.grpc = listener
	}
	return l, nil
}

// addressOr returns where a listener listens, or a word for where it does not.
func addressOr(l net.Listener, otherwise string) string {
	if l == nil {
		return otherwise
	}
	return l.Addr().String()
}

// close closes what is open. Servers close their listeners too; a second time does no harm.
func (l *listeners) close() {
	for _, listener := range []net.Listener{l.api, l.grpc, l.metrics, l.pprof} {
		if listener != nil {
			_ = listener.Close()
		}
	}
}
