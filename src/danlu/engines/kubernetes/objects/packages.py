"""A task's own packages in a pod: installed in its scratch before its command, with what any image with Python has."""

from __future__ import annotations

from collections.abc import Sequence

from danlu.domain.job import Packages

PLACE = "/danlu/packages"
FAILED = "danlu-packages"
"""How the last words of a container begin whose packages could not be had: then `:problem:what was said`."""
_LAST_WORDS = "/dev/termination-log"

SCRIPT = f"""\
place=$1 kind=$2 wish=$3
shift 3
danlu_fail() {{
  echo "danlu: the packages cannot be installed: $2" >&2
  {{ echo "{FAILED}:$1:$2" >{_LAST_WORDS}; }} 2>/dev/null
  exit 1
}}
danlu_do() {{
  problem=$1
  shift
  {{ "$@" 2>&1; echo $? >"$place/code"; }} | tee "$place/said"
  if [ "$(cat "$place/code")" != 0 ]; then
    said=$(grep '^ERROR:' "$place/said" | tail -n 1)
    danlu_fail "$problem" "${{said:-$(tail -n 1 "$place/said")}}"
  fi
}}
env=$place/env
export TMPDIR="$place"
case $kind in
venv)
  env=$wish
  if [ ! -x "$env/bin/python" ]; then danlu_fail no_environment "$env"; fi
  ;;
conda)
  if [ ! -f "$wish" ] || [ -L "$wish" ]; then danlu_fail no_file "$wish"; fi
  program=$(command -v micromamba || command -v mamba || command -v conda) ||
    danlu_fail no_tool "micromamba, mamba, conda"
  echo "danlu: installing packages: $wish" >&2
  verb=env
  case $program in *micromamba) verb= ;; esac
  danlu_do install "$program" $verb create --yes -p "$env" -f "$wish"
  ;;
*)
  if [ "$kind" = names ]; then
    printf '%s\n' "$wish" >"$place/requirements.txt"
    wish=$place/requirements.txt
  elif [ ! -f "$wish" ] || [ -L "$wish" ]; then
    danlu_fail no_file "$wish"
  fi
  command -v python3 >/dev/null || danlu_fail no_tool python3
  echo "danlu: installing packages" >&2
  danlu_do no_tool python3 -m venv --system-site-packages --without-pip "$env"
  "$env/bin/python" -m pip --version >/dev/null 2>&1 || danlu_do no_tool "$env/bin/python" -m ensurepip
  danlu_do install "$env/bin/python" -m pip install --no-input --disable-pip-version-check --no-color \
    --no-cache-dir --progress-bar off --no-warn-script-location -r "$wish"
  # Programs of the image, such as torchrun, run with the image's own Python: so they find the packages too.
  for site in "$env"/lib/python3*/site-packages; do
    PYTHONPATH=$site${{PYTHONPATH:+:$PYTHONPATH}}
  done
  export PYTHONPATH
  ;;
esac
unset TMPDIR
export VIRTUAL_ENV="$env" PATH="$env/bin:$PATH"
exec "$@"
"""
"""Takes a folder to write to, what kind of wish it is, the wish, and the command."""


def with_packages(packages: Packages, command: str | Sequence[str], place: str = PLACE) -> list[str]:
    """The command with what installs its packages before it."""
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    if packages.venv is not None:
        wish = ["venv", packages.venv]
    elif packages.file is not None:
        wish = ["conda" if packages.conda else "file", packages.file]
    else:
        wish = ["names", "\n".join(packages.pip)]
    return ["/bin/sh", "-c", SCRIPT, "danlu", place, *wish, *argv]
