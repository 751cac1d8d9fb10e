package admin

import (
	"math"
	"net/http"

	"almanac/internal/catalog/tenants"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/usage"
)

// OverLimit returns the error for a client that reached a limit. A request larger than the whole limit could never
// pass, and is too large.
func OverLimit(e *usage.Exceeded) *respond.Error {
	if e.Never {
		return &respond.Error{Status: http.StatusRequestEntityTooLarge, Message: e.Error(), ErrorOnly: true}
	}
	return respond.TooMany(e.Error(), respond.RateLimit{
		RetryAfterSeconds: int(math.Ceil(e.RetryAfter.Seconds())), Limit: e.Max, Remaining: e.Remaining, ResetAt: respond.Time(e.ResetAt),
	})
}

type limitsBody struct {
	Level  domain.LimitLevel `json:"level"`
	ID     string            `json:"id"`
	Limits []limitBody       `json:"limits"`
}

type limitBody struct {
	Name string `json:"name"`
	// Limit is the effective limit, null for none; IsDefault reports whether it is the instance's default.
	Limit     *int64       `json:"limit"`
	IsDefault bool         `json:"isDefault"`
	Used      int64        `json:"used"`
	Remaining *int64       `json:"remaining"`
	ResetsAt  respond.Time `json:"resetsAt"`
}

func (h *Handlers) limitsOf(subject domain.LimitSubject) limitsBody {
	report := h.Usage.Report(subject)
	body := limitsBody{Level: subject.Level, ID: subject.ID}
	for limit := range domain.LimitCount {
		l := limitBody{
			Name: limit.String(), Used: report.Used[limit], IsDefault: report.Set[limit] == 0, ResetsAt: respond.Time(report.Reset[limit]),
		}
		if most := report.Limits[limit]; most != 0 {
			l.Limit, l.Remaining = &most, new(max(0, most-l.Used))
		}
		body.Limits = append(body.Limits, l)
	}
	return body
}

// limitOwner reads the owner of the limits from the path.
func limitOwner(c *endpoint.Call) tenants.LimitOwner {
	return tenants.LimitOwner{ProjectID: c.Path("projectId"), KeyID: c.Path("apiKeyId")}
}

// GetLimits returns the limits and usage of an organization, a project or a key.
func (h *Handlers) GetLimits(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	subject, err := h.Catalog.LimitSubject(c.Context(), scope, limitOwner(c))
	if err != nil {
		return nil, limitsError(err)
	}
	return h.limitsOf(subject), nil
}

// PutLimits replaces them. They take effect on this server before the response is sent, and on others shortly after.
func (h *Handlers) PutLimits(c *endpoint.Call, scope domain.OrganizationScope) (any, error) {
	set, err := readLimits(c.Body())
	if err != nil {
		return nil, err
	}
	subject, err := h.Catalog.SetLimits(c.Context(), scope, limitOwner(c), set, c.Actor())
	if err != nil {
		return nil, limitsError(err)
	}
	h.Usage.Set(subject, set)
	return h.limitsOf(subject), nil
}

func readLimits(body decode.Value) (set domain.Limits, err error) {
	b := body.Object()
	for limit := range domain.LimitCount {
		if n := decode.Nullish(b.Field(limit.String()), func(v decode.Value) int { return v.IntWithin(1, domain.MaxLimit) }); n != nil {
			set[limit] = int64(*n)
		}
	}
	b.Strict()
	return set, b.Err()
}

func limitsError(err error) error {
	return endpoint.NotFoundAs(err, "There is no such organization, project or key, or you don't have access to it")
}
