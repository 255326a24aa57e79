module github.com/capgen/capgen

go 1.26

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1
)
