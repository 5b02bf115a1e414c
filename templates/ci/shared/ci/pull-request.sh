#!/usr/bin/env bash
# What a pull request will do, in one comment that is updated; a pipeline calls it, and so may you:
#   ARCFLUX_BASE=origin/main ARCFLUX_OUT=review.md ci/pull-request.sh
#
#   ARCFLUX_BASE          commit or branch that the change is compared with
#   ARCFLUX_STACK         stack to preview, with the policies in policy/; empty: no preview
#   ARCFLUX_UNTRUSTED     true: nothing is asked of repository, Azure and clusters (a fork, which has no token)
#   ARCFLUX_TEST_CLUSTER  name of a cluster that a server-side dry run asks through your kubeconfig; empty: none
#   ARCFLUX_OUT           file for the comment; empty: it is posted
#   ARCFLUX_COMMENT_TOKEN token that may comment; empty: ARCFLUX_GIT_TOKEN, which reads the GitOps repository
#   ARCFLUX_CODE_QUALITY  file for GitLab's code quality report; empty: none
#
# Ends with 0, with 1 where something fails, with 2 for faults of the fleet file, with 3 where production is reached.
set -uo pipefail
read -ra arcflux <<<"${ARCFLUX_COMMAND:-npx --no-install arcflux}"
base=${ARCFLUX_BASE:?is the commit that the change is compared with, such as origin/main}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
comment=()
worst=0

# Notes the code of a step that failed; 1 stands above all others.
failed() {
  if [ "$1" -eq 1 ] || [ "$worst" -eq 0 ]; then worst=$1; fi
}

validate=(validate --json)
[ "${ARCFLUX_UNTRUSTED:-}" != true ] && validate+=(--repo)
"${arcflux[@]}" "${validate[@]}" >"$work/findings.json" || failed $?
comment+=(--findings "$work/findings.json")

if [ "${ARCFLUX_UNTRUSTED:-}" != true ] && [ "$worst" -eq 0 ]; then
  "${arcflux[@]}" diff --base "$base" --format markdown >"$work/diff.md" || failed $?
  comment+=(--part "What changes on clusters=$work/diff.md")

  code=0
  "${arcflux[@]}" impact --base "$base" --format markdown >"$work/impact.md" || code=$?
  comment+=(--part "What it reaches=$work/impact.md")
  if [ "$code" -eq 3 ]; then
    comment+=(--note "Production is reached: whoever may approve it does so in this pipeline, at arcflux-production.")
    [ "$worst" -eq 0 ] && worst=3
  elif [ "$code" -ne 0 ]; then
    failed "$code"
  fi

  if [ -n "${ARCFLUX_TEST_CLUSTER:-}" ]; then
    "${arcflux[@]}" diff --server --cluster "$ARCFLUX_TEST_CLUSTER" --format markdown >"$work/server.md" || failed $?
    comment+=(--part "What the API server of $ARCFLUX_TEST_CLUSTER says=$work/server.md")
  fi
fi

if [ -n "${ARCFLUX_STACK:-}" ]; then
  # The log of events is what Pulumi's Automation API reads; the command has it with this variable alone.
  PULUMI_DEBUG_COMMANDS=1 pulumi preview --non-interactive --stack "$ARCFLUX_STACK" --policy-pack policy \
    --event-log "$work/events.json" || failed 1
  # A preview that never began wrote none.
  [ -f "$work/events.json" ] && comment+=(--preview "$work/events.json")
fi

[ -n "${ARCFLUX_OUT:-}" ] && comment+=(--out "$ARCFLUX_OUT")
[ -n "${ARCFLUX_CODE_QUALITY:-}" ] && comment+=(--code-quality "$ARCFLUX_CODE_QUALITY")
if [ -n "${ARCFLUX_COMMENT_TOKEN:-}" ]; then
  # Of another host than the token of the GitOps repository may be bound to.
  unset ARCFLUX_GIT_TOKEN_HOST
  export ARCFLUX_GIT_TOKEN=$ARCFLUX_COMMENT_TOKEN
fi
"${arcflux[@]}" comment "${comment[@]}" || failed 1
exit "$worst"
