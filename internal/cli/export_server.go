package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/netguard"
)

// projectNamed returns the id of the project with the given id or, if it is empty, of the only project.
func projectNamed(ctx context.Context, c *catalog.Catalog, id string) (string, error) {
	if id != "" {
		p, err := c.Project(ctx, domain.OfProject(id))
		return p.ID, err
	}
	projects, err := allProjects(ctx, c)
	if err != nil {
		return "", err
	}
	if len(projects) != 1 {
		return "", fmt.Errorf("there are %d projects: choose one with --project; almanac projects list shows them", len(projects))
	}
	return projects[0].ID, nil
}

// remoteExport is an export as the API of a server returns it.
type remoteExport struct {
	ID          string  `json:"id"`
	State       string  `json:"state"`
	Rows        int64   `json:"rows"`
	TotalRows   *int64  `json:"totalRows"`
	Error       *string `json:"error"`
	DownloadURL *string `json:"downloadUrl"`
}

// exportPoll is the interval at which the server is asked for progress.
const exportPoll = time.Second

// fromServer makes the server write the file, downloads it, and makes the server remove it.
func (e *exportCommand) fromServer(ctx context.Context, t *terminal, out io.Writer) error {
	e.http = netguard.TrustedClient(netguard.TrustedTransport(), 0)
	defer e.http.CloseIdleConnections()
	body := map[string]any{"table": e.Table, "format": e.Format}
	set := func(name string, given bool, value any) {
		if given {
			body[name] = value
		}
	}
	set("compressed", e.Gzip, true)
	set("from", e.From != nil, e.From)
	set("to", e.To != nil, e.To)
	set("environment", len(e.Environment) > 0, e.Environment)
	set("filter", e.Filter != "", json.RawMessage(e.Filter))
	set("search", e.Search != "", e.Search)
	set("datasetName", e.Dataset != "", e.Dataset)
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	const path = "/api/public/exports"
	var made remoteExport
	if err := e.call(ctx, http.MethodPost, path, raw, &made); err != nil {
		return err
	}
	defer func() { // even after Ctrl-C: nobody will fetch the file
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err := e.call(ending, http.MethodDelete, path+"/"+made.ID, nil, nil); err != nil {
			t.say("The server could not delete the export, and will do so after a day: %v", err)
		}
	}()
	say := t.exportProgress()
	for made.State == domain.ExportQueued || made.State == domain.ExportRunning {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(exportPoll):
		}
		if err := e.retry(ctx, t, func() error { return e.call(ctx, http.MethodGet, path+"/"+made.ID, nil, &made) }); err != nil {
			return err
		}
		say(made.Rows/100*100, made.TotalRows)
	}
	if made.State != domain.ExportDone || made.DownloadURL == nil {
		if made.Error != nil {
			return fmt.Errorf("the export failed: %s", *made.Error)
		}
		return fmt.Errorf("the export is in state %s", made.State)
	}
	if err := e.retry(ctx, t, func() error { return e.download(ctx, *made.DownloadURL, out) }); err != nil {
		return err
	}
	t.say("Exported %d rows.", made.Rows)
	return nil
}

// errAway means that the server cannot be reached, or cannot serve requests at the moment.
var errAway = errors.New("the server is away")

// exportPatience is how long an export waits for a server that is being restarted.
const exportPatience = 2 * time.Minute

// retry repeats a request while the server is away: a restart must not end an export that the server continues.
func (e *exportCommand) retry(ctx context.Context, t *terminal, request func() error) error {
	start := time.Now()
	for said := false; ; said = true {
		err := request()
		if err == nil || !errors.Is(err, errAway) || time.Since(start) > exportPatience {
			return err
		}
		if !said {
			t.say("Waiting for the server: %v", err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(exportPoll):
		}
	}
}

// startOver discards what a failed download wrote. It reports false if that is not possible.
func startOver(out io.Writer) bool {
	file, ok := out.(interface {
		Truncate(size int64) error
		Seek(offset int64, whence int) (int64, error)
	})
	if !ok || file.Truncate(0) != nil {
		return false
	}
	_, err := file.Seek(0, io.SeekStart)
	return err == nil
}

// download fetches the file. Only the path of its URL is used: the URL has the public address of the server, which may
// not be the address used here.
func (e *exportCommand) download(ctx context.Context, address string, out io.Writer) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	_, rest, found := strings.Cut(u.RequestURI(), "/api/public/")
	if !found {
		return fmt.Errorf("the server returned an unexpected path for the file: %s", u.Path)
	}
	answer, err := e.send(ctx, http.MethodGet, "/api/public/"+rest, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	if answer.StatusCode != http.StatusOK {
		return refusal(answer)
	}
	written, err := io.Copy(out, answer.Body)
	if err != nil && (written == 0 || startOver(out)) {
		return fmt.Errorf("%w: the download ended early: %w", errAway, err)
	}
	return err
}

func (e *exportCommand) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(e.address(), "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	r.SetBasicAuth(e.PublicKey, e.SecretKey.Reveal())
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := e.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot reach the server: %w", errAway, err)
	}
	switch answer.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		defer answer.Body.Close() //nolint:errcheck // only read
		return nil, fmt.Errorf("%w: %w", errAway, refusal(answer))
	}
	return answer, nil
}

// call sends a request and decodes the response.
func (e *exportCommand) call(ctx context.Context, method, path string, body []byte, into any) error {
	answer, err := e.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	if answer.StatusCode/100 != 2 {
		return refusal(answer)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// refusal returns the error message of an unsuccessful response.
func refusal(answer *http.Response) error {
	const most = 4 << 10
	raw, _ := io.ReadAll(io.LimitReader(answer.Body, most)) // a partial body is good enough
	var told struct{ Message string }
	if json.Unmarshal(raw, &told) == nil && told.Message != "" {
		raw = []byte(told.Message)
	}
	return errors.New("the server responded " + answer.Status + ": " + cmp.Or(strings.TrimSpace(string(raw)), "nothing"))
}
