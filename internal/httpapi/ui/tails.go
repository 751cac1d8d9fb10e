package ui

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// Tails counts and limits the open tails.
type Tails struct {
	limits endpoint.TailLimits

	mu       sync.Mutex
	projects map[string]int
	all      int
}

// NewTails returns Tails with no open tails. Zero limits are replaced by defaults.
func NewTails(l endpoint.TailLimits, r prometheus.Registerer) *Tails {
	t := &Tails{projects: make(map[string]int), limits: endpoint.TailLimits{
		PerProject: cmp.Or(l.PerProject, 20), PerServer: cmp.Or(l.PerServer, 200), Longest: cmp.Or(l.Longest, 10*time.Minute),
		Every: cmp.Or(l.Every, 400*time.Millisecond), Quiet: cmp.Or(l.Quiet, 15*time.Second), Recheck: cmp.Or(l.Recheck, 2*time.Second),
		Stall: cmp.Or(l.Stall, 10*time.Second),
	}}
	promauto.With(r).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_tails", Help: "Tails that are open: clients that see rows as they arrive.",
	}, func() float64 {
		t.mu.Lock()
		defer t.mu.Unlock()
		return float64(t.all)
	})
	return t
}

// open counts a new tail of a project, or returns an error if a limit is reached. The caller must call closeIt when
// done.
func (t *Tails) open(project string) (closeIt func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.projects[project] >= t.limits.PerProject:
		return nil,
			tooManyTails(fmt.Sprintf("%d live views of this project are open already, and there may be no more. Close one and try again.",
				t.limits.PerProject))
	case t.all >= t.limits.PerServer:
		return nil,
			tooManyTails(fmt.Sprintf("%d live views are open on this server already, and there may be no more. Try again later.",
				t.limits.PerServer))
	}
	t.projects[project]++
	t.all++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.all--
		if t.projects[project]--; t.projects[project] == 0 {
			delete(t.projects, project)
		}
	}, nil
}

// retryTail is the Retry-After value, in seconds, when a limit on tails is reached.
const retryTail = 10

func tooManyTails(message string) *respond.Error {
	return &respond.Error{Status: http.StatusTooManyRequests, Message: message, RetryAfter: retryTail}
}
