#!/bin/sh
# Runs what serves the orchestrator beyond one machine, on one machine: PostgreSQL, two fronts (each with a task server of its own), and nginx.
#
#   deploy/stack.sh up            build and start all; prints the endpoint and the token
#   deploy/stack.sh down          stop all
#   deploy/stack.sh ps            show what runs
#   deploy/stack.sh start NAME    start front1 or front2
#   deploy/stack.sh stop NAME     stop it gracefully
#   deploy/stack.sh kill NAME     kill it
#
# Needs Go, nginx, and PostgreSQL: DATABASE_URL, or else the server's programs, on PATH or where Debian puts them. The variables below say where.
set -eu
umask 077
cd "$(dirname "$0")/.."

STATE=${STATE:-$PWD/bin/deploy} # logs, process IDs, the token, the database; an absolute path
PORT=${PORT:-8053}              # of nginx
FRONT1=${FRONT1:-8061}          # of the fronts, and of their task servers
FRONT2=${FRONT2:-8062}
TASKS1=${TASKS1:-8071}
TASKS2=${TASKS2:-8072}
PATH=$PATH:/usr/sbin
for folder in /usr/lib/postgresql/*/bin; do PATH=$PATH:$folder; done

die() { echo "stack.sh: $*" >&2; exit 1; }

# running NAME: its process is there, and not only because nobody has buried it yet, as in containers.
running() {
	pid=$(head -n1 "$STATE/$1.pid" 2>/dev/null) && [ -n "$pid" ] || return 1
	kill -0 "$pid" 2>/dev/null || return 1
	case $(ps -o stat= -p "$pid" 2>/dev/null || true) in Z*) return 1 ;; esac
}

# gone NAME: waits until it is not.
gone() {
	tries=0
	while running "$1"; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || die "$1 does not end; see $STATE/$1.log"
		sleep 0.1
	done
	rm -f "$STATE/$1.pid"
}

signal() {
	running "$2" || die "$2 does not run"
	kill "-$1" "$(head -n1 "$STATE/$2.pid")"
	gone "$2"
}

front() {
	case $1 in
	front1) port=$FRONT1 tasks=$TASKS1 ;;
	front2) port=$FRONT2 tasks=$TASKS2 ;;
	*) die "there is no $1: write front1 or front2" ;;
	esac
	! running "$1" || die "$1 runs already"
	: >"$STATE/$1.log"
	# The token and the database, which may have a password in its URL, are not for lists of processes.
	ORCHESTRATOR_TOKEN=$(cat "$STATE/token") ORCHESTRATOR_DB=$(cat "$STATE/database") nohup "$STATE/orchestrator" \
		-addr "127.0.0.1:$port" -server-addr "127.0.0.1:$tasks" -url "http://127.0.0.1:$PORT/mcp" >>"$STATE/$1.log" 2>&1 </dev/null &
	echo $! >"$STATE/$1.pid"
	tries=0
	until grep -q '^Serving at' "$STATE/$1.log"; do
		tries=$((tries + 1))
		running "$1" && [ $tries -lt 300 ] || die "$1 does not start: $(cat "$STATE/$1.log")"
		sleep 0.1
	done
}

database() {
	if [ -n "${DATABASE_URL:-}" ]; then
		echo "$DATABASE_URL" >"$STATE/database"
		return
	fi
	command -v pg_ctl >/dev/null || die "there is no PostgreSQL: install its server, or set DATABASE_URL"
	[ "$(id -u)" != 0 ] || die "PostgreSQL does not run as root: be somebody else, or set DATABASE_URL"
	[ -d "$STATE/postgres" ] || initdb -D "$STATE/postgres" -U capgen --auth=trust >"$STATE/postgres.log"
	# No network: who can enter the folder of its socket is its owner.
	pg_ctl -D "$STATE/postgres" -l "$STATE/postgres.log" -w -o "-k $STATE/postgres -c listen_addresses=''" start >/dev/null
	echo "postgres://capgen@/postgres?host=$STATE/postgres" >"$STATE/database"
}

balancer() {
	sed -e "s|@STATE@|$STATE|; s|@PORT@|$PORT|; s|@FRONT1@|$FRONT1|; s|@FRONT2@|$FRONT2|" deploy/nginx.conf.in >"$STATE/nginx.conf"
	# It goes to the background when it listens.
	nginx -e "$STATE/nginx.log" -c "$STATE/nginx.conf"
}

up() {
	command -v nginx >/dev/null || die "there is no nginx: install it"
	for name in front1 front2 nginx; do ! running $name || die "$name runs already: deploy/stack.sh down"; done
	mkdir -p "$STATE"
	go build -o "$STATE/" ./examples/orchestrator
	[ -s "$STATE/token" ] || od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$STATE/token"
	trap 'down' EXIT # a half that runs is no use
	database
	front front1
	front front2
	balancer
	trap - EXIT
	echo "Serving at http://127.0.0.1:$PORT/mcp"
	echo "Send the header \"Authorization: Bearer TOKEN\", with the token that is in $STATE/token"
}

down() {
	for name in nginx front1 front2; do ! running $name || signal TERM $name; done
	[ ! -f "$STATE/postgres/postmaster.pid" ] || pg_ctl -D "$STATE/postgres" -m fast -w stop >/dev/null
}

case "${1:-} $#" in
"up 1") up ;;
"down 1") down ;;
"ps 1") for name in nginx front1 front2; do if running $name; then echo "$name runs"; else echo "$name does not run"; fi; done ;;
"start 2") front "$2" ;;
"stop 2") signal TERM "$2" ;;
"kill 2") signal KILL "$2" ;;
*) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p;}' "$0"; exit 2 ;;
esac
