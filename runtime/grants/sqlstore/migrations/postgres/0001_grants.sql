-- Times are microseconds since 1970 in UTC. Scopes are joined by one space. Collation "C" is the order of bytes, as in SQLite.
CREATE TABLE capgen_grants (
	id              text   COLLATE "C" NOT NULL PRIMARY KEY,
	-- SHA-256 of the seven fields that follow: they may be too long for an index.
	key_digest      bytea  NOT NULL,
	issuer          text   COLLATE "C" NOT NULL,
	subject         text   COLLATE "C" NOT NULL,
	client_id       text   COLLATE "C" NOT NULL,
	tenant_id       text   COLLATE "C" NOT NULL,
	application     text   COLLATE "C" NOT NULL,
	audience        text   COLLATE "C" NOT NULL,
	policy_revision text   COLLATE "C" NOT NULL,
	scopes          text   NOT NULL,
	issued_at       bigint NOT NULL,
	expires_at      bigint NOT NULL,
	-- A row that has it is never deleted and never loses it, so that its ID stays taken.
	revoked_at      bigint
);

CREATE INDEX capgen_grants_by_key ON capgen_grants (key_digest, expires_at) WHERE revoked_at IS NULL;
