package blackbox

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/test/harness"
)

const trickAdminKey = "admin-key-of-the-tricks"

// startForTricks starts a server with a short idle timeout.
func startForTricks(t *testing.T) *harness.Server {
	t.Helper()
	return harness.Start(t, "--admin-api-key="+trickAdminKey, "--max-header=8KB", "--idle-timeout=500ms")
}

// answers sends exactly these bytes and returns everything received until the server closes the connection.
func answers(t *testing.T, s *harness.Server, raw string) (statuses, bodies []string, locations []string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	var timeout net.Error
	for reader := bufio.NewReader(conn); ; {
		answer, err := http.ReadResponse(reader, nil)
		if errors.As(err, &timeout) && timeout.Timeout() {
			t.Fatalf("the server did not hang up after %q", statuses)
		}
		if err != nil {
			return statuses, bodies, locations // the server closed the connection
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil && !errors.Is(err, syscall.ECONNRESET) { // the server closed the connection without reading everything
			t.Fatalf("an answer is cut off: %v", err)
		}
		statuses = append(statuses, strconv.Itoa(answer.StatusCode))
		bodies = append(bodies, string(body))
		if location := answer.Header.Get("Location"); location != "" {
			locations = append(locations, location)
		}
	}
}

func basicLine(public, secret string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret)) + "\r\n"
}

// TestPathTricks requests protected paths in other spellings. None of them must bypass the key.
func TestPathTricks(t *testing.T) {
	s := startForTricks(t)
	variants := map[string]struct {
		change func(path string) string
		want   string
	}{
		"as it is":                        {func(p string) string { return p }, "401"},
		"a whole address":                 {func(p string) string { return "http://elsewhere.test" + p }, "401"},
		"encoded slashes":                 {func(p string) string { return "/" + strings.ReplaceAll(p[1:], "/", "%2F") }, "404"},
		"twice encoded slashes":           {func(p string) string { return "/" + strings.ReplaceAll(p[1:], "/", "%252F") }, "404"},
		"an encoded letter":               {func(p string) string { return strings.Replace(p, "a", "%61", 1) }, "401"},
		"double slashes":                  {func(p string) string { return strings.ReplaceAll(p, "/", "//") }, "307"},
		"a dot segment":                   {func(p string) string { return "/." + p }, "307"},
		"up from an open path":            {func(p string) string { return "/api/docs/../.." + p }, "307"},
		"up, with encoded dots":           {func(p string) string { return "/api/docs/%2e%2e/%2e%2e" + p }, "404"},
		"up, with an encoded slash":       {func(p string) string { return "/api/docs/..%2f..%2f" + p[1:] }, "404"},
		"above the root":                  {func(p string) string { return "/../../.." + p }, "307"},
		"a slash at the end":              {func(p string) string { return p + "/" }, "308"},
		"an encoded slash at the end":     {func(p string) string { return p + "%2F" }, "404"},
		"capitals":                        {strings.ToUpper, "404"},
		"backslashes":                     {func(p string) string { return strings.ReplaceAll(p, "/", `\`) }, "400"},
		"backslashes after a slash":       {func(p string) string { return "/" + strings.ReplaceAll(p[1:], "/", `\`) }, "404"},
		"a parameter of the path":         {func(p string) string { return p + ";x=/api/public/health" }, "404"},
		"an extension":                    {func(p string) string { return p + ".css" }, "404"},
		"a NUL at the end":                {func(p string) string { return p + "%00" }, "404"},
		"a blank at the end":              {func(p string) string { return p + "%20" }, "404"},
		"a fragment":                      {func(p string) string { return p + "#/api/public/health" }, "404"},
		"a line feed and a second header": {func(p string) string { return p + "%0d%0aAuthorization:x" }, "404"},
		"a broken escape":                 {func(p string) string { return p + "%zz" }, "400"},
		"no slash":                        {func(p string) string { return p[1:] }, "400"},
		"another host":                    {func(p string) string { return "//elsewhere.test" + p }, "307"},
	}
	for _, path := range []string{"/api/public/projects", "/api/admin/organizations"} {
		for name, variant := range variants {
			t.Run(path+" "+name, func(t *testing.T) {
				t.Parallel()
				statuses, bodies, locations := answers(t, s, "GET "+variant.change(path)+
					" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
				if got := strings.Join(statuses, " "); got != variant.want {
					t.Fatalf("answered with %s, want %s: %q", got, variant.want, bodies)
				}
				for _, location := range locations {
					if u, err := url.Parse(location); err != nil || u.Host != "" || !strings.HasPrefix(location, "/") ||
						strings.HasPrefix(location, "//") {
						t.Errorf("redirected to %s", location)
					}
					if status, _ := s.Do(t, "GET", location, "", "", ""); status != 401 && status != 404 {
						t.Errorf("%s, where it leads to, gives %d without a key", location, status)
					}
				}
			})
		}
	}
}

// TestHeaderTricks sends headers that some servers trust. They must not affect authorization.
func TestHeaderTricks(t *testing.T) {
	s := startForTricks(t)
	right, wrong := basicLine(s.PublicKey, s.SecretKey), basicLine(s.PublicKey, "sk-lf-wrong")
	request := func(line, headers string) string {
		return line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n"
	}
	const project, admin = "GET /api/public/projects", "GET /api/admin/organizations"
	type trick struct{ name, raw, want string }
	tricks := []trick{
		{"a wrong key, then the right one", request(project, wrong+right), "401"},
		{"an empty header, then the right one", request(project, "Authorization:\r\n"+right), "401"},
		{"the right key, then a wrong one: the first counts, as ever", request(project, right+wrong), "200"},
		{"a project key, then the admin key", request(admin, right+"Authorization: Bearer "+trickAdminKey+"\r\n"), "401"},
		{"a blank before the colon", request(project, strings.Replace(right, ":", " :", 1)), "400"},
		{
			"a key in a trailer",
			"POST /api/public/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n0\r\n" + right +
				"\r\n", "401",
		},
		{
			"a key in the address", "GET http://" + s.PublicKey + ":" + s.SecretKey +
				"@x/api/public/projects HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "401",
		},
		{
			"a key among the parameters",
			request(project+"?authorization="+url.QueryEscape(strings.TrimPrefix(strings.TrimSpace(right), "Authorization: ")), ""), "401",
		},
		{"a cookie", request(project, "Cookie: "+strings.TrimPrefix(right, "Authorization: ")), "401"},
		{"a long key", request(project, "Authorization: Basic "+strings.Repeat("eHh4", 1000)+"\r\n"), "401"},
		{"a header that is too long", request(project, right+"X: "+strings.Repeat("x", 20<<10)+"\r\n"), "431"},
		{"a name that is too long", request(project, right+strings.Repeat("x", 20<<10)+": x\r\n"), "431"},
		{"a path that is too long", request(project+strings.Repeat("/x", 10<<10), right), "431"},
		{"too many headers", request(project, right+strings.Repeat("X: y\r\n", 4<<10)), "431"},
		{"the header of a hop", request(project, "Connection: authorization\r\n"), "401"},
		{"an upgrade", request(project, "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"), "401"},
		{"no host", "GET /api/public/projects HTTP/1.1\r\n" + right + "\r\n", "400"},
		{"two hosts", request(project, "Host: y\r\n"+right), "400"},
		{"a host with a blank", "GET /api/public/projects HTTP/1.1\r\nHost: a b\r\n" + right + "\r\n", "400"},
		{"a host with a path", "GET /api/public/projects HTTP/1.1\r\nHost: a@b/c\r\n" + right + "\r\n", "400"},
		{"a host that is this machine", "GET /api/admin/organizations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "401"},
		{"a host that MCP clients may not call", "POST /api/public/mcp HTTP/1.1\r\nHost: elsewhere.test\r\nX-Forwarded-Host: localhost\r\nForwarded: host=localhost\r\n" +
			"Connection: close\r\nAccept: */*\r\nContent-Type: application/json\r\n" + right + "Content-Length: 2\r\n\r\n{}", "403"},
		{"a NUL", request(project, right+"X: a\x00b\r\n"), "400"},
		{"a bare carriage return", request(project, "X: a\r"+right), "400"},
	}
	for _, header := range []string{
		"X-Original-URL: /api/public/health", "X-Rewrite-URL: /api/public/health", "X-Forwarded-Path: /api/public/health",
		"X-Forwarded-Prefix: /api/public/health",
		"X-Forwarded-For: 127.0.0.1", "X-Real-IP: 127.0.0.1", "Forwarded: for=127.0.0.1;host=localhost;proto=https",
		"X-Forwarded-Host: localhost",
		"X-Forwarded-Proto: https", "X-Forwarded-User: admin", "X-Remote-User: admin", "Proxy-" + strings.TrimSpace(right),
		"X-" + strings.TrimSpace(right),
		"X-HTTP-Method-Override: OPTIONS", "X-HTTP-Method: OPTIONS", "X-Method-Override: OPTIONS", "X-Langfuse-Public-Key: " + s.PublicKey,
		"X-Langfuse-Admin-Api-Key: " + trickAdminKey, "Origin: " + s.URL, "Referer: " + s.URL,
	} {
		name, _, _ := strings.Cut(header, ":")
		tricks = append(tricks,
			trick{name + " without a key", request(project, header+"\r\n"), "401"},
			trick{name + " with a key of the wrong kind", request(admin, right+header+"\r\n"), "401"},
			trick{name + " with a wrong method", request("DELETE /api/public/projects", right+header+"\r\n"), "405"})
	}
	for _, c := range tricks {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			statuses, bodies, _ := answers(t, s, c.raw)
			if got := strings.Join(statuses, " "); got != c.want {
				t.Errorf("answered with %s, want %s: %q", got, c.want, bodies)
			}
			if c.want != "200" && strings.Contains(strings.Join(bodies, ""), "My project") {
				t.Errorf("the answer tells of the project: %q", bodies)
			}
		})
	}
}

// TestSmuggling sends requests whose end is ambiguous, followed by another request. They are refused, or answered
// alone: what follows must never be read as a request that a proxy may not have seen.
func TestSmuggling(t *testing.T) {
	s := startForTricks(t)
	const next = "GET /behind HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	post := func(headers, body string) string {
		return "POST /api/public/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + headers + "\r\n" + body + next
	}
	const chunked = "Transfer-Encoding: chunked\r\n"
	cases := []struct{ name, raw, want string }{
		{"nothing unclear: both are answered", post("Content-Length: 2\r\n", "{}"), "401 404"},
		{"one length, said twice", post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}"), "401 404"},
		{"two lengths", post("Content-Length: 2\r\nContent-Length: 40\r\n", "{}"), "400"},
		{"a list of lengths", post("Content-Length: 2, 40\r\n", "{}"), "400"},
		{"a length with a sign", post("Content-Length: +2\r\n", "{}"), "400"},
		{"a negative length", post("Content-Length: -2\r\n", "{}"), "400"},
		{"a hexadecimal length", post("Content-Length: 0x2\r\n", "{}"), "400"},
		{"a length that is no number of ours", post("Content-Length: 99999999999999999999\r\n", "{}"), "400"},
		{"a blank after the name of the length", post("Content-Length : 2\r\n", "{}"), "400"},
		{"a length, then chunks", post(fmt.Sprintf("Content-Length: %d\r\n", 5+len(next))+chunked, "0\r\n\r\n"), "401"},
		{"chunks, then a length", post(chunked+"Content-Length: 5\r\n", "0\r\n\r\n"), "401"},
		{"chunks alone", post(chunked, "2\r\n{}\r\n0\r\n\r\n"), "401"},
		{"chunks in a folded header", post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"), "401"},
		{"chunks in capitals", post("Transfer-Encoding: CHUNKED\r\n", "0\r\n\r\n"), "401"},
		{"a blank after the name of the encoding", post("Transfer-Encoding : chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), "400"},
		{"a vertical tab before the encoding", post("Transfer-Encoding: \x0bchunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), "400"},
		{"an unknown encoding", post("Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), "501"},
		{"two encodings", post(chunked+"Transfer-Encoding: identity\r\n", "0\r\n\r\n"), "501"},
		{"a list of encodings", post("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n"), "501"},
		{
			"an old version with chunks", strings.Replace(post(chunked+"Content-Length: 5\r\n", "0\r\n\r\n"), "HTTP/1.1", "HTTP/1.0", 1),
			"401",
		},
		{"a chunk that ends in a bare line feed", post(chunked, "2\n{}\r\n0\r\n\r\n"), "400"},
		{"an extension that ends in a bare line feed", post(chunked, "2;\n{}\r\n0\r\n\r\n"), "400"},
		{"an extension with a bare carriage return", post(chunked, "2;\rx\r\n{}\r\n0\r\n\r\n"), "400"},
		{"a chunk of negative size", post(chunked, "-2\r\n{}\r\n0\r\n\r\n"), "400"},
		{"a chunk of too large a size", post(chunked, "fffffffffffffffff2\r\n{}\r\n0\r\n\r\n"), "400"},
		{"a chunk with a prefix", post(chunked, "0x2\r\n{}\r\n0\r\n\r\n"), "400"},
		{"a chunk that is longer than it said", post(chunked, "2\r\n{}}}\r\n0\r\n\r\n"), "400"},
		{
			"a body where none belongs", "GET /api/public/projects HTTP/1.1\r\nHost: x\r\nContent-Length: " + strconv.Itoa(len(next)) +
				"\r\n\r\n" + next, "401",
		},
		{"a bare carriage return", post("X: a\rContent-Length: 2\r\n", "{}"), "400"},
		{
			"a bare carriage return at the end of the header",
			"POST /api/public/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\r\n\r\n{}" + next, "400",
		},
		{"no version", "GET /api/public/projects\r\n\r\n" + next, "400"},
		{"two blanks in the first line", "GET  /api/public/projects HTTP/1.1\r\nHost: x\r\n\r\n" + next, "400"},
		{"a strange version", "GET /api/public/projects HTTP/3.0\r\nHost: x\r\n\r\n" + next, "505"},
		{"an expectation that nobody meets", post("Content-Length: 2\r\nExpect: nonsense\r\n", "{}"), "417"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			statuses, bodies, _ := answers(t, s, c.raw)
			if got := strings.Join(statuses, " "); got != c.want {
				t.Errorf("answered with %s, want %s: %q", got, c.want, bodies)
			}
		})
	}
	t.Run("afterwards", func(t *testing.T) {
		if status, _ := s.Get(t, "/api/public/projects"); status != 200 {
			t.Errorf("status %d", status)
		}
	})
}
