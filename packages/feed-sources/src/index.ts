/**
 * Where files of custodians come from, and which letters they are for. A file goes one way: intake (it is here), read
 * (`@org/feed-reading`), route (whom each part is for), store (`DataFeeds` of `@org/data-feeds`).
 *
 *   source-operations.ts  what operators do with sources: settings (source-settings.ts), rules, tokens, held files
 *   source-runs.ts        the schedule: a leased source is looked into (pull.ts); a token opens a door for files that are sent
 *   sftp-folder.ts        a folder on a custodian's server (remote-folder.ts is what others implement)
 *   drop-folder/          a folder on this machine, which says itself whom a file is for
 *   intake.ts             a file that came from a source: read to parts, cut by account (cut-by-account.ts), each slice handed to the
 *                         letter that routing.ts finds and stored. What is left over of a file, wherever it came from, is held, sealed,
 *                         and tried again (retries.ts)
 *   letter-accounts.ts    which accounts letters name, for routing; mapped-feeds.ts: whom the files of a source may be for
 *   containers/           what a file holds: read-parts.ts opens zip, gzip and PGP in one another (open-container.ts) within bounds.ts
 *   keys/                 PGP keys: the installation's, which open files, and custodians', which sign them
 *   ports/                what is stored; `./testing` has a memory version and the cases that every backend passes
 */

export { indexAccounts, type LetterAccounts } from "./account-index.js";
export type { Opening } from "./containers/open-container.js";
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
