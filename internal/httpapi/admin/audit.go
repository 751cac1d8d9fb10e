package admin

import (
	"iter"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of a page of the audit log.
const (
	defaultAudit = 50
	maxAudit     = 100
)

// ListAudit returns the audit log of an organization, newest first.
func (h *Handlers) ListAudit(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	q, err := readAuditQuery(c.Query())
	if err != nil {
		return nil, err
	}
	return h.answerAudit(c, q, h.Catalog.AuditLog(c.Context(), scope, q.filter))
}

// ListProjectAudit returns the audit log of the project named by the path, newest first.
func (h *Handlers) ListProjectAudit(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	q, err := readAuditQuery(c.Query())
	if err != nil {
		return nil, err
	}
	q.filter.ProjectID = c.Path("projectId")
	return h.answerAudit(c, q, h.Catalog.AuditLog(c.Context(), scope, q.filter))
}

// ListAuditOfInstance returns the audit log of all organizations, or of one, which may have been deleted.
func (h *Handlers) ListAuditOfInstance(c *endpoint.Call) (any, error) {
	parameters := c.Query()
	organization := endpoint.ValueOr(parameters.String("organizationId"), "")
	q, err := readAuditQuery(parameters)
	if err != nil {
		return nil, err
	}
	return h.answerAudit(c, q, h.Catalog.AuditLogOfInstance(c.Context(), organization, q.filter))
}

// auditQuery is a query of the audit log.
type auditQuery struct {
	filter catalog.AuditFilter
	limit  int  // page size
	lines  bool // all entries, one per line, instead of a page
}

// readAuditQuery reads the parameters. It rejects unknown ones, except those already read, because a misspelled filter
// would select everything.
func readAuditQuery(q *decode.Query) (auditQuery, error) {
	var out auditQuery
	var cursor *string
	if out.lines = q.Enum("format", "json", "jsonl") == "jsonl"; out.lines {
		for _, name := range []string{"limit", "cursor"} {
			if q.Values(name) != nil {
				q.Add(decode.Violation([]any{name}, "format=jsonl has all entries that match: it has no pages"))
			}
		}
	} else {
		out.limit = q.Int("limit", decode.IntRule{Default: defaultAudit, Min: 1, Max: maxAudit})
		out.filter.Limit = out.limit + 1 // to know whether there are more
		cursor = q.String("cursor")
	}
	f := &out.filter
	f.From, f.To = readTime(q, "fromTimestamp"), readTime(q, "toTimestamp")
	f.Actor = domain.Actor{Kind: endpoint.ValueOr(q.String("actorType"), ""), ID: endpoint.ValueOr(q.String("actorId"), "")}
	f.Action = q.Enum("action", "create", "update", "delete", "view")
	f.ResourceKind, f.ResourceID = endpoint.ValueOr(q.String("resourceType"), ""), endpoint.ValueOr(q.String("resourceId"), "")
	f.ProjectID = endpoint.ValueOr(q.String("projectId"), "")
	q.Strict()
	if err := q.Err(); err != nil {
		return out, err
	}
	if cursor != nil {
		position, refused := respond.DecodeTimestampCursor(*cursor)
		if refused != nil {
			return out, refused
		}
		f.After = tables.Position{At: time.UnixMilli(position.Millis), ID: position.ID}
	}
	return out, nil
}

// readTime reads a time, whose zone and time of day are optional; the zero time if it is absent.
func readTime(q *decode.Query, name string) time.Time {
	if t := q.Date(name); t != nil {
		return *t
	}
	return time.Time{}
}

// answerAudit returns the response with entries: a page of them, or all of them as JSON lines.
func (h *Handlers) answerAudit(c *endpoint.Call, q auditQuery, entries iter.Seq2[*domain.AuditEntry, error]) (any, error) {
	if q.lines {
		return c.StreamAs(respond.JSONLines, func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
			for entry, err := range endpoint.Bodies(entries, respond.NewAuditEntry) {
				if err != nil {
					return nil, err
				}
				if dst = p.Flush(append(endpoint.AppendBody(dst, entry, p.Flush), '\n')); p.Failed() {
					return nil, nil
				}
			}
			return dst, nil
		})
	}
	var read, written tables.Position // of the last entry
	list := &endpoint.List[[]byte]{
		Rows: endpoint.Bodies(entries, func(e *domain.AuditEntry) respond.AuditEntry {
			read = tables.Position{At: e.At, ID: e.ID}
			return respond.NewAuditEntry(e)
		}),
		Limit: q.limit,
		Write: func(dst []byte, body *[]byte, flush respond.Flush) []byte {
			written = read
			return endpoint.AppendBody(dst, body, flush)
		},
		Finish: func(dst []byte, more bool) []byte {
			return respond.AppendCursorMeta(dst, q.limit, more, domain.Micros(written.At.UnixMicro()), written.ID)
		},
	}
	return list.Answer(c)
}
