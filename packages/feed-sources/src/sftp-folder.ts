import { createHash, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { setMaxListeners } from "node:events";
import { connect, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from "ssh2";
import {
  type BegunFetch,
  type OpenRemoteFolder,
  RemoteError,
  type RemoteFile,
  type RemoteFolder,
} from "./remote-folder.js";
import type { SftpSettings } from "./source-settings.js";

/** The time limit of each step, in milliseconds. */
const LIMITS = { connect: 15_000, handshake: 20_000, operation: 30_000 };
/** The bytes requested per read, a size that every server supports. */
const PIECE_BYTES = 32 * 1024;
/** Concurrent read requests, so that the connection is not idle while an answer travels. */
const READS_AHEAD = 16;

/** The longest file name in characters; file systems allow as many bytes. */
const MAX_NAME_LENGTH = 255;

/** The file type bits of a mode (stat(2)). */
const FILE_KIND = 0o170000;
const REGULAR = 0o100000;

/**
 * Opens folders over SFTP. The server must show a pinned key before anything is sent to it; no key is trusted on first use. @param privateNetworks
 * whether addresses in private networks are allowed
 */
export function openSftpFolders({
  privateNetworks,
  limits = LIMITS,
}: {
  privateNetworks: boolean;
  limits?: typeof LIMITS;
}): OpenRemoteFolder {
  return async (settings, signal) => {
    // Loaded with the first poll: most servers have no such source.
    const { default: ssh2 } = await import("ssh2");
    signal.throwIfAborted();
    // Each call in progress adds a listener.
    setMaxListeners(2 * READS_AHEAD, signal);
    const connecting = connectTo(settings, privateNetworks);
    const socket = await within(limits.connect, signal, "connect", connecting).catch((error: unknown) => {
      // A server that accepts the connection late would otherwise keep it open.
      connecting.then((late) => late.destroy()).catch(() => undefined);
      throw error;
    });
    let client: Client | null = null;
    try {
      client = await within(
        limits.handshake,
        signal,
        "log in",
        logIn(new ssh2.Client(), settings, socket, limits.handshake),
      );
      const sftp = await within(limits.operation, signal, "open SFTP", open(client));
      return folderOf(client, sftp, settings.folder, { signal, limitMs: limits.operation });
    } catch (error) {
      client?.destroy();
      socket.destroy();
      throw error;
    }
  };
}

async function connectTo({ host, port }: SftpSettings, privateNetworks: boolean): Promise<Socket> {
  const { address } = await lookup(host).catch(() => {
    throw new RemoteError("lost", `${host} has no address`);
  });
  // Connects to the address that was checked, not to the name.
  if (!privateNetworks && ipaddr.process(address).range() !== "unicast")
    throw new RemoteError("forbidden_address", `${host} is in a private network, which FEED_SOURCES_PRIVATE forbids`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error) => reject(new RemoteError("lost", `${host}: ${codeOf(error)}`)));
  });
}

function logIn(client: Client, settings: SftpSettings, sock: Socket, readyTimeout: number): Promise<Client> {
  const { user: username, password, private_key: privateKey, passphrase, host_keys } = settings;
  return new Promise((resolve, reject) => {
    let shown: string | null = null;
    let isKnown = false;
    const hostVerifier = (key: Buffer) => {
      shown = `SHA256:${createHash("sha256").update(key).digest("base64").replaceAll("=", "")}`;
      isKnown = host_keys.some((pinned) => isSameText(pinned, shown as string));
      return isKnown;
    };
    client.once("ready", () => resolve(client));
    // Stays after the login: without a listener an error would end the process.
    client.on("error", (error: Error & { level?: string }) => reject(refusalOf(error)));
    client.once("close", () => reject(refusalOf(new Error("the server closed the connection"))));
    try {
      client.connect({
        sock,
        username,
        hostVerifier,
        readyTimeout,
        keepaliveInterval: 10_000,
        ...(password !== undefined && { password }),
        ...(privateKey !== undefined && { privateKey }),
        ...(passphrase !== undefined && { passphrase }),
      });
    } catch {
      // ssh2 parses the key here, and its error message could quote it.
      reject(new RemoteError("login_refused", "the private key cannot be read, or its passphrase is wrong"));
    }

    function refusalOf(error: Error & { level?: string }): RemoteError {
      if (shown !== null && !isKnown) {
        const what =
          host_keys.length === 0 ? "no key of this server is pinned" : "the server shows another key than those pinned";
        return new RemoteError(
          "unknown_host_key",
          `${what}: it shows ${shown}; compare it with what the custodian says`,
          shown,
        );
      }
      if (error.level === "client-authentication")
        return new RemoteError("login_refused", `the server refuses the login of ${username}`);
      return new RemoteError("lost", wordsOf(error));
    }
  });
}

function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function open(client: Client): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    client.sftp((error, sftp) => (error ? reject(remote(error)) : resolve(sftp)));
  });
}

function folderOf(
  client: Client,
  sftp: SFTPWrapper,
  folder: string,
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): RemoteFolder {
  const pathOf = (name: string) =>
    `${folder.replace(/(?<!\/)\/+$/, "") || (folder.startsWith("/") ? "" : ".")}/${name}`;
  let isClosed = false;
  const lost = new Promise<never>((_resolve, reject) => {
    const end = (error?: Error) => reject(new RemoteError("lost", wordsOf(error ?? new Error("the connection ended"))));
    client.once("close", () => end());
    client.on("error", end);
    signal.addEventListener("abort", () => end(new Error("the run took too long, or was ended")), { once: true });
  });
  lost.catch(() => undefined);
  /** One protocol call. It always ends in time, even if the connection breaks before the answer. */
  const call = <T>(
    what: string,
    ask: (done: (error: Error | null | undefined, value: T) => void) => void,
  ): Promise<T> =>
    within(
      limitMs,
      signal,
      what,
      Promise.race([
        lost,
        new Promise<T>((resolve, reject) => {
          if (isClosed) throw new RemoteError("lost", "the connection is closed");
          ask((error, value) => (error ? reject(remote(error)) : resolve(value)));
        }),
      ]),
    );
  const lookAt = (path: string) =>
    call<Stats>("look", (done) => sftp.lstat(path, done)).catch((error: unknown) => {
      if (error instanceof RemoteError && error.cause === GONE) return null;
      throw error;
    });

  return {
    async list(most) {
      const handle = await call<Buffer>("open the folder", (done) => sftp.opendir(folder === "" ? "." : folder, done));
      const files: RemoteFile[] = [];
      try {
        while (files.length < most) {
          const entries = await call<FileEntryWithStats[] | null>("list", (done) =>
            sftp.readdir(handle, (error, list) => (isEnd(error) ? done(null, null) : done(error, list))),
          );
          if (entries === null) return { files, isWhole: true };
          for (const { filename, attrs } of entries) files.push(fileOf(nameOf(filename), attrs));
        }
        return { files: files.slice(0, most), isWhole: false };
      } finally {
        sftp.close(handle, () => undefined);
      }
    },
    async look(name) {
      const stats = await lookAt(pathOf(name));
      return stats && fileOf(name, stats);
    },
    async fetch(file, begun) {
      const handle = await call<Buffer>("open", (done) => sftp.open(pathOf(file.name), "r", done));
      try {
        const before = fileOf(file.name, await call<Stats>("look", (done) => sftp.fstat(handle, done)));
        if (!isSame(before, file)) return null;
        const bytes = await readWhole(handle, begun);
        const after = fileOf(file.name, await call<Stats>("look", (done) => sftp.fstat(handle, done)));
        return bytes !== null && isSame(after, file) ? bytes : null;
      } finally {
        sftp.close(handle, () => undefined);
      }
    },
    remove: (name) => call<void>("remove", (done) => sftp.unlink(pathOf(name), (error) => done(error, undefined))),
    move: (name, target, newName) =>
      // SFTP's rename never replaces an existing file.
      call<void>("move", (done) =>
        sftp.rename(pathOf(name), `${target.replace(/(?<!\/)\/+$/, "")}/${newName}`, (error) => done(error, undefined)),
      ),
    close() {
      isClosed = true;
      client.end();
      // Also disconnects from a server that does not close the connection.
      setTimeout(() => client.destroy(), 1_000).unref();
    },
  };

  /** Null if the file is shorter or longer than stated. */
  async function readWhole(handle: Buffer, { bytes: whole, pieces }: BegunFetch): Promise<Uint8Array | null> {
    const size = whole.length;
    // A file of the same size and time may still be another one, so the first and last pieces are compared.
    for (const from of new Set([Math.min(...pieces), Math.max(...pieces)].filter(Number.isFinite)))
      if (!(await isAsBefore(handle, whole, from))) pieces.clear();
    let next = 0;
    let isShort = false;
    const reader = async () => {
      while (next < size && !isShort) {
        const from = next;
        next = Math.min(size, from + PIECE_BYTES);
        if (pieces.has(from)) continue;
        if (await fill(handle, whole, from, Math.min(size, from + PIECE_BYTES))) pieces.add(from);
        else isShort = true;
      }
    };
    await Promise.all(Array.from({ length: READS_AHEAD }, reader));
    if (isShort) return null;
    return (await readPiece(handle, Buffer.alloc(1), size, 1, 0)) === 0 ? whole : null;
  }

  /** False if the file ends earlier. */
  async function fill(handle: Buffer, into: Buffer, from: number, end: number, offset = from): Promise<boolean> {
    for (let at = from; at < end; ) {
      const read = await readPiece(handle, into, at, end - at, offset + at - from);
      if (read === 0) return false;
      at += read;
    }
    return true;
  }

  async function isAsBefore(handle: Buffer, whole: Buffer, from: number): Promise<boolean> {
    const before = whole.subarray(from, from + PIECE_BYTES);
    const again = Buffer.alloc(before.length);
    return (await fill(handle, again, from, from + before.length, 0)) && again.equals(before);
  }

  /** The number of bytes read; 0 at the end of the file. */
  function readPiece(
    handle: Buffer,
    into: Buffer,
    position: number,
    length: number,
    offset = position,
  ): Promise<number> {
    return call<number>("read", (done) =>
      sftp.read(handle, into, offset, length, position, (error, read) =>
        isEnd(error) ? done(null, 0) : done(error, read),
      ),
    );
  }
}

/** A server may send names of a quarter of a megabyte, which no file has; they are neither kept nor compared. */
function nameOf(filename: string): string {
  return filename.length > MAX_NAME_LENGTH ? "" : filename;
}

function fileOf(name: string, { mode, size, mtime }: Pick<Stats, "mode" | "size" | "mtime">): RemoteFile {
  return {
    name,
    size: typeof size === "number" ? size : -1,
    modified_at: typeof mtime === "number" ? new Date(mtime * 1_000) : null,
    isRegular: typeof mode === "number" && (mode & FILE_KIND) === REGULAR,
  };
}

function isSame(one: RemoteFile, other: RemoteFile): boolean {
  return one.isRegular && one.size === other.size && one.modified_at?.getTime() === other.modified_at?.getTime();
}

/** Waits for a step until its time limit. */
async function within<T>(milliseconds: number, signal: AbortSignal, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let leave = () => {};
  const end = new Promise<never>((_resolve, reject) => {
    const late = `the server did not answer within ${milliseconds / 1_000} seconds (${what})`;
    timer = setTimeout(() => reject(new RemoteError("lost", late)), milliseconds);
    const abort = () => reject(new RemoteError("lost", "the run took too long, or was ended"));
    signal.addEventListener("abort", abort, { once: true });
    leave = () => signal.removeEventListener("abort", abort);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    leave();
    // Nobody handles a late failure.
    work.catch(() => undefined);
  }
}

/** SFTP status codes (draft-ietf-secsh-filexfer-02 §7). */
const STATUS = { end: 1, gone: 2, lost: [6, 7] } as const;
const GONE = "gone";

function isEnd(error: (Error & { code?: unknown }) | null | undefined): boolean {
  return error?.code === STATUS.end;
}

function remote(error: Error & { code?: unknown }): RemoteError {
  const isLost = typeof error.code !== "number" || STATUS.lost.some((code) => code === error.code);
  const made = new RemoteError(isLost ? "lost" : "refused", wordsOf(error));
  if (error.code === STATUS.gone) made.cause = GONE;
  return made;
}

/** A message from a server or socket as one short line for the log. */
function wordsOf(error: Error): string {
  return error.message.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").slice(0, 200);
}

function codeOf(error: Error & { code?: unknown }): string {
  return typeof error.code === "string" ? error.code : "no connection";
}
