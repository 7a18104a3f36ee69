import type { SftpSettings } from "./source-settings.js";

/** A file of a remote folder as its server describes it, without following links. */
export interface RemoteFile {
  readonly name: string;
  readonly size: number;
  /** To the second; null where the server does not say. */
  readonly modified_at: Date | null;
  readonly isRegular: boolean;
}

/** A file on its way: another connection goes on with it where one broke off. */
export interface BegunFetch {
  /** As long as the file; what has not come yet is zeros. */
  readonly bytes: Buffer;
  /** Where the pieces begin that have come. */
  readonly pieces: Set<number>;
}

/** What {@link RemoteFolder.fetch} fills. */
export function beginFetch({ size }: Pick<RemoteFile, "size">): BegunFetch {
  return { bytes: Buffer.alloc(size), pieces: new Set() };
}

/** A folder on a custodian's server, over one connection. Every call has a time limit of its own and ends when the signal aborts. */
export interface RemoteFolder {
  /**
   * What is in the folder, at most `most` entries: a server that lists without end is not listened to any longer. `isWhole` is false
   * where there are more.
   */
  list(most: number): Promise<{ readonly files: readonly RemoteFile[]; readonly isWhole: boolean }>;
  /** Null where it is gone. */
  look(name: string): Promise<RemoteFile | null>;
  /**
   * The whole file, which has exactly `size` bytes; null where it has others, or was written to meanwhile. Where it throws `lost`, `begun`
   * has what came; given to another folder, that is not fetched again, unless pieces of it are others now.
   */
  fetch(file: RemoteFile, begun: BegunFetch): Promise<Uint8Array | null>;
  remove(name: string): Promise<void>;
  /** Moves it to a folder beside or below, under another name. @throws RemoteError `refused` where the server does not let it, or something has that name */
  move(name: string, folder: string, newName: string): Promise<void>;
  close(): void;
}

/** Opens folders of custodians. @throws RemoteError */
export type OpenRemoteFolder = (settings: SftpSettings, signal: AbortSignal) => Promise<RemoteFolder>;

/**
 * Why a custodian's server could not be used. `unknown_host_key`: its key is not pinned, `host_key` says which one it showed and nothing
 * was sent to it; `forbidden_address`: the installation reaches no private networks; `lost`: it did not answer, or not in time.
 */
export type RemoteErrorCode = "unknown_host_key" | "forbidden_address" | "login_refused" | "lost" | "refused";

/** A {@link RemoteErrorCode} with words for an operator; no secret is in them. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";

  constructor(
    readonly code: RemoteErrorCode,
    message: string,
    /** `SHA256:…` of the key that the server showed, as ssh-keygen writes it; null where none was shown. */
    readonly host_key: string | null = null,
  ) {
    super(message);
  }
}
