/*
 * What the processes of one installation have in common, whatever they do with it.
 *
 *   config.ts            the environment as one schema: every variable of docs/configuration.md
 *   tracing-settings.ts  the part of it that says where spans go
 *   network-settings.ts  what settings of addresses, proxies and origins may be
 *   create-runtime.ts    time, ids, secrets and keys for services
 *   keys.ts              encryption keys, and the installation's own keys that are wrapped under them
 *   key-administration.ts  operators see and change keys, and have stored values encrypted under the active one
 *   open-database.ts     the database that the settings name
 *   credentials-file.ts  DATA_DIR/credentials.json, which the server writes and the command line reads
 *   audit-trail.ts       events of the authorization server and reads of data, written off their request paths
 *   audit-lines.ts       an event as a line of the trail
 *   clamd.ts             a client of ClamAV's daemon
 *   document-bucket.ts   a client of S3, for letters' documents
 *   smtp.ts              mail, handed over to an SMTP server so that nothing is sent twice
 *   examination/         the checks of `wealth-connect doctor`, which a server makes when it is asked, and the command line where none is
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
  type SmtpSettings,
} from "./config.js";
export { createRuntime } from "./create-runtime.js";
export {
  credentialsFile,
  type InitialCredentials,
  keepInvitation,
  parseCredentials,
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
export { isLoopback, type ListenAddress } from "./network-settings.js";
export { outdatedNode } from "./node-version.js";
export { openDatabase } from "./open-database.js";
export { createSmtpTransport } from "./smtp.js";
export type { TracingSettings } from "./tracing-settings.js";
