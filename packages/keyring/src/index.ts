/*
 * Encryption at rest under rotating keys; every value is bound to its purpose and row.
 *
 *   parse-keyring.ts     `id:base64,…` to keys, every fault listed
 *   create-keyring.ts    the keyring itself: first key encrypts, all decrypt
 *   text-sealing.ts      text as compact JWE
 *   document-sealing.ts  bytes under a key of their own, that key as text
 */
export { createKeyring, type Keyring } from "./create-keyring.js";
export type { DocumentSealing, SealedBytes } from "./document-sealing.js";
export { KeyringError, type KeyringErrorCode } from "./keyring-error.js";
export { type KeyringKey, parseKeyring } from "./parse-keyring.js";
export type { SealContext, TextSealing } from "./text-sealing.js";
