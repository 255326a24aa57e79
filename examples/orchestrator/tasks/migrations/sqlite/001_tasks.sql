CREATE TABLE tasks (
	seq integer PRIMARY KEY AUTOINCREMENT,
	id text NOT NULL UNIQUE,
	request_key text NOT NULL UNIQUE,
	parent_id text REFERENCES tasks (id),
	goal text NOT NULL,
	role text NOT NULL,
	priority text NOT NULL,
	scope text NOT NULL,
	complexity text NOT NULL,
	estimated_minutes bigint NOT NULL,
	status text NOT NULL,
	steps_done bigint NOT NULL DEFAULT 0,
	steps_total bigint NOT NULL,
	spent_minutes bigint NOT NULL DEFAULT 0,
	spent_cents bigint NOT NULL DEFAULT 0,
	approved boolean NOT NULL DEFAULT false,
	failure text NOT NULL DEFAULT '',
	planned_subtasks bigint NOT NULL,
	claim text NOT NULL DEFAULT '',
	claimed_until bigint NOT NULL DEFAULT 0,
	created_at bigint NOT NULL,
	updated_at bigint NOT NULL
);
CREATE INDEX tasks_by_status ON tasks (status, seq);
CREATE INDEX tasks_by_parent ON tasks (parent_id);
