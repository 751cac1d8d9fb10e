package domain

import "time"

// SavedView is a saved view of a table of a project.
type SavedView struct {
	ID        string
	OwnerID   *string // nil if it is shared with the project
	Table     string  // one of ViewTables
	Name      string
	State     ViewState
	IsDefault bool // default of the project, for users without their own
	CreatedAt time.Time
	UpdatedAt time.Time

	// IsMine is set if it is the personal default of the requesting user.
	IsMine bool
}

// ViewTables returns the tables whose views can be saved.
func ViewTables() []string { return []string{"traces", "observations"} }

// ViewState is the state of a table as encoded in its URL. Empty members mean the table's defaults.
type ViewState struct {
	Filter      string   `json:"filter,omitempty"`
	Search      string   `json:"search,omitempty"`
	Sort        string   `json:"sort,omitempty"`
	Columns     string   `json:"cols,omitempty"` // in their order
	Hidden      string   `json:"hide,omitempty"`
	Shown       string   `json:"show,omitempty"`
	Pinned      string   `json:"pin,omitempty"`
	Widths      string   `json:"w,omitempty"`
	Group       string   `json:"group,omitempty"`
	DateRange   string   `json:"dateRange,omitempty"`
	Environment []string `json:"environment,omitempty"`
}
