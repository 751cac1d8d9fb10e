package evaluators

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// checkModelReachable checks that the project has a connection to the provider of a judge's model, and that the
// connection has the model. A judge without a model uses the project's default, which is not checked. The model is not
// called.
func (h *Handlers) checkModelReachable(c *endpoint.Call, scope domain.ProjectScope, e domain.Evaluator) error {
	model := e.Version.Model
	if model == nil {
		return nil
	}
	connection, err := h.Catalog.LLMConnection(c.Context(), scope, model.Provider)
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return modelUnreachable(e, fmt.Sprintf("The project has no LLM connection to the provider %q", model.Provider))
	case err != nil:
		return err
	case !connection.WithDefaultModels && !slices.Contains(connection.CustomModels, model.Model):
		return modelUnreachable(e, fmt.Sprintf("The LLM connection to the provider %q does not have the model %q", model.Provider,
			model.Model))
	}
	return nil
}

func modelUnreachable(e domain.Evaluator, message string) error {
	return &respond.Error{
		Status: http.StatusUnprocessableEntity, Code: respond.CodePreflight, Message: message,
		Details: &respond.Details{EvaluatorName: e.Name, Provider: e.Version.Model.Provider, Model: e.Version.Model.Model},
	}
}

// The reasons why evaluators and rules are paused. They are stored but never run, which is their reason by default; for
// an evaluator without a connection, that comes first, because its owner can fix it.
const (
	pausedReason        = "evaluations_not_supported"
	pausedMessage       = "This server stores evaluators and evaluation rules but does not run evaluations yet."
	unconnectedReason   = "llm_connection_missing"
	unconnectedSentence = "The project has no LLM connection to the provider %q. "
)

// pauseOf returns why an evaluator is paused, given the providers to which the project has no connection.
func pauseOf(e domain.Evaluator, missing []string) (reason, message string) {
	if model := e.Version.Model; model != nil && slices.Contains(missing, model.Provider) {
		return unconnectedReason, fmt.Sprintf(unconnectedSentence, model.Provider) + pausedMessage
	}
	return pausedReason, pausedMessage
}

// missingProviders returns the providers that evaluators need but to which the project has no connection.
func (h *Handlers) missingProviders(c *endpoint.Call, scope domain.ProjectScope, evaluators []domain.Evaluator) ([]string, error) {
	var providers []string
	for _, e := range evaluators {
		if model := e.Version.Model; model != nil && !slices.Contains(providers, model.Provider) {
			providers = append(providers, model.Provider)
		}
	}
	return h.Catalog.MissingLLMConnections(c.Context(), scope, providers)
}
