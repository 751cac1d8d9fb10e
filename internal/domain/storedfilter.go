package domain

import "encoding/json"

// StoredFilter is a condition that is kept with a widget, a dashboard or an evaluation rule, in the form in which clients
// send and read it.
type StoredFilter struct {
	Column   string          `json:"column"`
	Type     string          `json:"type"`
	Operator string          `json:"operator"`
	Key      string          `json:"key,omitempty"` // of the types that look into objects
	Value    json.RawMessage `json:"value"`
}
