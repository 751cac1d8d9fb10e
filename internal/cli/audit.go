package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"almanac/internal/catalog"
	"almanac/internal/config"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

type auditCommand struct {
	config.Storage `embed:""`
	Organization   string `help:"Only changes in the organization with this id." placeholder:"ID"`
	Project        string `help:"Only changes in the project with this id." placeholder:"ID"`
	From           moment `help:"Only changes since this time: 2026-11-16, or 2026-11-16T07:30:00Z." placeholder:"TIME"`
	To             moment `help:"Only changes before this time." placeholder:"TIME"`
	ActorType      string `help:"Only changes by this type of actor: user, api-key, admin (the admin key), admin-key (the admin key, in a project), cli (commands such as almanac keys), init (the --init options of the server), sso (an identity provider), system (the server itself) or anonymous." placeholder:"TYPE"`
	Actor          string `help:"Only changes by the actor with this id, such as a user or an API key." placeholder:"ID"`
	Action         string `help:"Only entries with this action: create, update, delete, view (something was opened) or download (an export file was downloaded)." enum:",create,update,delete,view,download" default:"" placeholder:"ACTION"`
	ResourceType   string `help:"Only changes to resources of this type, such as project, apiKey, membership, prompt or llmConnection." placeholder:"TYPE"`
	Resource       string `help:"Only changes to the resource with this id." placeholder:"ID"`
	Limit          *int   `help:"Maximum number of changes to show, newest first. Default: 50 in a table, all as jsonl." placeholder:"COUNT"`
	Format         string `help:"Output format: ${enum}. Each line of jsonl is a JSON object with the state before and after the change." enum:"table,jsonl" default:"table" placeholder:"FORM"`
}

// Help returns the text shown below the options of the command.
func (*auditCommand) Help() string {
	return `Newest first. Entries are kept forever, even after their organization or project is deleted, and contain no secrets.

To archive the entries of one day: almanac audit --from 2026-11-15 --to 2026-11-16 --format jsonl > 2026-11-15.jsonl`
}

// moment is a time given as an option, in UTC unless it names another zone.
type moment struct{ at time.Time }

// UnmarshalText parses the value of the option.
func (m *moment) UnmarshalText(text []byte) error {
	at, ok := decode.ParseDate(string(text))
	if !ok {
		return fmt.Errorf("%q is not a time such as 2026-11-16 or 2026-11-16T07:30:00Z", text)
	}
	m.at = at
	return nil
}

const (
	// auditRows is the default number of changes in a table.
	auditRows = 50
	// maxCell is the maximum length of a table cell, in characters.
	maxCell = 40
)

func (a *auditCommand) Run(t *terminal) error {
	if a.Limit != nil && *a.Limit < 1 {
		return errors.New("--limit must be at least 1")
	}
	c, err := openCatalog(t.ctx, a.Storage)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	filter := catalog.AuditFilter{
		From: a.From.at, To: a.To.at, ProjectID: a.Project, Actor: domain.Actor{Kind: a.ActorType, ID: a.Actor},
		Action: a.Action, ResourceKind: a.ResourceType, ResourceID: a.Resource,
	}
	if a.Format == "jsonl" {
		if a.Limit != nil {
			filter.Limit = *a.Limit
		}
		return t.auditLines(c.AuditLogOfInstance(t.ctx, a.Organization, filter))
	}
	shown := auditRows
	if a.Limit != nil {
		shown = *a.Limit
	}
	filter.Limit = shown + 1 // to know whether there are more
	return t.auditTable(c.AuditLogOfInstance(t.ctx, a.Organization, filter), shown)
}

// auditLines prints each entry as a line of JSON, in the form of the API.
func (t *terminal) auditLines(entries iter.Seq2[*domain.AuditEntry, error]) error {
	out := bufio.NewWriter(t.stdout)
	for e, err := range entries {
		if err != nil {
			return err
		}
		line, err := respond.Marshal(respond.NewAuditEntry(e))
		if err != nil {
			return fmt.Errorf("cannot write the entry %s: %w", e.ID, err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (t *terminal) auditTable(entries iter.Seq2[*domain.AuditEntry, error], shown int) error {
	var rows [][]string
	for e, err := range entries {
		if err != nil {
			return err
		}
		if len(rows) == shown {
			defer func() {
				_, _ = fmt.Fprintf(t.stderr,
					"Showing the newest %d entries; there are more. Narrow them down with --from and --to, show more with --limit, or "+
						"all with --format jsonl.\n", shown)
			}()
			break
		}
		rows = append(rows, []string{
			e.At.Format("2006-01-02 15:04:05"), cell(strings.TrimSpace(e.Actor.Kind + " " + cmp.Or(e.ActorName, e.Actor.ID))), e.Action,
			e.ResourceKind, cell(e.ResourceID),
			ownerText(e.OrganizationID, e.ProjectID), cell(e.Origin.Address), cell(e.Origin.Client),
			strings.Join(changedMembers(e.Before, e.After), " "),
		})
	}
	return t.table("TIME (UTC)\tACTOR\tACTION\tTYPE\tID\tIN\tADDRESS\tCLIENT\tCHANGED", rows)
}

// cell prepares a string for a table. Some of these strings come from clients, which must not be able to write control
// characters to the operator's terminal.
func cell(text string) string {
	characters := []rune(printable(text))
	if len(characters) > maxCell {
		return string(characters[:maxCell-1]) + "…"
	}
	return string(characters)
}

// printable replaces control characters, and everything else that is not shown, of a string that others have chosen.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}

// changedMembers returns the names of the members that differ before and after an update.
func changedMembers(before, after json.RawMessage) (names []string) {
	var was, is map[string]json.RawMessage
	if json.Unmarshal(before, &was) != nil || json.Unmarshal(after, &is) != nil {
		return nil // nothing to compare on one side
	}
	members := maps.Clone(was)
	maps.Copy(members, is)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !bytes.Equal(was[name], is[name]) {
			names = append(names, name)
		}
	}
	return names
}
