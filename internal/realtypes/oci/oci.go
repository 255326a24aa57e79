// Package oci declares capabilities over the types of the Open Container Initiative's specifications.
//
//capgen:namespace real.oci
package oci

import (
	imagev1 "github.com/opencontainers/image-spec/specs-go/v1"
	runtimespec "github.com/opencontainers/runtime-spec/specs-go"

	"github.com/capgen/capgen/capabilities"
)

// PushManifest stores an image's manifest and returns it.
//
//capgen:capability manifest.push@1 risk=write scopes=push
type PushManifest struct {
	capabilities.Returns[imagev1.Manifest]

	// Value is the manifest.
	Value imagev1.Manifest `json:"value"`
}

// PushIndex stores an image index and returns it.
//
//capgen:capability index.push@1 risk=write scopes=push
type PushIndex struct {
	capabilities.Returns[imagev1.Index]

	// Value is the index.
	Value imagev1.Index `json:"value"`
}

// PushImage stores an image's configuration and returns it.
//
//capgen:capability image.push@1 risk=write scopes=push
type PushImage struct {
	capabilities.Returns[imagev1.Image]

	// Value is the configuration.
	Value imagev1.Image `json:"value"`
}

// Run starts a container by its runtime configuration and returns it.
//
//capgen:capability container.run@1 risk=write scopes=run
type Run struct {
	capabilities.Returns[runtimespec.Spec]

	// Value is the configuration.
	Value runtimespec.Spec `json:"value"`
}
