package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/bench/internal/process"
	"almanac/bench/internal/report"
)

// side is one of the two programs compared.
type side struct {
	name   string
	server *process.Server
	target *target
	times  []time.Duration // of the current question
	cpu    time.Duration   // for all spans
}

// comparison sends the same requests to two programs alternately. A machine whose speed changes from minute to minute
// slows both alike, so small differences show that two consecutive runs would hide.
type comparison struct {
	measurement
	sides [2]*side
	table strings.Builder
}

// compare starts both programs, sends both the same spans, and asks both the same questions.
func (o options) compare(ctx context.Context, directory string, out, stderr io.Writer, facts string) (err error) {
	c := &comparison{measurement: measurement{options: o, stderr: stderr, result: new(result)}}
	for n, name := range []string{"before", "after"} {
		binary := o.binary
		if name == "before" {
			binary = o.before
		}
		if err := os.MkdirAll(filepath.Join(directory, name), 0o700); err != nil {
			return err
		}
		server, failure := process.Start(ctx, filepath.Join(directory, name), binary, strings.Fields(o.serverArgs)...)
		if failure != nil {
			return fmt.Errorf("the program %s: %w", name, failure)
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		own := o
		own.url, own.publicKey, own.secretKey = server.URL, server.PublicKey, server.SecretKey
		c.sides[n] = &side{name: name, server: server, target: newTarget(own)}
		defer c.sides[n].target.client.CloseIdleConnections()
	}
	if err := c.compareSpans(ctx); err != nil {
		return err
	}
	if err := c.compareQuestions(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%safter     load average %s\n\n%s", facts, report.LoadAverage(), c.table.String())
	return err
}

// byTurns calls a function for both sides, alternating which comes first.
func (c *comparison) byTurns(n int, do func(*side) error) error {
	for k := range c.sides {
		if err := do(c.sides[(n+k)%len(c.sides)]); err != nil {
			return err
		}
	}
	return nil
}

// compareSpans fills both servers.
func (c *comparison) compareSpans(ctx context.Context) error {
	c.progress("making spans")
	o := c.options
	o.spans, o.duration = c.rows, 0
	s, err := newSender(o, c.sides[0].target, new(sample))
	if err != nil {
		return err
	}
	c.progress("sending")
	var pids []process.PID
	for _, side := range c.sides {
		pids = append(pids, side.server.PID)
		side.cpu = -side.server.PID.CPU()
	}
	for n := range s.ready {
		err := c.byTurns(n, func(to *side) error {
			if a := to.target.export(ctx, s.ready[n], s.bodies[n].spans); !a.ok {
				return fmt.Errorf("the program %s does not take spans: %s %s", to.name, a.status, a.problem)
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if err := process.Settle(ctx, pids...); err != nil {
		return err
	}
	for _, side := range c.sides {
		side.cpu += side.server.PID.CPU()
	}
	each := func(s *side) float64 { return float64(s.cpu.Microseconds()) / float64(c.rows) }
	before, after := each(c.sides[0]), each(c.sides[1])
	fmt.Fprintf(&c.table, "%s spans: %s µs of CPU each before, %s after: %s\n\n", report.Grouped(int64(c.rows)), report.Significant(before),
		report.Significant(after), change(before, after))
	return nil
}

// compareQuestions asks both servers.
func (c *comparison) compareQuestions(ctx context.Context) (err error) {
	c.target = c.sides[1].target
	if c.known, err = discover(ctx, c.target); err != nil {
		return err
	}
	questions, err := c.supported(ctx, mix{"rows", append(rowQuestions(c.known), question{
		name: "a list of prompts, none there", path: always("/api/public/v2/prompts?limit=50"),
	})})
	if err != nil {
		return err
	}
	if left := c.result.Requests; len(left) > 0 {
		return fmt.Errorf("%s: %s", left[0].Name, left[0].LeftOut)
	}
	w := tabwriter.NewWriter(&c.table, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "asked\tp10 ms\tafter\t\tp50 ms\tafter\t\t  question") // Flush reports errors
	for n := range questions {
		if err := c.compareQuestion(ctx, &questions[n]); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(w, "%d", len(c.sides[0].times))
		for _, q := range []float64{0.1, 0.5} {
			var ms [2]float64
			for k, side := range c.sides {
				slices.Sort(side.times)
				ms[k] = quantile(side.times, q)
			}
			_, _ = fmt.Fprintf(w, "\t%s\t%s\t%s", report.Significant(ms[0]), report.Significant(ms[1]), change(ms[0], ms[1]))
		}
		_, _ = fmt.Fprintf(w, "\t  %s\n", questions[n].name)
	}
	return w.Flush()
}

// compareQuestion asks one question repeatedly for the duration.
func (c *comparison) compareQuestion(ctx context.Context, q *question) error {
	const warmUps = 20
	c.progress("asking: %s", q.name)
	for _, side := range c.sides {
		side.times = nil
	}
	for n, began := 0, time.Now(); n <= warmUps || time.Since(began) < c.duration; n++ {
		path := q.path(rand.New(rand.NewPCG(c.seed, uint64(n))))
		err := c.byTurns(n, func(s *side) error {
			asked := time.Now()
			a, _ := s.target.get(ctx, path, "")
			if !a.ok {
				return fmt.Errorf("the program %s: %s: %s %s", s.name, q.name, a.status, a.problem)
			}
			if n >= warmUps {
				s.times = append(s.times, time.Since(asked))
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// change formats a relative change.
func change(before, after float64) string { return fmt.Sprintf("%+.1f %%", 100*(after/before-1)) }
