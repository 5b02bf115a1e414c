import { webcrypto } from "node:crypto";
import type { FileNode, FolderNode, MemoryFiles, Node } from "./memoryFiles.ts";

/** Numbers of wasi_snapshot_preview1. */
const errno = {
  ok: 0,
  bad: 8,
  exists: 20,
  invalid: 28,
  io: 29,
  none: 44,
  unsupported: 52,
  noFolder: 54,
} as const;
const fileTypes = { folder: 3, file: 4, stream: 2 } as const;
const openFlags = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;
const rootDescriptor = 3;

interface Open {
  readonly node: Node;
  offset: number;
}

/** The program asked to end, which it does only when it is lost. */
export class Exit extends Error {}

/**
 * The system that the engine sees: a clock, random bytes, and below `/repository` the files it was given. There is
 * nothing else: no file of this machine, no network, no other program.
 */
export class Wasi {
  /** What the program wrote to standard output and error. */
  output = "";
  readonly #descriptors = new Map<number, Open>();
  readonly #decoder = new TextDecoder();
  #memory: WebAssembly.Memory | undefined;
  #files: MemoryFiles | undefined;
  #top: FolderNode = top([]);

  set memory(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  set files(files: MemoryFiles) {
    this.#files = files;
    this.#top = top([["repository", files.root]]);
    this.#descriptors.clear();
    this.#descriptors.set(rootDescriptor, { node: this.#top, offset: 0 });
    this.output = "";
  }

  /** The functions that the module imports; those that are not here answer that they are not supported. */
  imports(module: WebAssembly.Module): WebAssembly.Imports {
    const known: Record<string, (...args: never[]) => number> = {
      sched_yield: () => errno.ok,
      proc_exit: (code: number) => {
        throw new Exit(`The engine ended with ${code}. ${this.output}`);
      },
      args_sizes_get: (count: number, size: number) => this.#words(count, [1], size, programName.length),
      args_get: (list: number, at: number) => {
        this.#bytes().set(programName, at);
        return this.#words(list, [at]);
      },
      environ_sizes_get: (count: number, size: number) => this.#words(count, [1], size, environment.length),
      environ_get: (list: number, at: number) => {
        this.#bytes().set(environment, at);
        return this.#words(list, [at]);
      },
      clock_time_get: (_: number, __: bigint, at: number) => {
        this.#view().setBigUint64(at, BigInt(Date.now()) * 1_000_000n, true);
        return errno.ok;
      },
      random_get: (at: number, size: number) => {
        webcrypto.getRandomValues(this.#bytes().subarray(at, at + Math.min(size, 65_536)));
        return errno.ok;
      },
      poll_oneoff: (from: number, to: number, count: number, at: number) => this.#poll(from, to, count, at),
      fd_prestat_get: (fd: number, at: number) =>
        fd === rootDescriptor ? this.#words(at, [0, 1]) : errno.bad,
      fd_prestat_dir_name: (_: number, at: number) => {
        this.#bytes()[at] = "/".charCodeAt(0);
        return errno.ok;
      },
      fd_fdstat_get: (fd: number, at: number) => this.#describe(fd, at),
      fd_fdstat_set_flags: () => errno.ok,
      fd_close: (fd: number) => (this.#descriptors.delete(fd) ? errno.ok : errno.bad),
      fd_write: (fd: number, vectors: number, count: number, at: number) =>
        this.#write(fd, vectors, count, at),
      fd_read: (fd: number, vectors: number, count: number, at: number) => this.#read(fd, vectors, count, at),
      fd_readdir: (fd: number, at: number, size: number, cookie: bigint, used: number) =>
        this.#list(fd, at, size, Number(cookie), used),
      fd_filestat_get: (fd: number, at: number) => {
        const open = this.#descriptors.get(fd);
        return open === undefined ? errno.bad : this.#status(open.node, at);
      },
      path_filestat_get: (fd: number, _: number, path: number, size: number, at: number) => {
        const found = this.#find(fd, path, size);
        return typeof found === "number" ? found : this.#status(found, at);
      },
      path_open: (
        fd: number,
        _: number,
        path: number,
        size: number,
        flags: number,
        __: bigint,
        ___: bigint,
        ____: number,
        at: number,
      ) => this.#open(fd, path, size, flags, at),
      // There are no links: source-controller leaves them out.
      path_readlink: () => errno.invalid,
    };
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    return {
      wasi_snapshot_preview1: Object.fromEntries(
        names.map((name) => [name, known[name] ?? (() => errno.unsupported)]),
      ),
    };
  }

  #bytes(): Uint8Array {
    return new Uint8Array(this.#memory!.buffer);
  }

  #view(): DataView {
    return new DataView(this.#memory!.buffer);
  }

  /** Writes words of 32 bits, and perhaps one more elsewhere. */
  #words(at: number, words: readonly number[], other?: number, word = 0): number {
    const view = this.#view();
    for (const [index, each] of words.entries()) view.setUint32(at + 4 * index, each, true);
    if (other !== undefined) view.setUint32(other, word, true);
    return errno.ok;
  }

  /** Nothing is worth waiting for: a sleep is over at once. */
  #poll(from: number, to: number, count: number, at: number): number {
    const view = this.#view();
    this.#bytes().fill(0, to, to + 32 * count);
    for (let index = 0; index < count; index++)
      view.setBigUint64(to + 32 * index, view.getBigUint64(from + 48 * index, true), true);
    return this.#words(at, [count]);
  }

  #describe(fd: number, at: number): number {
    const open = this.#descriptors.get(fd);
    if (open === undefined && fd > 2) return errno.bad;
    this.#bytes().fill(0, at, at + 24);
    const view = this.#view();
    view.setUint8(at, open === undefined ? fileTypes.stream : fileTypes[open.node.kind]);
    for (const rights of [at + 8, at + 16]) view.setBigUint64(rights, (1n << 29n) - 1n, true);
    return errno.ok;
  }

  #status(node: Node, at: number): number {
    const content = node.kind === "file" ? this.#files!.content(node) : undefined;
    if (node.kind === "file" && content === undefined) return errno.io;
    this.#bytes().fill(0, at, at + 64);
    const view = this.#view();
    view.setUint8(at + 16, fileTypes[node.kind]);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(content?.length ?? 0), true);
    return errno.ok;
  }

  #find(fd: number, path: number, size: number): Node | number {
    const start = this.#descriptors.get(fd)?.node;
    if (start === undefined) return errno.bad;
    const names = this.#decoder.decode(this.#bytes().slice(path, path + size)).split("/");
    const way: Node[] = [start];
    for (const name of names) {
      const here = way.at(-1)!;
      if (name === "" || name === ".") continue;
      if (here.kind !== "folder") return errno.noFolder;
      if (name === "..") {
        if (way.length > 1) way.pop();
        continue;
      }
      const next = here === this.#top ? here.entries.get(name) : this.#files!.entry(here, name);
      if (next === "missing") return errno.io;
      if (next === undefined) return errno.none;
      way.push(next);
    }
    return way.at(-1)!;
  }

  #open(fd: number, path: number, size: number, flags: number, at: number): number {
    let found = this.#find(fd, path, size);
    if (found === errno.none && flags & openFlags.create) found = this.#create(fd, path, size);
    else if (typeof found !== "number" && flags & openFlags.exclusive) return errno.exists;
    if (typeof found === "number") return found;
    if (flags & openFlags.directory && found.kind !== "folder") return errno.noFolder;
    if (flags & openFlags.truncate && found.kind === "file") found.content = new Uint8Array();
    if (found.kind === "file" && this.#files!.content(found) === undefined) return errno.io;
    let free = rootDescriptor + 1;
    while (this.#descriptors.has(free)) free += 1;
    this.#descriptors.set(free, { node: found, offset: 0 });
    return this.#words(at, [free]);
  }

  #create(fd: number, path: number, size: number): FileNode | number {
    const text = this.#decoder.decode(this.#bytes().slice(path, path + size));
    const slash = text.lastIndexOf("/");
    const parent = this.#find(fd, path, Buffer.byteLength(text.slice(0, Math.max(slash, 0))));
    if (typeof parent === "number") return parent;
    if (parent.kind !== "folder" || parent === this.#top) return errno.noFolder;
    const name = text.slice(slash + 1);
    const made: FileNode = { kind: "file", path: `${parent.path}/${name}`, content: new Uint8Array() };
    parent.entries.set(name, made);
    return made;
  }

  #write(fd: number, vectors: number, count: number, at: number): number {
    const file = this.#descriptors.get(fd);
    if (file === undefined && fd > 2) return errno.bad;
    const parts = this.#vectors(vectors, count).map(([from, size]) => this.#bytes().slice(from, from + size));
    const all = Buffer.concat(parts);
    if (file === undefined) this.output = (this.output + all.toString()).slice(-mostOutput);
    else if (file.node.kind !== "file") return errno.bad;
    else {
      file.node.content = Buffer.concat([file.node.content!.subarray(0, file.offset), all]);
      file.offset += all.length;
    }
    return this.#words(at, [all.length]);
  }

  #read(fd: number, vectors: number, count: number, at: number): number {
    const open = this.#descriptors.get(fd);
    if (open?.node.kind !== "file") return errno.bad;
    const content = open.node.content!;
    let total = 0;
    for (const [to, size] of this.#vectors(vectors, count)) {
      const part = content.subarray(open.offset, open.offset + size);
      this.#bytes().set(part, to);
      open.offset += part.length;
      total += part.length;
    }
    return this.#words(at, [total]);
  }

  #vectors(at: number, count: number): [number, number][] {
    const view = this.#view();
    return Array.from({ length: count }, (_, index) => [
      view.getUint32(at + 8 * index, true),
      view.getUint32(at + 8 * index + 4, true),
    ]);
  }

  /** Entries from the one with the number `cookie` on; one that does not fit is cut, which says that there are more. */
  #list(fd: number, at: number, size: number, cookie: number, used: number): number {
    const folder = this.#descriptors.get(fd)?.node;
    if (folder?.kind !== "folder") return errno.bad;
    if (folder !== this.#top && !this.#files!.isKnown(folder)) return errno.io;
    const entries = [...folder.entries].sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = entries.slice(cookie).map(([name, node], index) => {
      const bytes = Buffer.from(name);
      const head = Buffer.alloc(24);
      head.writeBigUInt64LE(BigInt(cookie + index + 1), 0);
      head.writeBigUInt64LE(1n, 8);
      head.writeUInt32LE(bytes.length, 16);
      head.writeUInt8(fileTypes[node.kind], 20);
      return Buffer.concat([head, bytes]);
    });
    const all = Buffer.concat(parts).subarray(0, size);
    this.#bytes().set(all, at);
    return this.#words(used, [all.length]);
  }
}

/** Warnings of kustomize are some hundred characters; more than this is of no use to anybody. */
const mostOutput = 65_536;
const programName = Buffer.from("engine\0");
const environment = Buffer.from("PWD=/\0");

function top(entries: Iterable<readonly [string, Node]>): FolderNode {
  return { kind: "folder", path: "", entries: new Map(entries), isListed: true };
}
