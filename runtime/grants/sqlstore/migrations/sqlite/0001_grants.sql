-- Times are microseconds since 1970 in UTC. Scopes are joined by one space.
CREATE TABLE capgen_grants (
	id              TEXT    NOT NULL PRIMARY KEY,
	-- SHA-256 of the seven fields that follow: they may be too long for an index.
	key_digest      BLOB    NOT NULL,
	issuer          TEXT    NOT NULL,
	subject         TEXT    NOT NULL,
	client_id       TEXT    NOT NULL,
	tenant_id       TEXT    NOT NULL,
	application     TEXT    NOT NULL,
	audience        TEXT    NOT NULL,
	policy_revision TEXT    NOT NULL,
	scopes          TEXT    NOT NULL,
	issued_at       INTEGER NOT NULL,
	expires_at      INTEGER NOT NULL,
	-- A row that has it is never deleted and never loses it, so that its ID stays taken.
	revoked_at      INTEGER
) STRICT;

CREATE INDEX capgen_grants_by_key ON capgen_grants (key_digest, expires_at) WHERE revoked_at IS NULL;
