package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const postgresForm = "write postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=require," +
	" and percent-encode what is special in a part, such as %40 for @"

func openPostgreSQL(ctx context.Context, url string) (*sql.DB, error) {
	// A password that holds an @ or a / unescaped would be read as one that ends there, with the rest of it in the host or the database,
	// which the errors of a connection show.
	_, rest, slashes := strings.Cut(url, "://")
	if at := strings.IndexByte(rest, '@'); !slashes || at >= 0 && strings.ContainsAny(rest[:at], "/?#") || strings.Count(rest, "@") > 1 {
		return nil, errors.New("sqlstore: the PostgreSQL URL is malformed: " + postgresForm)
	}
	// The parser's errors hide passwords only as well as they can guess them, so that they are not passed on.
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("sqlstore: the PostgreSQL URL is malformed, or has a setting that is none: " + postgresForm)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 10 * time.Second
	}
	db := sql.OpenDB(connector{stdlib.GetConnector(*config)})
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	db.SetConnMaxIdleTime(5 * time.Minute)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlstore: connecting to PostgreSQL: %w", err), db.Close())
	}
	return db, nil
}

// connector keeps what pgx was told, the password too, out of the errors of connecting: they have it in an exported field, which some
// loggers write out.
type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	var failed *pgconn.ConnectError
	if errors.As(err, &failed) {
		err = unconnected{failed.Error(), failed.Unwrap()}
	}
	return conn, err
}

type unconnected struct {
	text  string
	cause error
}

func (u unconnected) Error() string { return u.text }
func (u unconnected) Unwrap() error { return u.cause }
