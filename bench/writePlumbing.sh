#!/bin/sh
# The least that git itself has to do to change one file on a remote branch without a clone, a command for each step:
# fetch the tip, fetch the folders on the way one level at a time, build blob, trees and commit, push.
# Usage: plumbing.sh URL SCRATCH PATH CONTENT
set -eu
url=$1 scratch=$2 path=$3 content=$4
export GIT_DIR="$scratch" GIT_NO_LAZY_FETCH=1 GIT_AUTHOR_NAME=Bench GIT_AUTHOR_EMAIL=bench@example.com
export GIT_COMMITTER_NAME=Bench GIT_COMMITTER_EMAIL=bench@example.com GIT_TERMINAL_PROMPT=0
mkdir -p "$scratch/objects" "$scratch/refs"
echo 'ref: refs/heads/none' >"$scratch/HEAD"
cat >"$scratch/config" <<CONFIG
[core]
	repositoryformatversion = 1
	bare = true
[extensions]
	partialClone = origin
[remote "origin"]
	url = $url
	promisor = true
CONFIG
fetch="git -c fetch.negotiationAlgorithm=noop fetch --no-tags --no-write-fetch-head --no-auto-maintenance --quiet"
$fetch --depth=1 --filter=tree:1 origin +refs/heads/main:refs/tip
tip=$(git rev-parse refs/tip)
tree=$(git rev-parse 'refs/tip^{tree}')
trees=$tree
folders=${path%/*}
rest=$folders
while [ -n "$rest" ]; do
  name=${rest%%/*}
  case $rest in */*) rest=${rest#*/} ;; *) rest= ;; esac
  tree=$(git ls-tree "$tree" -- "$name" | cut -d' ' -f3 | cut -f1)
  echo "$tree" | $fetch --filter=tree:0 --stdin origin
  trees="$tree $trees"
done
id=$(printf '%s' "$content" | git hash-object -w --stdin)
mode="100644 blob"
name=${path##*/}
parents=$folders
for tree in $trees; do
  id=$(git ls-tree -z "$tree" | tr '\0' '\n' | awk -F'\t' -v n="$name" -v e="$mode $id" '$2 == n { print e "\t" n; next } { print }' | git mktree --missing)
  mode="040000 tree"
  name=${parents##*/}
  case $parents in */*) parents=${parents%/*} ;; *) parents= ;; esac
done
commit=$(echo Bench | git commit-tree -p "$tip" "$id")
git push --quiet --no-thin --no-verify origin "$commit:refs/heads/main"
