package httpapi

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type healthBody struct {
	Status  string `json:"status"`
	Version string `json:"version"` // API version, for clients to compare
	Build   string `json:"build"`   // version of this program
}

func (a *API) healthBody(status string) healthBody {
	return healthBody{Status: status, Version: Level, Build: a.Build}
}

func (a *API) unhealthy(code int, status string) respond.Status {
	return respond.Status{Code: code, Body: a.healthBody(status)}
}

const (
	recentEvents = 3 * time.Minute
	pingTimeout  = 2 * time.Second
)

// health reports that the process is up and, if asked, that its databases are available and that events arrive.
func (a *API) health(c *endpoint.Call) (any, error) {
	q := c.Query()
	failIfDatabaseUnavailable, failIfNoRecentEvents := q.Bool("failIfDatabaseUnavailable"), q.Bool("failIfNoRecentEvents")
	if err := q.Err(); err != nil {
		return nil, err
	}
	if failIfDatabaseUnavailable != nil && *failIfDatabaseUnavailable && !a.databaseAnswers(c.Context()) {
		return a.unhealthy(http.StatusServiceUnavailable, "Database not available"), nil
	}
	if failIfNoRecentEvents != nil && *failIfNoRecentEvents && time.Since(a.LastEvent()) > recentEvents {
		return a.unhealthy(http.StatusServiceUnavailable, "No events within the last 3 minutes"), nil
	}
	return a.healthBody("OK"), nil
}

// ready reports whether the server should receive requests.
func (a *API) ready(c *endpoint.Call) (any, error) {
	if a.draining.Load() {
		return a.unhealthy(http.StatusInternalServerError, "SIGTERM / SIGINT received, shutting down"), nil
	}
	if !a.databaseAnswers(c.Context()) {
		return a.unhealthy(http.StatusServiceUnavailable, "Readiness check failed"), nil
	}
	return a.healthBody("OK"), nil
}

// databaseAnswers reports whether the catalog and the event store respond.
func (a *API) databaseAnswers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	// Ping both concurrently: they share the timeout.
	var (
		group    errgroup.Group
		database = func(name string, ping func(context.Context) error) {
			group.Go(func() error {
				err := ping(ctx)
				if err != nil {
					a.Log.Error("database is not responding", "of", name, "error", err)
				}
				return err
			})
		}
	)
	database("catalog", a.Catalog.Ping)
	database("events", a.Store.Ping)
	return group.Wait() == nil
}
