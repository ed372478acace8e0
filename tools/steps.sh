# Sourced by ./quickstart and ./test: named steps whose noise goes to a log file.
#
# The caller sets LOG (a file) and PROGRAM (its name for messages). A step runs in the foreground, so that
# Ctrl-C reaches it; its last line is shown while it runs on a terminal; when it fails its tail is printed.

if [ -t 2 ]; then STEPS_TERMINAL=1; else STEPS_TERMINAL=0; fi

say() { printf '%s\n' "$*" >&2; }
title() { printf '\n== %s\n' "$*" >&2; }
fail() { # STATUS TEXT…
  local status=$1
  shift
  printf '%s: %s\n' "$PROGRAM" "$*" >&2
  exit "$status"
}

human_bytes() { # BYTES
  awk -v bytes="$1" 'BEGIN {
    split("bytes kB MB GB", unit, " ")
    for (i = 1; bytes >= 1000 && i < 4; i++) bytes /= 1000
    printf(i == 1 ? "%d %s" : "%.1f %s", bytes, unit[i])
  }'
}

human_seconds() { # SECONDS
  if [ "$1" -ge 60 ]; then printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); else printf '%d s' "$1"; fi
}

# Copies its input to the log; on a terminal it shows the newest line beside the name and the time.
_steps_follow() { # NAME
  trap '' INT
  local line='' shown='' begun=$SECONDS columns=${COLUMNS:-80} status
  while true; do
    status=0
    IFS= read -r -t 1 line || status=$?
    if [ "$status" -eq 0 ]; then
      printf '%s\n' "$line" >>"$LOG"
      shown=${line//[$'\r\t\e']/ }
    elif [ "$status" -le 128 ]; then
      [ -z "$line" ] || printf '%s\n' "$line" >>"$LOG"
      break
    fi
    if [ "$STEPS_TERMINAL" = 1 ]; then
      local text="$1 … $(human_seconds $((SECONDS - begun)))  $shown"
      printf '\r\033[K%s' "${text:0:$((columns - 1))}" >&2
    fi
  done
  [ "$STEPS_TERMINAL" = 0 ] || printf '\r\033[K' >&2
}

# Runs a command as a step; returns its status. Nothing is printed when it fails.
step_status() { # NAME COMMAND…
  local name=$1 begun=$SECONDS status=0
  shift
  printf '\n== %s\n+ %s\n' "$name" "$*" >>"$LOG"
  "$@" </dev/null 2>&1 | _steps_follow "$name" || status=$?
  [ "$status" -ne 0 ] || say "$name: done in $(human_seconds $((SECONDS - begun)))"
  return "$status"
}

# The same, but a failure prints the end of the log and ends the program with status 1.
step() { # NAME COMMAND…
  local status=0
  step_status "$@" || status=$?
  [ "$status" -ne 0 ] || return 0
  [ "$status" -ne 130 ] || exit 130
  say ""
  tail -n 40 "$LOG" >&2
  fail 1 "$1 failed (status $status). The whole log: $LOG"
}

# Jobs for the compiler: one a core, and not more than memory allows (a heavy file needs some 1.5 GB).
build_jobs() {
  local cores memory_kb
  cores=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
  local by_memory=$((${memory_kb:-4000000} / 1500000))
  [ "$by_memory" -ge 1 ] || by_memory=1
  if [ "$by_memory" -lt "$cores" ]; then printf '%d' "$by_memory"; else printf '%d' "$cores"; fi
}
