package demo

import (
	"fmt"
	"strings"
	"time"
)

// The document search answers questions of the shop's employees from its handbook: it embeds the question, retrieves
// passages, lets a model answer from them, and has some answers judged. It is instrumented with plain OpenTelemetry and
// its conventions for generative AI.
var search = &application{
	oldVersion: "1.8.0", newVersion: "1.9.0",
	service: service{
		name: "handbook-search", language: "nodejs", sdkName: "opentelemetry", sdkVersion: "2.2.0",
		scopeName: "handbook-search", scopeVersion: "1.8.0",
	},
}

// searchVisit is one question, or a few consecutive ones.
type searchVisit struct {
	chance    chance
	texts     *texts
	about     about
	questions []*question // still to be asked
}

func (w *Workload) newSearchVisit(c chance, p *plan) *searchVisit {
	v := &searchVisit{chance: c, texts: w.texts}
	questions := w.texts.handbook.Questions
	first := c.IntN(len(questions))
	for n := range min(c.between(1, 2), p.most) {
		v.questions = append(v.questions, questions[(first+n)%len(questions)])
	}
	v.about = about{
		service: &search.service, name: "handbook-search", user: w.colleague(c), stage: p.stage.at(search, p.end),
		tags:     []string{"rag", "internal", "team:" + pick(c, []string{"support", "warehouse", "purchasing", "finance"})},
		metadata: []member{{"index", "handbook-2026"}, {"chunks_indexed", 1842}, {"hybrid", true}},
	}
	if len(v.questions) > 1 || c.happens(0.5) {
		v.about.session = fmt.Sprintf("search-%08x", c.Uint32())
	}
	return v
}

func (v *searchVisit) left() int { return len(v.questions) }

func (v *searchVisit) next(end time.Time) *Trace {
	q := v.questions[0]
	v.questions = v.questions[1:]
	text := pick(v.chance, q.Asked)

	r := record(v.chance, &v.about)
	root := r.begin(nil, kindChain, "answer-question")
	// The application's own attributes, of all types that OpenTelemetry supports.
	root.set("http.request.method", "POST")
	root.set("http.response.status_code", int64(200))
	root.set("search.top_k", int64(len(q.Passages)))
	root.set("search.min_score", 0.35)
	root.set("search.rerank", v.about.stage.renewed)
	root.set("search.sources", []string{"handbook", "policies", "wiki"})
	r.work(4 * time.Millisecond)

	embedQuestion(r, root, text)
	passages, ok := v.retrieve(r, root, q, text)
	if !ok {
		root.fail("the index did not answer")
		root.io(map[string]string{"question": text}, nil)
		r.end(root)
		return r.finish(end)
	}
	if v.about.stage.renewed {
		rerank(r, root, passages)
	}
	answer := q.Answer
	if len(passages) == 0 {
		answer = "I could not find anything about that in the handbook."
		root.level(levelWarning, "no passage above search.min_score")
	}
	v.answerFrom(r, root, text, answer, passages)
	if r.happens(0.3) {
		v.judge(r, root, text, answer, len(passages) > 0)
	}
	root.io(map[string]string{"question": text}, map[string]any{"answer": answer, "sources": titles(passages)})
	r.end(root)
	return r.finish(end)
}

// embedQuestion records the embedding of a question.
func embedQuestion(r *recorder, root *Span, text string) {
	s := r.beginPlain(root, kindEmbedding, "embeddings "+modelEmbed.name)
	genAI(s, "embeddings", modelEmbed)
	s.set("gen_ai.usage.input_tokens", tokens(text))
	s.set("gen_ai.request.encoding_formats", []string{"float"})
	s.set("gen_ai.embeddings.dimension.count", int64(1536))
	s.io([]string{text}, nil)
	r.work(modelEmbed.firstToken)
	r.end(s)
}

// retrieve records the search in the index. It returns false if the index did not respond; sometimes it finds nothing.
func (v *searchVisit) retrieve(r *recorder, root *Span, q *question, text string) (found []passage, ok bool) {
	s := r.begin(root, kindRetriever, "search-handbook")
	s.set("db.system.name", "qdrant")
	s.set("db.collection.name", "handbook-2026")
	if r.happens(0.02) {
		r.pass(3 * time.Second)
		s.io(text, nil)
		s.fail("qdrant: deadline exceeded after 3000ms")
		r.end(s)
		return nil, false
	}
	r.work(45 * time.Millisecond)
	if !r.happens(0.05) {
		documents := v.texts.handbook.Documents
		score := 0.80 + 0.15*r.Float64()
		for _, p := range q.Passages {
			found = append(found, passage{ID: p, Title: documents[p].Title, Text: documents[p].Text, Score: float64(int(1000*score)) / 1000})
			score -= 0.05 + 0.1*r.Float64()
		}
	}
	s.io(text, found)
	s.set("search.hits", int64(len(found)))
	r.end(s)
	return found, true
}

// rerank records a step that only the new version has.
func rerank(r *recorder, root *Span, passages []passage) {
	s := r.begin(root, kindSpan, "rerank")
	r.work(70 * time.Millisecond)
	s.io(titles(passages), titles(passages))
	s.set("rerank.model", "bge-reranker-v2-m3")
	r.end(s)
}

// answerFrom records a model answering from the passages.
func (v *searchVisit) answerFrom(r *recorder, root *Span, text, answer string, passages []passage) {
	var context strings.Builder
	for _, p := range passages {
		fmt.Fprintf(&context, "# %s\n%s\n\n", p.Title, p.Text)
	}
	input := jsonOf([]part{
		{"system", []content{{"text", v.texts.handbook.Prompt}}},
		{"user", []content{{"text", context.String() + "Question: " + text}}},
	})
	output := jsonOf([]part{{"assistant", []content{{"text", answer}}}})
	s := r.beginPlain(root, kindGeneration, "chat "+modelSearch.name)
	genAI(s, "chat", modelSearch)
	s.set("gen_ai.request.temperature", 0.1)
	s.set("gen_ai.request.max_tokens", int64(600))
	s.set("gen_ai.response.finish_reasons", []string{"stop"})
	s.set("gen_ai.input.messages", input)
	s.set("gen_ai.output.messages", output)
	s.set("gen_ai.usage.input_tokens", tokens(input))
	s.set("gen_ai.usage.output_tokens", tokens(output))
	s.set("langfuse.observation.prompt.name", "handbook-answer")
	s.set("langfuse.observation.prompt.version", int64(3))
	r.work(modelSearch.firstToken)
	s.set("langfuse.observation.completion_start_time", r.now)
	r.pass(modelSearch.writes(tokens(output)))
	r.end(s)
}

// judge records another model judging the answer.
func (v *searchVisit) judge(r *recorder, root *Span, text, answer string, grounded bool) {
	s := r.begin(root, kindEvaluator, "judge-faithfulness")
	score, reason := 1.0, "Every statement of the answer is in the passages."
	switch {
	case !grounded:
		score, reason = 0, "There were no passages that the answer could rely on."
	case r.happens(0.2):
		score, reason = 0.5, "The answer is right but leaves out a condition that the passage names."
		s.level(levelWarning, "faithfulness is below 0.7")
	}
	s.verdict = &verdict{"faithfulness", score, reason}
	found := map[string]any{"score": score, "reason": reason}
	r.generate(s, &call{
		name: "judge", model: modelJudge, prompt: "judge-faithfulness", promptVersion: 2,
		messages: []message{{Role: "system", Content: v.texts.handbook.Judge}, {Role: "user", Content: "Question: " + text + "\nAnswer: " + answer}},
		answer:   message{Role: "assistant", Content: jsonOf(found)},
	})
	s.io(map[string]string{"question": text, "answer": answer}, found)
	s.metadata(member{"criterion", "faithfulness"}, member{"threshold", 0.7}, member{"score", score})
	r.end(s)
}

// genAI sets the attributes that OpenTelemetry's conventions require for every model call.
func genAI(s *Span, operation string, m *model) {
	s.set("gen_ai.operation.name", operation)
	s.set("gen_ai.provider.name", m.provider)
	s.set("gen_ai.request.model", m.name)
	s.set("gen_ai.response.model", m.name)
}

// part and content form a message according to OpenTelemetry's conventions.
type part struct {
	Role  string    `json:"role"`
	Parts []content `json:"parts"`
}

type content struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

// passage is a retrieved piece of the handbook.
type passage struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Score float64 `json:"score"`
	Text  string  `json:"text"`
}

func titles(passages []passage) []string {
	list := make([]string, len(passages))
	for i := range passages {
		list[i] = passages[i].Title
	}
	return list
}
