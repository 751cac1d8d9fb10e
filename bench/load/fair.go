package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// The project whose exports are measured while another one is read heavily. The server creates it when it starts.
const (
	neighbour       = "neighbour"
	neighbourPublic = "pk-lf-" + neighbour
	neighbourSecret = "sk-lf-" + neighbour
)

// neighbourArgs returns the arguments of serve that create the project.
func neighbourArgs() []string {
	return []string{
		"--init-org-id", neighbour, "--init-project-id", neighbour,
		"--init-project-public-key", neighbourPublic, "--init-project-secret-key", neighbourSecret,
	}
}

// measureFair sends small exports of one project while many readers query another.
func (m *measurement) measureFair(ctx context.Context) error {
	target := *m.target
	target.publicKey, target.secretKey = neighbourPublic, neighbourSecret
	m.progress("making spans")
	s, err := newSender(m.options, &target, new(sample))
	if err != nil {
		return err
	}
	if a := s.prepare(0)(ctx); !a.ok {
		return fmt.Errorf("the target does not take spans: %s %s", a.status, a.problem)
	}
	heavy := mix{"heavy", slices.Concat(metricsQuestions(m.known), slices.DeleteFunc(rowQuestions(m.known), func(q question) bool {
		return !strings.HasPrefix(q.name, "1,000 rows")
	}))}
	questions, err := m.supported(ctx, heavy)
	if err != nil {
		return err
	}
	reading := &running{kind: heavy.kind, names: []string{"all questions by turns"}, tallies: make([]tally, 1)}
	tallies := make([]tally, len(questions))
	reading.stream = m.asking(questions, tallies)
	prepare := reading.prepare
	reading.prepare = func(n int) (func(context.Context) answer, *tally) {
		ask, _ := prepare(n)
		return ask, &reading.tallies[0]
	}
	reading.connections, reading.duration, reading.warmUp = m.readers, m.duration, m.warmUp
	m.result.fact("readers", "%d of one project, each asks as soon as it was answered; spans are another project's", m.readers)
	return m.drive(ctx, m.sending(s), reading)
}
