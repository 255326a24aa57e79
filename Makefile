# What a contributor runs. Needs Go; make test also needs Node 20 or later with npm, for the official TypeScript clients and PostgreSQL, and
# Node 22 for the official conformance suite where the machine is not Linux on x64, for which npm brings one.

# How long make fuzz runs each target.
FUZZTIME ?= 30s
# The git revision that make compat compares with.
AGAINST ?= HEAD~1
# The race detector needs a C compiler; where there is none, tests run without it.
RACE ?= $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

GO_FILES = git ls-files --cached --others --exclude-standard '*.go'
STATICCHECK = go tool -modfile=internal/tools/go.mod staticcheck

.DEFAULT_GOAL := help
.PHONY: help run run-playlist run-catalog run-orchestrator test test-deploy test-browser soak lint generate check compat bench fuzz golden

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: generate ## generate, build and serve the quickstart on 127.0.0.1:8053
	go build -o bin/ ./cmd/capgen ./examples/quickstart
	bin/quickstart

run-playlist: generate ## show what several callers see of examples/playlist
	go run ./examples/playlist walk

run-catalog: generate ## show what examples/catalog composes, and what it refuses
	go run ./examples/catalog show
	go run ./examples/catalog failures

run-orchestrator: generate ## generate, build and serve the orchestrator on 127.0.0.1:8053, its tasks in bin/orchestrator.db
	go build -o bin/ ./cmd/capgen ./examples/orchestrator
	bin/orchestrator -db sqlite:bin/orchestrator.db

test: ## run every test, with the race detector (needs Node: npm packages are installed on first use)
	go test $(RACE) ./...
	cd internal/realtypes && go test ./...
	cd internal/bench && go test ./...

test-deploy: ## test the stack in deploy/: two fronts and PostgreSQL behind nginx, which must be installed
	CAPGEN_TEST_DEPLOY=1 go test -count=1 ./internal/deploy

test-browser: ## look at reference pages in Chromium, which must be installed (needs Node)
	CAPGEN_TEST_BROWSER=1 go test -count=1 ./internal/browser

soak: ## misuse a server for half a minute and see that it recovers
	go test -count=1 -run '^TestSoak$$' -v ./internal/soak -soak

lint: ## fail on unformatted code, go vet and staticcheck
	@unformatted=$$($(GO_FILES) | xargs gofmt -l); test -z "$$unformatted" || { echo "not gofmt-clean:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	cd internal/realtypes && go vet ./...
	cd internal/bench && go vet ./...
	$(STATICCHECK) ./...
	cd internal/realtypes && go tool -modfile=../tools/go.mod staticcheck ./...
	cd internal/bench && go tool -modfile=../tools/go.mod staticcheck ./...

generate: ## write the generated files of every package
	go run ./cmd/capgen generate -descriptions=false ./...
	go build -o bin/ ./cmd/capgen && cd internal/realtypes && ../../bin/capgen generate -descriptions=false ./...
	cd internal/bench && ../../bin/capgen generate -descriptions=false ./...

check: ## fail when a generated file is stale, or a client would refuse a tool of an example
	go run ./cmd/capgen check ./...
	go run ./cmd/capgen lint ./examples/...

compat: ## fail when a contract of an example breaks whoever leans on that of AGAINST (HEAD~1)
	@there() { git rev-parse --verify --quiet '$(AGAINST)^{tree}' >/dev/null; }; \
	there || test "$$(git rev-parse --is-shallow-repository)" = false || git fetch --quiet --deepen=1; \
	if there || test '$(AGAINST)' != HEAD~1; then go run ./cmd/capgen compat --against '$(AGAINST)' ./examples/...; \
	else echo "there is no $(AGAINST), so there are no contracts to compare with"; fi

bench: ## compare a call with other servers, then run the benchmarks; docs/performance.md says how to read them
	cd internal/bench && go run .
	cd internal/bench && go test -run '^$$' -bench . -benchmem -benchtime 0.5s ./...
	go test -run '^$$' -bench . -benchmem ./...

fuzz: ## run each fuzz target for FUZZTIME (30s)
	@grep -rHo '^func Fuzz[A-Za-z0-9_]*' --include='*_test.go' . | sed 's/:func / /' | while read -r file target; do \
		echo "$$target in $$(dirname $$file)"; \
		go test -run '^$$' -fuzz "^$$target$$" -fuzzminimizetime 5x -fuzztime $(FUZZTIME) "$$(dirname $$file)" || exit 1; \
	done

golden: ## rewrite the expected output of the tests that have some; read the diff before you commit it
	go test $$(grep -rl 'flag.Bool("update"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -update
