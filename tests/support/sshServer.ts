import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";

/** Where a system keeps the server; sshd wants to be called by its full path. */
export const sshd = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd"].find((path) =>
  existsSync(path),
);

export interface SshServer {
  readonly port: number;
  readonly user: string;
  /** Private key that may log in, and one that may not. */
  readonly key: string;
  readonly stranger: string;
  /** Public host keys by type, as known_hosts has them after the host. */
  readonly hostKeys: Readonly<Record<"ed25519" | "ecdsa", string>>;
  close(): Promise<void>;
}

/** A server of this user on a free port, with host keys of two types, in a folder of its own. */
export async function startSshServer(folder: string): Promise<SshServer> {
  if (sshd === undefined) throw new Error("no sshd here");
  const at = (name: string): string => join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const make = (type: string, name: string): void => {
    const { status, stderr } = spawnSync("ssh-keygen", [
      "-q",
      "-t",
      type,
      "-N",
      "",
      "-C",
      name,
      "-f",
      at(name),
    ]);
    if (status !== 0) throw new Error(stderr.toString());
  };
  make("ed25519", "host-ed25519");
  make("ecdsa", "host-ecdsa");
  make("ed25519", "user");
  make("ed25519", "stranger");
  writeFileSync(at("authorized"), readFileSync(at("user.pub")), { mode: 0o600 });
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host-ed25519")}`,
    `HostKey ${at("host-ecdsa")}`,
    `AuthorizedKeysFile ${at("authorized")}`,
    `PidFile ${at("pid")}`,
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
    "PermitRootLogin yes",
    "LogLevel ERROR",
  ];
  writeFileSync(at("config"), `${lines.join("\n")}\n`);
  // As root it drops its rights into a folder that an installed service would have made.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const child = spawn(sshd, ["-D", "-e", "-f", at("config")], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  for (let tries = 0; !existsSync(at("pid")); tries++) {
    if (tries > 500 || child.exitCode !== null) throw new Error(`sshd did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const publicKey = (name: string): string =>
    readFileSync(at(`${name}.pub`), "utf8")
      .split(" ")
      .slice(0, 2)
      .join(" ");
  return {
    port,
    user: userInfo().username,
    key: readFileSync(at("user"), "utf8"),
    stranger: readFileSync(at("stranger"), "utf8"),
    hostKeys: { ed25519: publicKey("host-ed25519"), ecdsa: publicKey("host-ecdsa") },
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill();
      }),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
