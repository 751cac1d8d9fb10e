# Two commands do everything: `make run` builds and starts the server, `make test` installs what the tests need and runs
# them all.

VERSION  ?=
LDFLAGS  := -s -w $(if $(VERSION),-X almanac/internal/buildinfo.version=$(VERSION))
# The compiler collects garbage less often, within bounds: a quarter less CPU time for more memory.
SPEND    := GOGC=400 GOMEMLIMIT=2GiB
GO_BUILD := $(SPEND) go build -ldflags "$(LDFLAGS)"
OUT      := bin/almanac
LINT     := .tools/bin/golangci-lint
VIEWER   := api/reference/dist/swagger-ui-bundle.js.gz
WEB      := internal/webapp/dist/index.html

# The same for everything compiled here, so that the linter and the tests reuse what the build has compiled.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath

.PHONY: help build release platforms run dev check web web-check reference test accept-pictures fuzz test-sdk test-tools test-faults test-collector vulnerabilities lint fmt generate mutate bench bench-start bench-ingest bench-read bench-metrics bench-scores bench-prompts bench-store bench-clickhouse bench-web clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: reference web ## Build bin/almanac, one static binary.
	$(GO_BUILD) -o $(OUT) .

release: reference web ## Write archives for every platform, with lists of their modules and checksums, to dist; VERSION=1.2.3 names them.
	go run ./deploy/release $(if $(VERSION),-version $(VERSION)) -out dist

platforms: ## Check and vet the program for every platform, and test the portable substitutes for system calls; see docs/platforms.md.
	@cd test/platforms && $(SPEND) go run .
	@$(SPEND) go test -vet=off -tags portable ./internal/platform ./internal/disk
	@$(SPEND) go test -vet=off -tags portable -short ./internal/store/segment -run '^(TestManifest|TestFilesInUseAreRemovedLater|TestSegmentFails|TestConformance)$$'

run: build ## Build and start the server; options go into ARGS="--listen 0.0.0.0:3000".
	bin/almanac serve $(ARGS)

dev: ## Work on web/ with hot reload, against a server at 127.0.0.1:3000; ALMANAC_DEV_SERVER=http://… for another one.
	@cd web && [ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	cd web && npm run dev

# The web application is built with npm, and only if one of its sources has changed. Without Node or a network the
# program is built all the same, and its page says how to build the application.
web:
	@if [ -f $(WEB) ] && [ -z "$$(find web docs api/openapi.yaml api/ui.yaml -path web/node_modules -prune -o -path web/src/shared/api/generated -prune -o \
		-name 'routeTree.gen.ts' -prune -o -type f -newer $(WEB) -print | head -1)" ]; then :; \
	elif ! command -v npm >/dev/null; then echo "npm is not here: building without the web application"; \
	elif ! (cd web && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; } \
		&& npm run --silent build && touch ../$(WEB)); then echo "npm failed: building without the web application"; fi

web-check: ## Check web/: types, lint, formatting, import rules, unit tests, sizes.
	@cd web && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error; }
	cd web && npm run --silent check

# The viewer of /api/docs comes from npm. Without Node or a network the program is built all the same and shows a plain
# page there.
reference:
	@if [ -f $(VIEWER) ] && [ $(VIEWER) -nt api/reference/package-lock.json ]; then :; \
	elif ! command -v npm >/dev/null; then echo "npm is not here: building without the interactive API reference"; \
	elif ! (cd api/reference && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent build && touch dist/*); then \
		echo "npm failed: building without the interactive API reference"; fi

test: ## Install what the tests need and run everything.
	@test/run

accept-pictures: build ## Accept the pictures of pages as they look now, after make test-tools; git diff shows which ones changed.
	cd web && ALMANAC_TEST_BINARY=$(CURDIR)/bin/almanac npm run --silent accept

check: ## Check the formatting of the packages that changed and run their unit tests; SINCE=main to compare with another commit.
	@test/check $(SINCE)

fuzz: ## Run every fuzz target for half a minute; FUZZTIME=10m for longer.
	@test/run fuzz

test-sdk: build ## Run the official clients against the program; part of `make test`.
	@ALMANAC_TEST_BINARY=$(CURDIR)/bin/almanac test/clients

test-tools: ## Install what the tests need: linter, PostgreSQL, browsers, the official SDKs.
	@test/tools

test-faults: build ## Break the program in every way and check that acknowledged writes survive; ARGS="-rounds 200 -only kill,disk-full".
	ALMANAC_TEST_BINARY=$(CURDIR)/bin/almanac go test ./test/faults -count=1 -v -timeout 24h -args $(ARGS)

test-collector: build ## Build an OpenTelemetry Collector, which takes minutes, and send traces through it; not part of `make test`.
	cd test/collector && go mod tidy -diff && go vet ./...
	go vet -tags collector ./test/blackbox
	ALMANAC_TEST_BINARY=$(CURDIR)/bin/almanac go test -tags collector -count=1 -v -run TestCollector ./test/blackbox

vulnerabilities: ## Look for known vulnerabilities of the program and its modules in the Go vulnerability database; ARGS="-db URL" for a mirror.
	@test/vulnerabilities $(ARGS)

lint: ## Check formatting, lint rules and dependency directions.
	$(LINT) run ./...

fmt: ## Format the code.
	$(LINT) fmt ./...

generate: ## Regenerate docs/configuration.md, docs/api-coverage.md and the files it is made from, the list in docs/mcp.md and its source, the table in docs/administration.md and the token vocabularies.
	go test ./internal/cli -run 'TestConfigurationPage|TestExampleFile' -update
	go test ./internal/httpapi/mcp -run TestToolsAreDescribed -update
	go test $(patsubst %/testdata/coverage.txt,./%,$(wildcard internal/httpapi/*/testdata/coverage.txt)) -update
	go test ./internal/httpapi -update
	go test ./internal/ingest/pricing/tokens -run TestVocabularyFiles -update

mutate: ## Change the program in 100 random places, one at a time, and count what the tests notice; takes an hour; ARGS="-seed 1 -n 20 internal/access/auth".
	go run ./test/mutate $(ARGS)

bench-start: build ## Measure start-up time, idle memory and size of the program.
	ALMANAC_TEST_BINARY=$(CURDIR)/bin/almanac go test ./test/blackbox -run TestFootprint -count 10 -v | grep -E 'program|FAIL|ok'

bench: ## Measure a server from outside: spans are ingested while rows and metrics are read; BENCH="-url http://… -mode ingest" for another server.
	go run ./bench/load $(or $(BENCH),-mode mixed -rate 2000 -duration 20s)

bench-ingest: ## Measure the ingestion of traces over OTLP; BENCH="-rate 5000 -duration 2m" for a steady stream.
	go run ./bench/load -mode ingest $(BENCH)

bench-read: ## Measure reads of rows over HTTP at 1 million rows.
	go run ./bench/load -mode read $(BENCH)

bench-metrics: ## Measure the queries of dashboards over HTTP at 1 million rows.
	go run ./bench/load -mode metrics $(BENCH)

bench-scores: ## Measure reads of scores over HTTP at 1 million scores.
	go run ./bench/load -mode scores $(BENCH)

bench-prompts: ## Measure reads of prompts over HTTP over 8 connections.
	go run ./bench/prompts $(BENCH)

bench-store: ## Measure the event store at 1 million rows; BENCH="-rows 5000000 -queries" for more.
	go run ./bench/store $(or $(BENCH),-rows 1000000 -queries)

bench-clickhouse: ## Measure the event store beside the store on ClickHouse at 1 million rows, after make test-tools.
	go run ./bench/store $(or $(BENCH),-rows 1000000 -queries -clickhouse)

bench-web: build ## Measure the web application in Chromium, after make test-tools: sizes, paints, scrolling, memory; fails if a size is over its budget.
	cd web && ALMANAC_TEST_BINARY=$(CURDIR)/bin/almanac npm run --silent bench

clean: ## Remove what was built and installed.
	rm -rf bin dist .tools test/sdk/node_modules api/reference/node_modules $(VIEWER) web/node_modules internal/webapp/dist/index.html internal/webapp/dist/pages.json internal/webapp/dist/assets internal/webapp/dist/.vite
