package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/sourceignore"
	"github.com/fluxcd/pkg/sourceignore/gitignore"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/provider"
)

type substituteRequest struct {
	// Texts are objects as YAML, one each.
	Texts     []string          `json:"texts"`
	Variables map[string]string `json:"variables"`
	Strict    bool              `json:"strict"`
	Always    bool              `json:"always"`
}

func substitute(asked *substituteRequest) ([]object, error) {
	variables := map[string]any{}
	for name, value := range asked.Variables {
		variables[name] = value
	}
	flux := unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"postBuild": map[string]any{"substitute": variables}},
	}}
	read := provider.NewDefaultDepProvider().GetResourceFactory()
	objects := []object{}
	for _, text := range asked.Texts {
		each, err := read.FromBytes([]byte(text))
		if err != nil {
			return nil, err
		}
		// Nothing is asked of a cluster in a dry run.
		_, err = kustomize.SubstituteVariables(context.Background(), nil, flux, each,
			kustomize.SubstituteWithDryRun(true),
			kustomize.SubstituteWithStrict(asked.Strict),
			kustomize.SubstituteWithAlways(asked.Always))
		if err != nil {
			return nil, fmt.Errorf("post build failed for '%s/%s': %w", each.GetGvk(), each.GetName(), err)
		}
		one, err := write(each)
		if err != nil {
			return nil, err
		}
		objects = append(objects, one)
	}
	return objects, nil
}

type ignoredRequest struct {
	// Patterns by the folder that they stand in, "" being the root, in the order in which they count.
	Patterns []struct {
		Folder string `json:"folder"`
		Text   string `json:"text"`
	} `json:"patterns"`
	// Paths; that of a folder ends in a slash.
	Paths []string `json:"paths"`
}

// ignored says of paths whether source-controller leaves them out, as its archive does.
func ignored(asked *ignoredRequest) []bool {
	var patterns []gitignore.Pattern
	for _, each := range asked.Patterns {
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(each.Text), split(each.Folder))...)
	}
	matcher := sourceignore.NewDefaultMatcher(nil, nil)
	if len(patterns) > 0 {
		matcher = sourceignore.NewMatcher(append(sourceignore.VCSPatterns(nil), patterns...))
	}
	answers := []bool{}
	for _, each := range asked.Paths {
		answers = append(answers, matcher.Match(split(strings.TrimSuffix(each, "/")), strings.HasSuffix(each, "/")))
	}
	return answers
}

func split(folder string) []string {
	if folder == "" {
		return nil
	}
	return strings.Split(folder, "/")
}
