package server

import (
	"context"
	"log/slog"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/viewlog"
	"almanac/internal/catalog"
	"almanac/internal/experimenting"
	"almanac/internal/inherit"
	"almanac/internal/jobs"
	"almanac/internal/limits/usage"
	"almanac/internal/retention"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/scheduled"
)

// job is background work that runs as long as the server. Work that reads events is done by jobs that are leased from the
// catalog: each has a memory lease, as a request does.
type job struct {
	name string
	run  func(context.Context)
}

// leasedJobs is the job that runs those which are leased from the catalog.
const leasedJobs = "jobs"

// background is everything that works in the background.
type background struct {
	catalog      *catalog.Catalog
	keys         *auth.Keys
	accounts     *accounts.Accounts
	sending      func(context.Context) // e-mail; nil if there is none
	usage        *usage.Tracker
	failures     *auth.Failures
	certificates certificates
	jobs         *jobs.Runner
	views        *viewlog.Log // nil unless the operator wants views recorded
	log          *slog.Logger
}

func (b background) all() []job {
	return []job{
		{"key usage", func(ctx context.Context) { b.keys.Run(ctx) }},
		{"accounts", func(ctx context.Context) { runWithSuccessor(b.accounts.Run, b.sending)(ctx) }},
		{"limits", func(ctx context.Context) { b.usage.Run(ctx) }},
		{"refused credentials", func(ctx context.Context) { b.failures.Run(ctx) }},
		{"certificates", func(ctx context.Context) { b.certificates.watch(ctx) }},
		{leasedJobs, func(ctx context.Context) { b.jobs.Run(ctx) }},
		{"changes of other servers", func(ctx context.Context) { b.catalog.Listen(ctx, b.log) }},
		{"views", func(ctx context.Context) {
			if b.views != nil {
				b.views.Run(ctx)
			}
		}},
	}
}

// kinds are the jobs that are leased from the catalog.
func kinds(
	files *export.Files, buckets *scheduled.Exports, retained *retention.Job, completed *inherit.Job, run *experimenting.Experiments,
) []jobs.Kind {
	return []jobs.Kind{files.Kind(), buckets.Kind(), retained.Kind(), completed.Kind(), run.Kind()}
}

// JobNames returns the names of all background jobs. A test runs each of them with little memory.
func JobNames() []string {
	var names []string
	for _, kind := range kinds(new(export.Files), new(scheduled.Exports), new(retention.Job), new(inherit.Job),
		new(experimenting.Experiments)) {
		names = append(names, kind.Name)
	}
	for _, j := range (background{}).all() {
		if j.name != leasedJobs {
			names = append(names, j.name)
		}
	}
	return names
}
