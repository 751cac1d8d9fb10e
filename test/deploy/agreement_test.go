package deploy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The user id of the program in containers.
const user = "65532"

// TestDockerfile compares the image with the module and the program.
func TestDockerfile(t *testing.T) {
	image := read(t, "Dockerfile")
	if got, want := found(t, image, `FROM golang:([0-9.]+)`), found(t, read(t, "go.mod"), `(?m)^go ([0-9.]+)$`); got != want {
		t.Errorf("the image is built with Go %s, go.mod wants %s", got, want)
	}
	if got := found(t, image, `(?m)^USER (.+)$`); got != user+":"+user {
		t.Errorf("the image runs as %s", got)
	}
	api, grpc, metrics := ports(t)
	if got := found(t, image, `(?m)^EXPOSE (.+)$`); got != api+" "+grpc+" "+metrics {
		t.Errorf("the image exposes %s, the program listens on %s, %s and %s", got, api, grpc, metrics)
	}
	data := found(t, image, `ALMANAC_DATA=(\S+)`)
	if got := found(t, image, `(?m)^VOLUME (.+)$`); got != data {
		t.Errorf("the volume is %s, data is in %s", got, data)
	}
	if !strings.Contains(image, "--chown="+user+":"+user+" --chmod=0700 /empty "+data) {
		t.Errorf("the image has no directory %s that belongs to its user alone", data)
	}
	// .dockerignore must not exclude what the build needs.
	for line := range strings.Lines(read(t, ".dockerignore")) {
		for _, needed := range []string{"api", "internal", "main.go", "go.mod", "go.sum", "Makefile"} {
			if strings.TrimSpace(line) == needed {
				t.Errorf(".dockerignore leaves %s out", needed)
			}
		}
	}
}

// ports returns the ports that the image listens on, which are the program's defaults.
func ports(t *testing.T) (api, grpc, metrics string) {
	t.Helper()
	image := read(t, "Dockerfile")
	api, grpc = found(t, image, `ALMANAC_LISTEN=0\.0\.0\.0:(\d+)`), found(t, image, `ALMANAC_OTLP_GRPC_LISTEN=0\.0\.0\.0:(\d+)`)
	if usual := serveOptions(t)["listen"].Default; !strings.HasSuffix(usual, ":"+api) {
		t.Errorf("the image serves on port %s, the program on %s", api, usual)
	}
	if help := serveOptions(t)["otlp-grpc-listen"].Help; !strings.Contains(help, ":"+grpc+" ") {
		t.Errorf("the image takes gRPC on port %s; %s", grpc, help)
	}
	metrics = found(t, image, `ALMANAC_METRICS_LISTEN=0\.0\.0\.0:(\d+)`)
	if help := serveOptions(t)["metrics-listen"].Help; !strings.Contains(help, ":"+metrics+" ") {
		t.Errorf("the image has its metrics on port %s; %s", metrics, help)
	}
	return api, grpc, metrics
}

// TestPortsAgree checks every port and path by which the program is reached.
func TestPortsAgree(t *testing.T) {
	api, grpc, metrics := ports(t)
	for path, service := range map[string]string{"deploy/compose.yaml": "almanac", "deploy/compose.scale.yaml": "proxy"} {
		compose := documents(t, path)[0]
		want := fmt.Sprintf("[127.0.0.1:%s:%s 127.0.0.1:%s:%s]", api, api, grpc, grpc)
		if service == "almanac" { // a proxy has its own metrics
			want = strings.TrimSuffix(want, "]") + fmt.Sprintf(" 127.0.0.1:%s:%s]", metrics, metrics)
		}
		if got := fmt.Sprint(at(t, compose, "services", service, "ports")); got != want {
			t.Errorf("%s: ports %s, want %s", path, got, want)
		}
	}
	for path := range files(t) {
		if !strings.HasPrefix(path, "deploy/kubernetes/") {
			continue
		}
		for _, document := range documents(t, path) {
			checkKubernetesPorts(t, path, document, api, grpc, metrics)
		}
	}
	proxy := read(t, "deploy/scale/haproxy.cfg")
	for _, line := range []string{
		"bind :" + api, "bind :" + grpc, "almanac:" + api, "almanac:" + grpc + " proto h2", "check port " + api, "GET /api/public/ready",
	} {
		if !strings.Contains(proxy, line) {
			t.Errorf("haproxy.cfg lacks %q", line)
		}
	}
	unit := read(t, "deploy/systemd/almanac.service")
	for _, line := range []string{"ALMANAC_LISTEN=127.0.0.1:" + api, "ALMANAC_OTLP_GRPC_LISTEN=127.0.0.1:" + grpc} {
		if !strings.Contains(unit, line) {
			t.Errorf("almanac.service lacks %q", line)
		}
	}
	if target := fmt.Sprint(at(t, documents(t, "deploy/prometheus/scrape.yaml")[0], "scrape_configs", 0, "static_configs", 0, "targets",
		0)); !strings.HasSuffix(target, ":"+metrics) {
		t.Errorf("Prometheus asks %s", target)
	}
}

func checkKubernetesPorts(t *testing.T, path string, document map[string]any, api, grpc, metrics string) {
	t.Helper()
	switch document["kind"] {
	case "Service":
		if a, g := at(t, document, "spec", "ports", 0, "port"),
			at(t, document, "spec", "ports", 1, "port"); fmt.Sprint(a, g) != api+" "+grpc {
			t.Errorf("%s: the service has ports %v and %v", path, a, g)
		}
	case "StatefulSet", "Deployment":
		pod := at(t, document, "spec", "template")
		container := at(t, pod, "spec", "containers", 0)
		if a, g := at(t, container, "ports", 0, "containerPort"),
			at(t, container, "ports", 1, "containerPort"); fmt.Sprint(a, g) != api+" "+grpc {
			t.Errorf("%s: the container has ports %v and %v", path, a, g)
		}
		if got := at(t, pod, "metadata", "annotations", "prometheus.io/port"); got != metrics ||
			fmt.Sprint(at(t, container, "ports", 2, "containerPort")) != metrics {
			t.Errorf("%s: Prometheus asks at port %v", path, got)
		}
		if !regexp.MustCompile(`ALMANAC_METRICS_LISTEN(?:: |, value: ")0\.0\.0\.0:` + metrics + `\b`).MatchString(read(t, path)) {
			t.Errorf("%s: the metrics are not on port %s", path, metrics)
		}
		for probe, want := range map[string]string{
			"startupProbe": "/api/public/health", "livenessProbe": "/api/public/health", "readinessProbe": "/api/public/ready",
		} {
			if got := at(t, container, probe, "httpGet", "path"); got != want {
				t.Errorf("%s: the %s asks %v", path, probe, got)
			}
		}
		if got := fmt.Sprint(at(t, pod, "spec", "securityContext", "runAsUser")); got != user {
			t.Errorf("%s: the pod runs as %s", path, got)
		}
	}
}

// TestTimeToStop checks that the program is never killed while it still has time to finish requests.
func TestTimeToStop(t *testing.T) {
	delay := regexp.MustCompile(`ALMANAC_SHUTDOWN_DELAY(?:: |=|, value: )(\d+)s`)
	for path, expression := range map[string]string{
		"deploy/compose.yaml":                  `stop_grace_period: (\d+)s`,
		"deploy/compose.scale.yaml":            `stop_grace_period: (\d+)s`,
		"deploy/kubernetes/almanac.yaml":       `terminationGracePeriodSeconds: (\d+)`,
		"deploy/kubernetes/almanac-scale.yaml": `terminationGracePeriodSeconds: (\d+)`,
		"deploy/systemd/almanac.service":       `TimeoutStopSec=(\d+)s`,
	} {
		text := read(t, path)
		needed := duration(t, "shutdown-delay") + duration(t, "shutdown-timeout")
		if match := delay.FindStringSubmatch(text); match != nil {
			needed += seconds(t, match[1])
		}
		if got := seconds(t, found(t, text, expression)); got < needed+5*time.Second {
			t.Errorf("%s: the program is killed after %v, and may need %v", path, got, needed)
		}
	}
	proxy := read(t, "deploy/scale/haproxy.cfg")
	if got, least := seconds(t, found(t, proxy, `timeout server (\d+)s`)), duration(t, "write-timeout"); got <= least {
		t.Errorf("the proxy gives up after %v, the program after %v", got, least)
	}
	if got, most := seconds(t, found(t, proxy, `timeout http-keep-alive (\d+)s`)), duration(t, "idle-timeout"); got >= most {
		t.Errorf("the proxy keeps idle connections for %v, the program for %v", got, most)
	}
}

func seconds(t *testing.T, text string) time.Duration {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(n) * time.Second
}
