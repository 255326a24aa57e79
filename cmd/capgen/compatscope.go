package main

import (
	"encoding/json"
	"slices"

	"github.com/capgen/capgen/internal/compat"
	"github.com/capgen/capgen/internal/compat/source"
)

// contracts reads the contracts of the packages that are compared. A contract that has moved to or from another package is followed, so that it
// is neither new nor gone.
func (s *scope) contracts(earlier, current source.Files, against string) (before, after []*compat.Contract, err error) {
	now := current.Select(s.patterns)
	then := earlier.Select(s.patterns)
	if len(then) == 0 && onePackage(now) && slices.Equal(earlier.Packages(), []string{"."}) && share(earlier, now) {
		then = earlier // the folder holds the package's contracts, and not the module's
	}
	for _, p := range s.patterns {
		one := []source.Pattern{p}
		if len(now.Select(one)) == 0 && len(then.Select(one)) == 0 {
			return nil, nil, usagef("%s: no package there holds a contract, neither now nor in %s: run capgen generate, or correct the pattern", p, against)
		}
	}
	everywhere := []source.Pattern{source.Everywhere}
	follow(then, now, current.Select(everywhere))
	follow(now, then, earlier.Select(everywhere))
	if before, err = parse(then); err != nil {
		return nil, nil, usagef("%s: %v", against, err)
	}
	if after, err = parse(now); err != nil {
		return nil, nil, usagef("%v", err)
	}
	return before, after, nil
}

func onePackage(files source.Files) bool { return len(files.Packages()) == 1 }

// share reports whether a capability is in both.
func share(a, b source.Files) bool {
	names := namesByID(b)
	for _, text := range a {
		if names[idOf(text)] != "" {
			return true
		}
	}
	return false
}

// follow adds to some files those that hold the counterparts of others, by their IDs, out of all that there are.
func follow(others, files, all source.Files) {
	known, names := namesByID(files), namesByID(all)
	for _, text := range others {
		id := idOf(text)
		if name, found := names[id]; found && id != "" && known[id] == "" {
			files[name] = all[name]
		}
	}
}

func namesByID(files source.Files) map[string]string {
	names := map[string]string{}
	for _, name := range files.Names() {
		names[idOf(files[name])] = name
	}
	return names
}

// idOf returns the ID of a contract, or "" for a text that is none, which is told when it is read.
func idOf(text []byte) string {
	var contract struct{ ID string }
	_ = json.Unmarshal(text, &contract)
	return contract.ID
}

func parse(files source.Files) ([]*compat.Contract, error) {
	var contracts []*compat.Contract
	for _, name := range files.Names() {
		c, err := compat.ParseContract(name, files[name])
		if err != nil {
			return nil, err
		}
		contracts = append(contracts, c)
	}
	return contracts, nil
}

// fresh returns the folders of packages that have contracts, and neither had any nor have one that was elsewhere.
func (s *scope) fresh(before, after []*compat.Contract) []string {
	var folders, old []string
	for _, c := range after {
		folder := source.PackageOf(c.Path)
		folders = append(folders, folder)
		if slices.ContainsFunc(before, func(b *compat.Contract) bool { return b.ID == c.ID || source.PackageOf(b.Path) == folder }) {
			old = append(old, folder)
		}
	}
	slices.Sort(folders)
	folders = slices.DeleteFunc(slices.Compact(folders), func(folder string) bool { return slices.Contains(old, folder) })
	for i, folder := range folders {
		folders[i] = written(folder)
	}
	return folders
}

// written is a package's folder as patterns write it, relative to the module's.
func written(folder string) string {
	if folder == "." {
		return "."
	}
	return "./" + folder
}
