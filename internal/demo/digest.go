package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The review digest is a nightly job: it summarises what customers wrote about each product, with a model run by the
// shop itself, which therefore knows the cost of a token better than any price list.
var digest = &application{
	oldVersion: "0.9.3", newVersion: "0.10.0",
	service: service{
		name: "review-digest", language: "python", sdkName: "opentelemetry", sdkVersion: "1.38.0",
		scopeName: "langfuse-sdk", scopeVersion: "4.18.0",
	},
}

// digestVisit is one run of the job.
type digestVisit struct {
	chance chance
	texts  *texts
	about  about
	done   bool
}

func (w *Workload) newDigestVisit(c chance, p *plan) *digestVisit {
	return &digestVisit{chance: c, texts: w.texts, about: about{
		service: &digest.service, name: "review-digest", stage: p.stage.at(digest, p.end), tags: []string{"batch", "nightly"},
		metadata: []member{{"trigger", "cron"}, {"shard", c.between(0, 3)}},
	}}
}

func (v *digestVisit) left() int {
	if v.done {
		return 0
	}
	return 1
}

// summary is the output that the model is asked for.
type summary struct {
	Product string   `json:"product"`
	Stars   float64  `json:"stars"`
	Summary string   `json:"summary"`
	Praise  []string `json:"praise"`
	Blame   []string `json:"blame"`
}

func (v *digestVisit) next(end time.Time) *Trace {
	v.done = true
	r := record(v.chance, &v.about)
	root := r.begin(nil, kindChain, "review-digest")
	products := v.texts.shop.Products
	first, count := r.IntN(len(products)), r.between(3, 6)
	names := make([]string, count)
	for n := range names {
		names[n] = products[(first+n)%len(products)]
	}
	r.work(20 * time.Millisecond)
	reviews := v.load(r, root, names)
	var done []summary
	skipped := 0
	for n, name := range names {
		if s, ok := v.summarise(r, root, name, reviews[n]); ok {
			done = append(done, s)
		} else {
			skipped++
		}
	}
	root.io(map[string]any{"products": names, "since": end.AddDate(0, 0, -1).Format(time.DateOnly)}, done)
	root.metadata(
		member{"products", count}, member{"skipped", skipped}, member{"dry_run", v.about.stage.environment != "production"},
		member{"limits", map[string]any{"reviews": 50, "words": 60, "languages": []string{"en", "de"}}},
	)
	if skipped > 0 {
		root.level(levelWarning, fmt.Sprintf("%d of %d products were skipped", skipped, count))
	}
	r.end(root)
	return r.finish(end)
}

// load records the loading of the reviews of all products.
func (v *digestVisit) load(r *recorder, root *Span, names []string) [][]string {
	s := r.begin(root, kindTool, "load-reviews")
	lists := make([][]string, len(names))
	total := 0
	for n := range lists {
		for range r.between(4, 12) {
			lists[n] = append(lists[n], strings.ReplaceAll(pick(r.chance, v.texts.reviews.Reviews), "{product}", names[n]))
		}
		total += len(lists[n])
	}
	r.work(350 * time.Millisecond)
	s.io(map[string]any{"products": names}, map[string]any{"reviews": total})
	s.metadata(member{"rows", total}, member{"table", "shop.reviews"})
	r.end(s)
	return lists
}

// summarise records the work on one product. It reports whether there is a summary in the end: the model does not
// always produce what it was asked for.
func (v *digestVisit) summarise(r *recorder, root *Span, product string, reviews []string) (summary, bool) {
	span := r.begin(root, kindSpan, "summarise-product")
	span.metadata(member{"product", product}, member{"reviews", len(reviews)})
	result := summary{
		Product: product, Stars: float64(r.between(32, 48)) / 10, Summary: strings.ReplaceAll(pick(r.chance, v.texts.reviews.Summaries), "{product}", product),
		Praise: []string{pick(r.chance, v.texts.reviews.Praise), pick(r.chance, v.texts.reviews.Praise)}, Blame: []string{pick(r.chance, v.texts.reviews.Blame)},
	}
	text := jsonOf(result)
	broken := r.happens(0.08)
	if broken {
		text = text[:len(text)*2/3] + "…" // it ran out of tokens
	}
	r.generate(span, &call{
		name: "summarise", model: modelDigest, prompt: "review-summary", promptVersion: 7,
		messages: []message{{Role: "system", Content: v.texts.reviews.Prompt}, {Role: "user", Content: "- " + strings.Join(reviews, "\n- ")}},
		answer:   message{Role: "assistant", Content: text},
	})
	if broken {
		err := json.Unmarshal([]byte(text), new(summary))
		span.level(levelWarning, "the model did not write JSON: "+err.Error())
		span.io(reviews, nil)
		r.end(span)
		return summary{}, false
	}
	v.check(r, span, reviews, result)
	span.io(reviews, result)
	r.end(span)
	return result, true
}

// check records the check of a summary against the reviews, which does not need a model.
func (v *digestVisit) check(r *recorder, span *Span, reviews []string, result summary) {
	s := r.begin(span, kindEvaluator, "check-coverage")
	covered := float64(r.between(60, 100)) / 100
	r.work(8 * time.Millisecond)
	s.io(map[string]any{"reviews": len(reviews), "summary": result.Summary}, map[string]any{"coverage": covered, "pass": covered >= 0.7})
	s.metadata(member{"criterion", "coverage"}, member{"threshold", 0.7}, member{"score", covered}, member{"pass", covered >= 0.7})
	if covered < 0.7 {
		s.level(levelWarning, "the summary leaves out a topic that many reviews have")
	}
	r.end(s)
}
