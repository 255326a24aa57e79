package sqlstore

import "database/sql"

// Pool is the store's pool.
func Pool(s *Store) *sql.DB { return s.db }
