package domain

import "encoding/json"

// StoredFilter is a filter condition stored with a widget, dashboard or evaluation rule, in the format of the API.
type StoredFilter struct {
	Column   string          `json:"column"`
	Type     string          `json:"type"`
	Operator string          `json:"operator"`
	Key      string          `json:"key,omitempty"` // for types that filter within objects
	Value    json.RawMessage `json:"value"`
}
