import type { SftpSettings } from "./source-settings.js";

/** A file of a remote folder as its server describes it; links are not followed. */
export interface RemoteFile {
  readonly name: string;
  readonly size: number;
  /** To the second; null if the server does not say. */
  readonly modified_at: Date | null;
  readonly isRegular: boolean;
}

/** A partly fetched file; another connection can continue where one broke off. */
export interface BegunFetch {
  /** As long as the file; bytes that have not arrived are zero. */
  readonly bytes: Buffer;
  /** The offsets of the pieces that have arrived. */
  readonly pieces: Set<number>;
}

/** Creates the buffer that {@link RemoteFolder.fetch} fills. */
export function beginFetch({ size }: Pick<RemoteFile, "size">): BegunFetch {
  return { bytes: Buffer.alloc(size), pieces: new Set() };
}

/** A folder on a custodian's server, over one connection. Every call has its own time limit and ends when the signal aborts. */
export interface RemoteFolder {
  /** The entries of the folder, at most `most`, so that an endless listing is cut off. `isWhole` is false if there are more. */
  list(most: number): Promise<{ readonly files: readonly RemoteFile[]; readonly isWhole: boolean }>;
  /** Null if it is gone. */
  look(name: string): Promise<RemoteFile | null>;
  /**
   * Fetches the whole file, which must have exactly `size` bytes; null if it has another length or was written to meanwhile. If it throws `lost`,
   * `begun` holds what arrived. Another folder continues from there and fetches everything again only if the pieces have changed.
   */
  fetch(file: RemoteFile, begun: BegunFetch): Promise<Uint8Array | null>;
  remove(name: string): Promise<void>;
  /** Moves a file to a folder beside or below, under a new name. @throws RemoteError `refused` if the server forbids it, or the name is taken */
  move(name: string, folder: string, newName: string): Promise<void>;
  close(): void;
}

/** Opens folders of custodians. @throws RemoteError */
export type OpenRemoteFolder = (settings: SftpSettings, signal: AbortSignal) => Promise<RemoteFolder>;

/**
 * Why a custodian's server could not be used. `unknown_host_key`: its key is not pinned; `host_key` has the key it showed, and nothing was sent to
 * it. `forbidden_address`: the installation does not connect to private networks. `lost`: it did not answer, or not in time.
 */
export type RemoteErrorCode = "unknown_host_key" | "forbidden_address" | "login_refused" | "lost" | "refused";

/** A {@link RemoteErrorCode} with a message for an operator; it contains no secret. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";

  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    /** `SHA256:…` of the key that the server showed, as ssh-keygen prints it; null if none was shown. */
    readonly host_key: string | null = null,
  ) {
    super(message);
  }
}
