package server

import (
	"context"
	"log/slog"

	"almanac/internal/access/accounts"
	"almanac/internal/access/auth"
	"almanac/internal/access/viewlog"
	"almanac/internal/catalog"
	"almanac/internal/limits/usage"
	"almanac/internal/retention"
	"almanac/internal/transfer/export"
	"almanac/internal/transfer/scheduled"
)

// job is background work that runs as long as the server. One that reads events takes a memory lease for each piece of
// its work (memory.Budget.Work), and no lease for longer: what reads leave counted, such as the groups of an aggregate,
// is released with it.
type job struct {
	name string
	run  func(context.Context)
}

// background is everything that works in the background.
type background struct {
	catalog      *catalog.Catalog
	keys         *auth.Keys
	accounts     *accounts.Accounts
	sending      func(context.Context) // e-mail; nil if there is none
	usage        *usage.Tracker
	failures     *auth.Failures
	certificates certificates
	exports      *export.Runner
	scheduled    *scheduled.Runner
	retention    *retention.Job
	views        *viewlog.Log // nil unless the operator wants views recorded
	log          *slog.Logger
}

func (b background) jobs() []job {
	return []job{
		{"key usage", func(ctx context.Context) { b.keys.Run(ctx) }},
		{"accounts", func(ctx context.Context) { runWithSuccessor(b.accounts.Run, b.sending)(ctx) }},
		{"limits", func(ctx context.Context) { b.usage.Run(ctx) }},
		{"refused credentials", func(ctx context.Context) { b.failures.Run(ctx) }},
		{"certificates", func(ctx context.Context) { b.certificates.watch(ctx) }},
		{"exports", func(ctx context.Context) { b.exports.Run(ctx) }},
		{"scheduled exports", func(ctx context.Context) { b.scheduled.Run(ctx) }},
		{"changes of other servers", func(ctx context.Context) { b.catalog.Listen(ctx, b.log) }},
		{"retention", func(ctx context.Context) { b.catalog.RunExclusive(ctx, "retention", b.log, b.retention.Run) }},
		{"views", func(ctx context.Context) {
			if b.views != nil {
				b.views.Run(ctx)
			}
		}},
	}
}

// JobNames returns the names of all background jobs. A test runs each of them with little memory.
func JobNames() []string {
	var names []string
	for _, j := range (background{}).jobs() {
		names = append(names, j.name)
	}
	return names
}
