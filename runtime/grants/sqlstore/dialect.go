package sqlstore

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// Dialect is whose SQL a database speaks.
type Dialect string

// The dialects that there are.
const (
	SQLite     Dialect = "sqlite"
	PostgreSQL Dialect = "postgres"
)

// Each dialect has the same steps, in files that are named in their order. A step that was released does not change any more.
//
//go:embed migrations
var migrations embed.FS

func (d Dialect) migrations() ([]string, error) {
	// Glob sorts.
	names, err := fs.Glob(migrations, "migrations/"+string(d)+"/*.sql")
	steps := make([]string, len(names))
	for i, name := range names {
		var text []byte
		if text, err = migrations.ReadFile(name); err != nil {
			return nil, err
		}
		steps[i] = string(text)
	}
	return steps, err
}

// sql writes a statement in the dialect. Statements number their parameters $1, $2, … as PostgreSQL does. To SQLite those are names, and ?1
// is a number.
func (d Dialect) sql(statement string) string {
	if d == SQLite {
		return strings.ReplaceAll(statement, "$", "?")
	}
	return statement
}

// begin is how a transaction starts that no other process's runs beside.
func (d Dialect) begin() []string {
	if d == SQLite {
		return []string{"BEGIN IMMEDIATE"}
	}
	return []string{
		// What the statements behind the lock read must be from after it, whatever the database's default is.
		"BEGIN ISOLATION LEVEL READ COMMITTED",
		fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", migrationLock),
	}
}

// migrationLock is our advisory lock in a PostgreSQL database: "capgen g" in ASCII.
const migrationLock = 0x63617067656e2067

// hasVersions asks whether the table of versions is there.
func (d Dialect) hasVersions() string {
	if d == SQLite {
		return "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = 'capgen_grants_schema'"
	}
	// Not to_regclass: behind the lock it answers from a cache of before (it takes no lock itself, which is when PostgreSQL looks for news).
	return "SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relname = 'capgen_grants_schema' AND pg_catalog.pg_table_is_visible(oid))"
}
