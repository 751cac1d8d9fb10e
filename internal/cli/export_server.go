package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/internal/domain"
)

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
	server := newRemoteServer(e.address(), e.PublicKey, e.SecretKey, 0)
	defer server.http.CloseIdleConnections()
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
	if err := server.call(ctx, http.MethodPost, path, raw, &made); err != nil {
		return err
	}
	defer func() { // even after Ctrl-C: nobody will fetch the file
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err := server.call(ending, http.MethodDelete, path+"/"+made.ID, nil, nil); err != nil {
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
		if err := server.retry(ctx, t, func() error { return server.call(ctx, http.MethodGet, path+"/"+made.ID, nil, &made) }); err != nil {
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
	if err := server.retry(ctx, t, func() error { return e.download(ctx, server, *made.DownloadURL, out) }); err != nil {
		return err
	}
	t.say("Exported %d rows.", made.Rows)
	return nil
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
func (*exportCommand) download(ctx context.Context, server *remoteServer, address string, out io.Writer) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	_, rest, found := strings.Cut(u.RequestURI(), "/api/public/")
	if !found {
		return fmt.Errorf("the server returned an unexpected path for the file: %s", u.Path)
	}
	answer, err := server.send(ctx, http.MethodGet, "/api/public/"+rest, nil, nil)
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
