#!/usr/bin/env bash
# etcd on the loopback interface, for tests and by hand.
#
#   etcd.sh up N DIR        start N members (1 or 3, say) with their data in DIR; prints the endpoints when they work.
#                           A second call starts those that have died. BASE=24000 gives the ports: two for each member.
#   etcd.sh down DIR        stop them; "down -9 DIR" kills them. The data stays.
#   etcd.sh wipe DIR        kill them and remove DIR
#   etcd.sh member ETCD-OPTIONS...
#                           what the tests call: run one member as long as somebody holds this script's standard input
#                           open. The first line printed is its process id. If the test's process dies, so does it.
set -euo pipefail

say() { printf 'etcd.sh: %s\n' "$*" >&2; }

need_etcd() {
  command -v etcd >/dev/null && return
  say "there is no etcd here; on Debian: apt-get install --no-install-recommends etcd-server"
  exit 3
}

# True if that process is an etcd and not somebody else's with the same number.
alive() { [[ -n ${1:-} && $(ps -o comm= -p "$1" 2>/dev/null) == etcd ]]; }

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /health HTTP/1.0\r\n\r\n' >&3 && grep -q '"health": *"true"' <&3) 2>/dev/null; }

up() {
  local n=$1 dir base=${BASE:-24000} i cluster= endpoints= pid tries
  need_etcd
  mkdir -p "$2"
  dir=$(realpath "$2")
  if [[ -f $dir/members && $(<"$dir/members") != "$n $base" ]]; then
    say "$dir is of a cluster with other members or ports ($(<"$dir/members")); wipe it first"
    exit 2
  fi
  echo "$n $base" >"$dir/members"
  for ((i = 0; i < n; i++)); do
    cluster+=${cluster:+,}m$i=http://127.0.0.1:$((base + 2 * i + 1))
    endpoints+=${endpoints:+,}http://127.0.0.1:$((base + 2 * i))
  done
  for ((i = 0; i < n; i++)); do
    pid=$(cat "$dir/m$i.pid" 2>/dev/null) || pid=
    if alive "$pid"; then continue; fi
    setsid etcd --name "m$i" --data-dir "$dir/m$i" \
      --listen-client-urls "http://127.0.0.1:$((base + 2 * i))" --advertise-client-urls "http://127.0.0.1:$((base + 2 * i))" \
      --listen-peer-urls "http://127.0.0.1:$((base + 2 * i + 1))" \
      --initial-advertise-peer-urls "http://127.0.0.1:$((base + 2 * i + 1))" \
      --initial-cluster "$cluster" --heartbeat-interval 50 --election-timeout 500 \
      </dev/null >>"$dir/m$i.log" 2>&1 &
    echo $! >"$dir/m$i.pid"
  done
  for ((i = 0; i < n; i++)); do
    for ((tries = 0; ; tries++)); do
      if answers $((base + 2 * i)); then break; fi
      if ((tries == 300)); then
        say "member $i does not work after 30 s; see $dir/m$i.log"
        exit 1
      fi
      sleep 0.1
    done
  done
  printf '%s\n' "$endpoints"
}

down() {
  local signal=$1 dir=$2 file pid tries
  for file in "$dir"/m*.pid; do
    [[ -f $file ]] || continue
    pid=$(<"$file")
    if alive "$pid"; then
      kill "-$signal" "$pid"
      for ((tries = 0; tries < 100; tries++)); do
        if ! alive "$pid"; then break; fi
        sleep 0.1
      done
      if alive "$pid"; then kill -KILL "$pid"; fi
    fi
    rm -f "$file"
  done
}

member() {
  local pid
  need_etcd
  etcd "$@" </dev/null >&2 &
  pid=$!
  # With the number in it: the variable is gone when the script ends.
  # shellcheck disable=SC2064
  trap "kill -KILL $pid 2>/dev/null || true" EXIT
  echo "$pid"
  # The end of the input is the end of the test.
  cat >/dev/null
}

case ${1:-} in
  up) up "${2:?how many members}" "${3:?a directory}" ;;
  down)
    if [[ ${2:-} == -9 ]]; then down KILL "${3:?a directory}"; else down TERM "${2:?a directory}"; fi
    ;;
  wipe)
    down KILL "${2:?a directory}"
    if [[ -f $2/members ]]; then rm -rf "$2"; fi
    ;;
  member)
    shift
    member "$@"
    ;;
  *)
    sed -n '2,/^set /p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//'
    exit 2
    ;;
esac
