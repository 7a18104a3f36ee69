import { createHash, generateKeyPairSync } from "node:crypto";
import type { Connection, SFTPWrapper } from "ssh2";

/** The modification time of every file, in seconds. */
const WRITTEN = 1_700_000_000;
/** The mode of a regular file (stat(2)). */
const MODE = 0o100644;

/** A custodian's SFTP server in this process whose answers a test can delay. Files are in memory, by path; folders are not checked. */
export interface SlowCustodian {
  /** The settings of a source that polls the folder `out`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly files: Map<string, Uint8Array>;
  /**
   * Called with the protocol name of a request (`READ`, `RENAME`) after it was carried out and before it is answered; the answer waits for the
   * returned promise.
   */
  beforeAnswer: (request: string) => Promise<unknown> | undefined;
  /** The most bytes in one answer to `READ`. */
  pieceBytes: number;
  /** Breaks all connections. */
  drop(): void;
  end(): Promise<void>;
}

/** A promise that never settles, for an answer that never comes. */
export const never = new Promise<never>(() => {});

/** Starts one on loopback; the password grants access. */
export async function startSlowCustodian(): Promise<SlowCustodian> {
  const { default: ssh2 } = await import("ssh2");
  const { OK, EOF, NO_SUCH_FILE, FAILURE } = ssh2.utils.sftp.STATUS_CODE;
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
    privateKeyEncoding: { type: "sec1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  const fingerprint = createHash("sha256").update(key.getPublicSSH()).digest("base64").replace(/=+$/, "");
  const files = new Map<string, Uint8Array>();
  const clients = new Set<Connection>();
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client));
    // A killed client does not close its connection properly.
    client.on("error", () => undefined);
    client.on("authentication", (login) => (login.method === "password" ? login.accept() : login.reject(["password"])));
    client.on("session", (accept) => accept().on("sftp", (open) => serve(open())));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };

  const custodian: SlowCustodian = {
    settings: {
      kind: "sftp",
      host: "127.0.0.1",
      port,
      user: "wealth",
      password: "any",
      host_keys: [`SHA256:${fingerprint}`],
      folder: "out",
      after: "move",
      move_to: "done",
      min_age_seconds: 0,
    },
    files,
    beforeAnswer: () => undefined,
    pieceBytes: Number.POSITIVE_INFINITY,
    drop() {
      for (const client of clients) client.end();
    },
    async end() {
      for (const client of clients) client.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return custodian;

  function serve(sftp: SFTPWrapper): void {
    const attributes = (path: string) => {
      const size = files.get(path)?.byteLength;
      return size === undefined ? null : { mode: MODE, uid: 0, gid: 0, size, atime: WRITTEN, mtime: WRITTEN };
    };
    const pathOf = (handle: Buffer) => handle.toString();
    const listed = new Set<string>();
    /** Answers a request once `beforeAnswer` allows it. */
    const answer = (request: string, id: number, send: () => void) => {
      void Promise.resolve(custodian.beforeAnswer(request)).then(send);
      return id;
    };
    const tell = (request: string, id: number, path: string) => {
      const found = attributes(path);
      answer(request, id, () => (found ? sftp.attrs(id, found) : sftp.status(id, NO_SUCH_FILE)));
    };
    sftp.on("OPENDIR", (id, path) => answer("OPENDIR", id, () => sftp.handle(id, Buffer.from(path))));
    sftp.on("READDIR", (id, handle) => {
      const folder = pathOf(handle);
      const names = listed.has(folder) ? [] : [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
      listed.add(folder);
      const entries = names.flatMap((path) => {
        const attrs = attributes(path);
        const filename = path.slice(folder.length + 1);
        return attrs ? [{ filename, longname: filename, attrs }] : [];
      });
      answer("READDIR", id, () => (entries.length > 0 ? sftp.name(id, entries) : sftp.status(id, EOF)));
    });
    sftp.on("LSTAT", (id, path) => tell("LSTAT", id, path));
    sftp.on("OPEN", (id, path) => answer("OPEN", id, () => sftp.handle(id, Buffer.from(path))));
    sftp.on("FSTAT", (id, handle) => tell("FSTAT", id, pathOf(handle)));
    sftp.on("READ", (id, handle, offset, length) => {
      const end = offset + Math.min(length, custodian.pieceBytes);
      const bytes = Buffer.from(files.get(pathOf(handle))?.subarray(offset, end) ?? []);
      answer("READ", id, () => (bytes.length > 0 ? sftp.data(id, bytes) : sftp.status(id, EOF)));
    });
    sftp.on("CLOSE", (id, handle) => {
      listed.delete(pathOf(handle));
      answer("CLOSE", id, () => sftp.status(id, OK));
    });
    sftp.on("RENAME", (id, from, to) => {
      const bytes = files.get(from);
      const isMoved = bytes !== undefined && !files.has(to);
      if (isMoved) {
        files.set(to, bytes);
        files.delete(from);
      }
      answer("RENAME", id, () => sftp.status(id, isMoved ? OK : FAILURE));
    });
  }
}
