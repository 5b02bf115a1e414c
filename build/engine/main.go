// Package main builds a folder as Flux's kustomize-controller does: Flux's own generator of kustomization.yaml,
// kustomize, and Flux's own substitution. It runs as WebAssembly (wasip1), and whoever runs it provides the files: all
// it can reach lies below /repository there, and it has no network and starts no programs.
//
// It is called, not run: reserve(n) gives room for a request of n bytes of JSON, answer() does what the request asks and
// returns the length of its JSON, which lies at answerAt().
package main

import (
	"encoding/json"
	"fmt"
	"unsafe"
)

const root = "/repository"

type request struct {
	// Build is set for a build, Substitute for putting variables in.
	Build      *buildRequest      `json:"build,omitempty"`
	Substitute *substituteRequest `json:"substitute,omitempty"`
	// Ignored asks which paths source-controller leaves out of what it fetches.
	Ignored *ignoredRequest `json:"ignored,omitempty"`
}

type response struct {
	Objects []object `json:"objects,omitempty"`
	Ignored []bool   `json:"ignored,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// object is one that Flux would apply: as JSON, as the YAML that variables are put into, and where it comes from.
type object struct {
	JSON json.RawMessage `json:"json"`
	YAML string          `json:"yaml,omitempty"`
	File string          `json:"file,omitempty"`
}

var input, output []byte

//go:wasmexport reserve
func reserve(size uint32) uint32 {
	input = make([]byte, size)
	return at(input)
}

//go:wasmexport answer
func answer() uint32 {
	output = respond(input)
	input = nil
	return uint32(len(output))
}

//go:wasmexport answerAt
func answerAt() uint32 { return at(output) }

func at(bytes []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))) }

func respond(input []byte) []byte {
	var asked request
	var answer response
	err := json.Unmarshal(input, &asked)
	if err == nil {
		err = safely(func() (err error) {
			switch {
			case asked.Build != nil:
				answer.Objects, err = build(asked.Build)
			case asked.Substitute != nil:
				answer.Objects, err = substitute(asked.Substitute)
			case asked.Ignored != nil:
				answer.Ignored = ignored(asked.Ignored)
			}
			return err
		})
	}
	if err != nil {
		answer = response{Error: err.Error()}
	}
	written, err := json.Marshal(answer)
	if err != nil {
		return []byte(fmt.Sprintf(`{"error":%q}`, err.Error()))
	}
	return written
}

// safely makes an error of a panic, which kustomize ends in for some input.
func safely(work func() error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("kustomize panicked: %v", problem)
		}
	}()
	return work()
}

func main() {}
