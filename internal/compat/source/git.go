package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
)

// git runs git in a folder. The error is its first line of complaint.
func git(ctx context.Context, folder string, input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", folder}, args...)...)
	cmd.Stdin = bytes.NewReader(input)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return out, nil
	case errors.As(err, &exit):
		line, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return nil, errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	return nil, fmt.Errorf("git cannot be run: %w", err)
}

// IsRevision reports whether the repository that a folder is in knows a revision of that name. The error is that of a folder in no repository.
func IsRevision(ctx context.Context, folder, name string) (bool, error) {
	if _, err := git(ctx, folder, nil, "rev-parse", "--git-dir"); err != nil {
		return false, err
	}
	_, err := git(ctx, folder, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{tree}")
	return err == nil, nil
}

// IsShallow reports whether the repository that a folder is in lacks what is older than some revisions.
func IsShallow(ctx context.Context, folder string) bool {
	out, err := git(ctx, folder, nil, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(string(out)) == "true"
}

// Revision returns the contract files that a revision has in a module's folder and below it, but for those of modules in it. They are read from
// git's objects: nothing is checked out. A revision without the folder has none.
func Revision(ctx context.Context, module, name string) (Files, error) {
	out, err := git(ctx, module, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	prefix := strings.TrimSuffix(string(out), "\n")
	args := []string{"ls-tree", "-r", "-z", "--full-tree", name + "^{tree}"}
	if prefix != "" {
		args = append(args, "--", prefix)
	}
	listing, err := git(ctx, module, nil, args...)
	if err != nil {
		return nil, err
	}
	objects := objectsOf(listing, prefix)
	return readObjects(ctx, module, objects)
}

// object is a file of a revision.
type object struct{ name, id string }

// objectsOf returns what may be contract files of a listing, without the prefix of the module's folder.
func objectsOf(listing []byte, prefix string) []object {
	var objects []object
	var modules []string
	for entry := range strings.SplitSeq(string(listing), "\x00") {
		// MODE SP TYPE SP ID TAB PATH
		attributes, name, found := strings.Cut(entry, "\t")
		fields := strings.Fields(attributes)
		if !found || len(fields) != 3 || !strings.HasPrefix(fields[0], "100") {
			continue // a link, or another repository
		}
		name = strings.TrimPrefix(name, prefix)
		if path.Base(name) == "go.mod" && name != "go.mod" {
			modules = append(modules, path.Dir(name)+"/")
		}
		if contract.MatchString(name) {
			objects = append(objects, object{name, fields[2]})
		}
	}
	return slices.DeleteFunc(objects, func(o object) bool {
		return slices.ContainsFunc(modules, func(module string) bool { return strings.HasPrefix(o.name, module) })
	})
}

// readObjects reads all of them with one process.
func readObjects(ctx context.Context, folder string, objects []object) (Files, error) {
	files := Files{}
	if len(objects) == 0 {
		return files, nil
	}
	var input bytes.Buffer
	for _, o := range objects {
		input.WriteString(o.id + "\n")
	}
	out, err := git(ctx, folder, input.Bytes(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	// For each: ID SP TYPE SP SIZE LF CONTENT LF
	answers := bufio.NewReader(bytes.NewReader(out))
	for _, o := range objects {
		header, err := answers.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("git cat-file tells nothing of %s", o.name)
		}
		fields := strings.Fields(header)
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: git has no content for it: %s", o.name, strings.TrimSpace(header))
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, err
		}
		content := make([]byte, size+1)
		if _, err := io.ReadFull(answers, content); err != nil {
			return nil, err
		}
		if isContract(content[:size]) {
			files[o.name] = content[:size]
		}
	}
	return files, nil
}
