package playground

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"almanac/internal/httpapi/respond"
)

// The maximum numbers of runs in progress.
const (
	maxPerPerson  = 25 // in one project
	maxPerProject = 50
	maxPerServer  = 200
	// retryRun is the Retry-After value, in seconds, when one of them is reached.
	retryRun = 5
)

// Runs counts and limits the runs in progress.
type Runs struct {
	mu       sync.Mutex
	projects map[string]int
	people   map[[2]string]int
	all      int
}

// NewRuns returns Runs with nothing in progress.
func NewRuns(r prometheus.Registerer) *Runs {
	runs := &Runs{projects: make(map[string]int), people: make(map[[2]string]int)}
	promauto.With(r).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "almanac_playground_runs", Help: "Runs of the playground that are in progress.",
	}, func() float64 {
		runs.mu.Lock()
		defer runs.mu.Unlock()
		return float64(runs.all)
	})
	return runs
}

// begin counts a new run, or returns an error if a limit is reached. The caller must call end when done.
func (r *Runs) begin(project, person string) (end func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := [2]string{project, person}
	switch {
	case r.people[own] >= maxPerPerson:
		return nil, tooManyRuns(fmt.Sprintf("You have %d runs in progress, and there may be no more. Stop one, or wait.", maxPerPerson))
	case r.projects[project] >= maxPerProject:
		return nil, tooManyRuns(fmt.Sprintf("%d runs of this project are in progress, and there may be no more. Try again shortly.",
			maxPerProject))
	case r.all >= maxPerServer:
		return nil, tooManyRuns(fmt.Sprintf("%d runs are in progress on this server, and there may be no more. Try again shortly.",
			maxPerServer))
	}
	r.people[own]++
	r.projects[project]++
	r.all++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all--
		if r.projects[project]--; r.projects[project] == 0 {
			delete(r.projects, project)
		}
		if r.people[own]--; r.people[own] == 0 {
			delete(r.people, own)
		}
	}, nil
}

func tooManyRuns(message string) *respond.Error {
	return &respond.Error{Status: http.StatusTooManyRequests, Message: message, RetryAfter: retryRun}
}
