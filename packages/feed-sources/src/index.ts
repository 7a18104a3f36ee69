/**
 * Where custodians' files come from, and which letters they belong to. A file passes four steps: intake (receives it), reading (`@org/feed-reading`),
 * routing (finds the target of each part) and storing (`DataFeeds` of `@org/data-feeds`).
 *
 *   source-operations.ts  the operators' functions: settings (source-settings.ts), rules, tokens, held files
 *   source-runs.ts        the schedule: polls a leased source (pull.ts), and receives files uploaded with a token
 *   sftp-folder.ts        a folder on a custodian's server; implements remote-folder.ts
 *   drop-folder/          a folder on this machine, whose subfolders name the target
 *   intake.ts             processes a file of a source: reads its parts, cuts them by account (cut-by-account.ts), routes each slice to
 *                         its letter (routing.ts) and stores it. A file of any origin that is not stored completely is held, sealed,
 *                         and retried (retries.ts)
 *   letter-accounts.ts    which accounts letters name, for routing; mapped-feeds.ts: the possible targets of a source's files
 *   containers/           the content of a file: read-parts.ts opens nested zip, gzip and PGP (open-container.ts) within bounds.ts
 *   keys/                 PGP keys: the installation's, which open files, and custodians', which sign them
 *   ports/                the stores; `./testing` has a memory version and the cases that every backend passes
 */

export { indexAccounts, type LetterAccounts } from "./account-index.js";
export { type Opening, openContainer } from "./containers/open-container.js";
export type { PgpKeys, SignerKey } from "./containers/open-pgp.js";
export { isContainer, readParts, type StatementReader } from "./containers/read-parts.js";
export { createDropFolder, type DropFolder, prepareDropFolder } from "./drop-folder/drop-folder.js";
export { forgetGoneFeeds } from "./drop-folder/forget-gone-feeds.js";
export { createIntake, type FileReport, type Intake } from "./intake.js";
export { createFeedKeys, type FeedKeys, type KeyTarget, keyState, type SignerTarget } from "./keys/feed-keys.js";
export { createKeyRing, type KeyRing } from "./keys/key-ring.js";
export { ownKeyAlgorithms } from "./keys/pgp-key.js";
export { letterAccounts, lettersChanged } from "./letter-accounts.js";
export { connectorOfFeed, feedsOfSource } from "./mapped-feeds.js";
export type { FeedKeyRecord, FeedKeyStore, Signer, SigningRule } from "./ports/feed-key-store.js";
export type {
  FileRecord,
  FileState,
  HeldContent,
  HeldFile,
  HeldRoom,
  RouteRecord,
  RouteStore,
  RunOutcome,
  SourceFileStore,
  SourceLease,
  SourceRecord,
  SourceStore,
  SourceStores,
  TokenRecord,
  TokenStore,
} from "./ports/source-store.js";
export { DROP_FOLDER, isTakenOrHeld, MIN_HELD_BYTES } from "./ports/source-store.js";
export type { RunReport } from "./pull.js";
export {
  type BegunFetch,
  beginFetch,
  type OpenRemoteFolder,
  RemoteError,
  type RemoteErrorCode,
  type RemoteFile,
  type RemoteFolder,
} from "./remote-folder.js";
export { type LetterScope, type Route, type RouteTarget, routeSchema } from "./routing.js";
export { openSftpFolders } from "./sftp-folder.js";
export { createSourceOperations, type SourceOperations } from "./source-operations.js";
export { createSourceRuns, type SourceRun, type SourceRuns, type UploadTarget } from "./source-runs.js";
export type { SftpSettings, SourceSettings } from "./source-settings.js";
