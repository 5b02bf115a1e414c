//go:build tools

// Package engine only names what set-up builds: the Pulumi engine at the version go.mod pins.
package engine

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
