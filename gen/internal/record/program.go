package record

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"regexp"
	"sync"
)

// Program names the program that runs by its content, since another one may generate something else; it is "" when the program cannot be
// read. The path, the size and the time of change do not tell two programs apart: reproducible builds and unpacked images share them.
var Program = sync.OnceValue(func() string {
	file, err := openProgram()
	if err != nil {
		return ""
	}
	defer file.Close()
	return nameProgram(file)
})

func openProgram() (*os.File, error) {
	// On Linux this is the file that runs, even when another has taken its name since.
	if file, err := os.Open("/proc/self/exe"); err == nil {
		return file, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// buildID matches what the go command writes near the start of a program, in an ELF note or as text: digests of what it was linked from
// and of what came out (cmd/internal/buildid). Builders that put a constant there do not write four digests.
var buildID = regexp.MustCompile(`Go(?:\x00\x00| build ID: ")([\w-]{20}(?:/[\w-]{20}){3})\W`)

// nameProgram returns a program's build ID or, where it has none, the digest of the whole, which takes a hundred times as long.
func nameProgram(program io.ReadSeeker) string {
	start, err := io.ReadAll(io.LimitReader(program, 64<<10))
	if err != nil {
		return ""
	}
	if found := buildID.FindSubmatch(start); found != nil {
		return string(found[1])
	}
	whole := sha256.New()
	if _, err := program.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	if _, err := io.Copy(whole, program); err != nil {
		return ""
	}
	return hex.EncodeToString(whole.Sum(nil))
}
