package domain

import "time"

// SavedView is a way to look at a table of a project that somebody keeps.
type SavedView struct {
	ID        string
	OwnerID   *string // nil if it is the whole project's
	Table     string  // one of ViewTables
	Name      string
	State     ViewState
	IsDefault bool // of the project: for those who chose none of their own
	CreatedAt time.Time
	UpdatedAt time.Time

	// IsMine says that whoever asked begins with it.
	IsMine bool
}

// ViewTables are the tables whose views can be kept.
func ViewTables() []string { return []string{"traces", "observations"} }

// ViewState is what a table shows, as its address says it. What is empty is as the table has it.
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
