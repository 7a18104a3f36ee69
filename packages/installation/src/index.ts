/*
 * What all processes of one installation share.
 *
 *   config.ts            the environment as one schema: every variable of docs/reference/configuration.md
 *   tracing-settings.ts  the variables for exporting spans
 *   network-settings.ts  schemas for addresses, proxies and origins
 *   create-runtime.ts    time, ids, secrets and keys for services
 *   keys.ts              encryption keys, and the installation's own keys that are wrapped under them
 *   key-administration.ts  lets operators see and change keys, and re-encrypt stored values under the active one
 *   open-database.ts     opens the configured database
 *   make-folder.ts       creates a private folder with those above it
 *   credentials-file.ts  DATA_DIR/credentials.json, which the server writes and the command line reads
 *   audit-trail.ts       writes events of the authorization server and reads of data in the background
 *   audit-lines.ts       converts an event to a line of the trail
 *   clamd.ts             a client of ClamAV's daemon
 *   document-bucket.ts   a client of S3, for letters' documents
 *   shipped-providers.ts  the bank providers that come with the program
 *   smtp.ts              sends mail to an SMTP server, never twice
 *   examination/         the checks of `wealth-connect doctor`, run by a server on request, or by the command line if no server runs
 *   node-version.ts      whether this Node still gets security fixes
 */
export { createAuditTrail } from "./audit-trail.js";
export { type Clamd, type ClamdAddress, ClamdError, createClamd, parseClamdUrl } from "./clamd.js";
export {
  type Config,
  ConfigError,
  examineEnvironment,
  hasProviderOnly,
  type ParsedEnvironment,
  readConfig,
} from "./config.js";
export { createRuntime } from "./create-runtime.js";
export {
  credentialsFile,
  type InitialCredentials,
  parseCredentials,
  storeInvitation,
  writeCredentials,
} from "./credentials-file.js";
export { type BucketAddress, openBucket, parseBucketUrl } from "./document-bucket.js";
export { checkContent } from "./examination/check-content.js";
export { checkDocumentStore, checkSettings, checkVirusScan } from "./examination/check-settings.js";
export { clockFinding, type Finding, fail, ok, warn } from "./examination/finding.js";
export { createKeyAdministration } from "./key-administration.js";
export {
  addEncryptionKey,
  encryptionKeysFile,
  firstEncryptionKey,
  type InstallationKeys,
  keyringOf,
  loadInstallationKeys,
  newEncryptionKey,
  type ServerKeyInfo,
} from "./keys.js";
export { makeFolder } from "./make-folder.js";
export { isLoopback, type ListenAddress } from "./network-settings.js";
export { outdatedNode } from "./node-version.js";
export { openDatabase } from "./open-database.js";
export { shippedProviders } from "./shipped-providers.js";
export { createSmtpTransport } from "./smtp.js";
export type { SmtpSettings } from "./smtp-settings.js";
export type { TracingSettings } from "./tracing-settings.js";
