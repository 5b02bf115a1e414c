import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/**
 * Reads process groups and folders; once its input ends, it ends those groups and removes those folders that are still
 * there. That happens however this process ends, also by `kill -9` or by Ctrl-C in the middle of a long computation, of which
 * it hears nothing itself.
 */
const script = `
nl='
'
groups=' '
folders="$nl"
while read -r word id; do
  case $word in
    start) groups="$groups$id " ;;
    end) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
    folder) folders="$folders$id$nl" ;;
    gone) case $folders in *"$nl$id$nl"*) folders="\${folders%%"$nl$id$nl"*}$nl\${folders#*"$nl$id$nl"}" ;; esac ;;
  esac
done
clear() { printf %s "$folders" | while IFS= read -r folder; do [ -n "$folder" ] && rm -rf -- "$folder"; done; }
left=''
for id in $groups; do kill -s TERM -- "-$id" 2>/dev/null && left="$left $id"; done
clear
[ -z "$left" ] && exit 0
sleep 3
for id in $left; do kill -s KILL -- "-$id" 2>/dev/null; done
clear
`;

let guard: ChildProcess | undefined;

/**
 * Has the group of a process ended with this one; returns what to call once it has ended by itself. Best effort: not on
 * Windows, and not without a shell.
 */
export function guardGroup(pid: number | undefined): () => void {
  return pid === undefined ? () => undefined : told(`start ${pid}`, `end ${pid}`);
}

/**
 * Has a folder removed with the end of this process; returns what to call once it is gone. The guard reads a line for each:
 * of a name with a line break in it, it would take the beginning for another folder.
 */
export function guardFolder(path: string): () => void {
  return /[\r\n]/.test(path) ? () => undefined : told(`folder ${path}`, `gone ${path}`);
}

function told(begin: string, end: string): () => void {
  if (process.platform === "win32") return () => undefined;
  guard ??= startGuard();
  const { stdin } = guard;
  stdin?.write(`${begin}\n`);
  return () => stdin?.write(`${end}\n`);
}

/** Out of reach of a signal to this one's group, without its environment, and no reason for it to stay. */
function startGuard(): ChildProcess {
  const child = spawn("/bin/sh", ["-c", script, `arcflux-guard-${process.pid}`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env["PATH"] },
    cwd: "/",
  });
  const gone = (): void => {
    if (guard === child) guard = undefined;
  };
  child.once("error", gone).once("exit", gone);
  child.stdin.on("error", gone);
  child.unref();
  (child.stdin as typeof child.stdin & { unref?: () => void }).unref?.();
  return child;
}
