import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/**
 * Reads process groups, and ends those that are still there once its input does: that happens however this process ends,
 * also by `kill -9`, of which it hears nothing itself.
 */
const script = `
groups=' '
while read -r word id; do
  case $word in
    start) groups="$groups$id " ;;
    end) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done
left=''
for id in $groups; do kill -s TERM -- "-$id" 2>/dev/null && left="$left $id"; done
[ -z "$left" ] && exit 0
sleep 3
for id in $left; do kill -s KILL -- "-$id" 2>/dev/null; done
`;

let guard: ChildProcess | undefined;

/**
 * Has the group of a process ended with this one; returns what to call once it has ended by itself. Best effort: not on
 * Windows, and not without a shell.
 */
export function guardGroup(pid: number | undefined): () => void {
  if (pid === undefined || process.platform === "win32") return () => undefined;
  guard ??= startGuard();
  const { stdin } = guard;
  stdin?.write(`start ${pid}\n`);
  return () => stdin?.write(`end ${pid}\n`);
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
