import { readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What scripts/sshd.mjs starts. */
interface Sshd {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly hostKey: string;
  readonly folder: string;
  readonly done: string;
  showAnotherKey(): Promise<string>;
  stop(): Promise<void>;
}

/** A custodian's SFTP server: OpenSSH's, on loopback, with one folder to fetch from and one to which files are moved. */
export interface SftpServer extends Sshd {
  /** The settings of a source for it, except which of its keys is trusted and what becomes of files. */
  readonly door: Readonly<Record<string, unknown>>;
  /** Puts a file there as if it was written an hour ago. */
  put(name: string, bytes: Uint8Array | string): void;
  /** Names in the folder, or in the one to which files are moved. */
  names(folder?: "folder" | "done"): string[];
}

/** Starts OpenSSH's server with its own keys and SFTP only. */
export async function startSftpServer(): Promise<SftpServer> {
  const { startSshd } = await import(new URL("../../../scripts/sshd.mjs", import.meta.url).href);
  const sshd: Sshd = await startSshd();
  const { host, port, user, privateKey, folder } = sshd;
  return {
    ...sshd,
    door: { kind: "sftp", host, port, user, private_key: privateKey, folder },
    put(name, bytes) {
      const half = join(folder, `${name}.part`);
      writeFileSync(half, bytes);
      const anHourAgo = Date.now() / 1_000 - 3_600;
      utimesSync(half, anHourAgo, anHourAgo);
      renameSync(half, join(folder, name));
    },
    names: (which = "folder") => readdirSync(sshd[which]).sort(),
  };
}
