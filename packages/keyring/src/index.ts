/*
 * Encryption at rest under rotating keys; every value is bound to its purpose and row.
 *
 *   parse-keyring.ts     parses keys from `id:base64,…`, and lists every fault
 *   create-keyring.ts    the keyring itself: the first key encrypts, all keys decrypt
 *   text-sealing.ts      seals text as compact JWE
 *   document-sealing.ts  seals bytes under a key of their own, which is sealed as text
 */
export { createKeyring, type Keyring } from "./create-keyring.js";
export type { DocumentSealing, SealedBytes } from "./document-sealing.js";
export { KeyringError, type KeyringErrorCode } from "./keyring-error.js";
export { type KeyringKey, parseKeyring } from "./parse-keyring.js";
export type { SealContext, TextSealing } from "./text-sealing.js";
