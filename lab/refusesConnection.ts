import { connect } from "node:net";

/**
 * Whether nobody listens at an address (`host:port`). Only a refused connection says so; a slow answer, or an address
 * that is none, says nothing.
 */
export function refusesConnection(address: string): Promise<boolean> {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(address) ?? [];
  if (host === undefined || Number(port) > 65535) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    const end = (refused: boolean): void => {
      socket.destroy();
      resolve(refused);
    };
    socket.setTimeout(500, () => end(false));
    socket.once("connect", () => end(false));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code === "ECONNREFUSED"));
  });
}
