package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/kustomize/filesys"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

type buildRequest struct {
	// Path is a folder from the root of the repository, "" being the root.
	Path string `json:"path"`
	// Spec is that of the Flux Kustomization.
	Spec map[string]any `json:"spec"`
	// Isolated builds begin with a fresh OpenAPI schema, as all of Flux's do. It takes a second to read, and only matters
	// where a kustomization.yaml brings a schema of its own.
	Isolated bool `json:"isolated"`
}

func build(asked *buildRequest) ([]object, error) {
	folder := path.Join(root, asked.Path)
	if _, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("kustomization path not found: %w", err)
	}
	hasOrigins, err := generate(folder, asked.Spec)
	if err != nil {
		return nil, err
	}
	built, err := run(folder, asked.Isolated)
	if err != nil {
		return nil, fmt.Errorf("kustomize build failed: %w", err)
	}
	objects := []object{}
	for _, each := range built.Resources() {
		if each.GetName() == "" || each.GetKind() == "" || each.GetApiVersion() == "" {
			return nil, fmt.Errorf("failed to decode Kubernetes apiVersion, kind and name from: %v", each.String())
		}
		file, err := origin(each, folder)
		if err != nil {
			return nil, err
		}
		if !hasOrigins {
			if err := each.SetOrigin(nil); err != nil {
				return nil, err
			}
		}
		// The controller reads what kustomize writes once more, and drops configurations of kustomize.
		if strings.HasPrefix(each.GetApiVersion(), "kustomize.config.k8s.io/") {
			continue
		}
		one, err := write(each)
		if err != nil {
			return nil, err
		}
		one.File = file
		objects = append(objects, one)
	}
	return objects, nil
}

// run does what kustomize.SecureBuild does.
func run(folder string, isolated bool) (resmap.ResMap, error) {
	if isolated {
		return kustomize.SecureBuild(root, folder, false)
	}
	files, err := filesys.MakeFsOnDiskSecure(root)
	if err != nil {
		return nil, err
	}
	return krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: kustypes.LoadRestrictionsNone,
		PluginConfig:     kustypes.DisabledPluginConfig(),
	}).Run(files, folder)
}

// generate writes the kustomization.yaml that Flux makes of the folder's own and of the spec, with a wish of ours: that
// each object says which file it comes from. Returns whether it would do so anyway.
func generate(folder string, spec map[string]any) (bool, error) {
	flux := unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	manifest, file, _, err := kustomize.NewGenerator(root, flux).GenerateManifest(folder)
	if err != nil {
		return false, err
	}
	var config kustypes.Kustomization
	if err := yaml.Unmarshal(manifest, &config); err != nil {
		return false, err
	}
	has := slices.Contains(config.BuildMetadata, kustypes.OriginAnnotations)
	if !has {
		config.BuildMetadata = append(config.BuildMetadata, kustypes.OriginAnnotations)
		if manifest, err = yaml.Marshal(config); err != nil {
			return false, err
		}
	}
	return has, os.WriteFile(file, manifest, 0o644)
}

// origin is the repository path of the file that an object was read from, or whose generator made it.
func origin(each *resource.Resource, folder string) (string, error) {
	origin, err := each.GetOrigin()
	if err != nil || origin == nil {
		return "", err
	}
	file := origin.Path
	if file == "" {
		file = origin.ConfiguredIn
	}
	if file == "" {
		return "", nil
	}
	return strings.TrimPrefix(path.Join(folder, file), root+"/"), nil
}

// write gives an object with its text, where there may be something to put variables into.
func write(each *resource.Resource) (object, error) {
	content, err := each.MarshalJSON()
	if err != nil {
		return object{}, err
	}
	text, err := each.AsYAML()
	if err != nil {
		return object{}, err
	}
	if !strings.Contains(string(text), "$") {
		text = nil
	}
	return object{JSON: content, YAML: string(text)}, nil
}
