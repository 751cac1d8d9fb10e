package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"almanac/bench/corpus"
	"almanac/bench/internal/report"
)

// plan says what to measure.
type plan struct {
	producers, batch int
	queries          bool
	load             int // rows per second; 0 for none
	patience         patience
}

// measurement is the measurement of one engine.
type measurement struct {
	plan      plan
	generator *corpus.Generator
	perRow    time.Duration // CPU time of the generator
	rows      int
	name      string
	dir       string
	open      func(ctx context.Context, dir string) (engine, error)
	progress  func(format string, args ...any)

	lines   []line
	answers []timed // of queries without concurrent ingest
}

func (m *measurement) add(label, text string, value float64, better direction) {
	m.lines = append(m.lines, line{label, text, value, better})
}

// run measures everything, in the order of the report.
func (m *measurement) run(ctx context.Context) (err error) {
	if err := os.MkdirAll(m.dir, 0o750); err != nil { //nolint:gosec // the operator named it
		return err
	}
	if entries, err := os.ReadDir(m.dir); err != nil || len(entries) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not empty", m.dir))
	}
	m.generator.Restart()
	debug.FreeOSMemory()
	own := thisProcess.anonymousMemory()
	e, err := m.open(ctx, m.dir)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer func() {
		if e != nil {
			err = errors.Join(err, e.close())
		}
	}()
	if e.process() != thisProcess {
		own, m.perRow = 0, 0 // nothing else runs in its process
	}
	if err := m.ingest(ctx, e, own); err != nil {
		return err
	}

	began := time.Now()
	err = e.close()
	e = nil
	if err != nil {
		return fmt.Errorf("close: %w", err)
	}
	closed := time.Since(began)
	began = time.Now()
	if e, err = m.open(ctx, m.dir); err != nil {
		e = nil
		return fmt.Errorf("open again: %w", err)
	}
	opened := time.Since(began)
	m.add("close, ms", report.Significant(milliseconds(closed)), milliseconds(closed), lower)
	m.add("open again, ms", report.Significant(milliseconds(opened)), milliseconds(opened), lower)
	count, err := e.count(ctx)
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	if count != int64(m.rows) {
		return fmt.Errorf("there are %d rows after opening again, and %d were acknowledged", count, m.rows)
	}
	if m.plan.queries || m.plan.load > 0 {
		return m.ask(ctx, e)
	}
	return nil
}

// ingest measures ingest until all rows are in their final place. own is the memory of the process before.
func (m *measurement) ingest(ctx context.Context, e engine, own int64) error {
	m.progress("ingesting %s rows", report.Grouped(int64(m.rows)))
	peak := e.process().watchMemory()
	cpu, began := e.process().cpuTime(), time.Now()
	acks, err := ingest(ctx, e, &source{generator: m.generator}, m.rows, m.plan.producers, m.plan.batch)
	acked := time.Since(began)
	if err == nil {
		err = e.flush(ctx)
	}
	flushed, cpuTook := time.Since(began), e.process().cpuTime()-cpu
	peakMemory := peak()
	if err != nil {
		return err
	}
	disk, err := e.disk(ctx)
	if err != nil {
		return fmt.Errorf("look at the files: %w", err)
	}
	debug.FreeOSMemory()
	idleMemory := e.process().anonymousMemory()

	rows := float64(m.rows)
	perSecond, afterFlush := rows/acked.Seconds(), rows/flushed.Seconds()
	micros := (float64(cpuTook)/rows - float64(m.perRow)) / 1000
	bytesPerRow := float64(disk) / rows
	m.lines = append(m.lines, heading(fmt.Sprintf("ingest, %d producers × %d rows", m.plan.producers, m.plan.batch)))
	m.add("rows", report.Grouped(int64(m.rows)), 0, neither)
	m.add("rows/s", report.Significant(perSecond), perSecond, higher)
	m.add("rows/s with the final flush", report.Significant(afterFlush), afterFlush, higher)
	m.add("CPU µs per row, flush included", report.Significant(micros), micros, lower)
	m.addAcks(acks)
	m.add("bytes per row on disk", report.Significant(bytesPerRow), bytesPerRow, lower)
	m.addMemory("anonymous memory, the program's own, MB", own, neither)
	m.addMemory("anonymous memory beyond it, peak, MB", peakMemory-own, lower)
	m.addMemory("anonymous memory beyond it, idle, MB", idleMemory-own, lower)
	return nil
}

func (m *measurement) addMemory(label string, bytes int64, better direction) {
	megabytes := float64(bytes) / 1e6
	m.add(label, report.Significant(megabytes), megabytes, better)
}

func (m *measurement) addAcks(a *acks) {
	p50, p99, longest := milliseconds(a.took.percentile(50)), milliseconds(a.took.percentile(99)), milliseconds(a.took.percentile(100))
	m.add("ack p50 / p99, ms", report.Significant(p50)+" / "+report.Significant(p99), p99, lower)
	m.add("ack max, ms", report.Significant(longest), longest, lower)
	if a.tries > 0 {
		m.add("appends refused as busy", report.Grouped(int64(a.tries)), float64(a.tries), lower)
	}
}

// ask measures the queries, alone and under load, and finally the deletion, which changes the data.
func (m *measurement) ask(ctx context.Context, e engine) error {
	q := newQuestions(m.generator)
	if q.traces == 0 {
		return fmt.Errorf("%d rows are no complete trace to ask for", m.rows)
	}
	if m.plan.queries {
		m.progress("asking")
		results, err := measureQueries(ctx, e, q.repeated(), m.plan.patience)
		if err != nil {
			return err
		}
		m.lines = append(m.lines, heading("queries: p50 / p99 / CPU, ms"))
		m.addTimed(results)
		m.answers = results
	}
	if m.plan.load > 0 {
		m.progress("asking while %s rows/s come in", report.Grouped(int64(m.plan.load)))
		if err := m.askUnderLoad(ctx, e, q); err != nil {
			return err
		}
	}
	m.progress("deleting")
	deletion, err := q.deletion(ctx, e)
	if err != nil {
		return err
	}
	m.lines = append(m.lines, heading("deletion: ms / CPU, ms"))
	took := milliseconds(deletion.took[0])
	m.add(deletion.name, fmt.Sprintf("%s / %s  (%s rows)", report.Significant(took), report.Significant(milliseconds(deletion.cpu)),
		report.Grouped(int64(deletion.first.rows))), took, lower)
	return nil
}

func (m *measurement) askUnderLoad(ctx context.Context, e engine, q questions) error {
	l := startLoad(ctx, e, &source{generator: m.generator}, m.plan.load, m.plan.batch)
	results, err := measureQueries(ctx, e, q.repeated(), m.plan.patience)
	if err := errors.Join(err, l.stop()); err != nil {
		return err
	}
	m.lines = append(m.lines,
		heading(fmt.Sprintf("queries while %s rows/s come in: p50 / p99 / CPU of everything, ms", report.Grouped(int64(m.plan.load)))))
	m.addTimed(results)
	m.add("rows/s that came in", report.Significant(float64(l.rows)/l.took.Seconds()), float64(l.rows)/l.took.Seconds(), higher)
	m.addAcks(&l.acks)
	return nil
}

func (m *measurement) addTimed(results []timed) {
	for _, t := range results {
		p50 := milliseconds(t.took.percentile(50))
		text := report.Significant(p50) + " / " + report.Significant(milliseconds(t.took.percentile(99))) + " / " +
			report.Significant(milliseconds(t.cpu)) +
			fmt.Sprintf("  (%s found", report.Grouped(int64(t.first.rows)))
		if t.runs < m.plan.patience.runs {
			text += fmt.Sprintf(", %d runs", t.runs)
		}
		m.add(t.name, text+")", p50, lower)
	}
}
