import { KeyringError } from "./keyring-error.js";

/** An encryption key, and the id by which sealed values refer to it. */
export interface KeyringKey {
  /** 1–32 characters of `A-Za-z0-9_-` */
  readonly id: string;
  /** 32 bytes */
  readonly key: Uint8Array;
}

/**
 * Parses `id:base64,id2:base64`, the format of `ENCRYPTION_KEYS`; blanks around an entry are ignored. Throws `KeyringError`
 * `bad_key_material` with every fault in `issues`.
 */
export function parseKeyring(text: string): readonly KeyringKey[] {
  const entries = text.split(",").map((entry) => entry.trim());
  const keys = entries.map((entry): KeyringKey => {
    const colon = entry.indexOf(":");
    return { id: entry.slice(0, Math.max(colon, 0)), key: decode(entry.slice(colon + 1)) };
  });
  const malformed = entries.flatMap((entry, index) =>
    entry.includes(":") ? [] : [`entry ${index + 1} is not of the form id:base64`],
  );
  const whole = keys.filter((_, index) => entries[index]?.includes(":"));
  const issues = [...malformed, ...keyFaults(whole)];
  if (issues.length > 0) throw badKeys(issues);
  return keys;
}

/** Throws `bad_key_material` unless there is a key and all of them are valid. */
export function checkKeys(keys: readonly KeyringKey[]): void {
  const issues = keys.length === 0 ? ["there is no key"] : keyFaults(keys);
  if (issues.length > 0) throw badKeys(issues);
}

function keyFaults(keys: readonly KeyringKey[]): string[] {
  return keys.flatMap(({ id, key }, index) => {
    // A bad id is not quoted: if id and key were swapped, the key would be logged.
    const name = VALID_ID.test(id) ? `key ${id}` : `key ${index + 1}`;
    return [
      ...(VALID_ID.test(id) ? [] : [`${name} has an id that is not 1–32 characters of A-Z a-z 0-9 _ -`]),
      ...(keys.findIndex((other) => other.id === id) < index ? [`${name} repeats an id`] : []),
      ...(key.byteLength === KEY_BYTES ? [] : [`${name} is not ${KEY_BYTES} bytes in Base64`]),
    ];
  });
}

/** Strict: text that is not the canonical Base64 of its bytes decodes to nothing. */
function decode(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  return new Uint8Array(bytes.toString("base64") === base64 ? bytes : []);
}

function badKeys(issues: readonly string[]): KeyringError {
  return new KeyringError("bad_key_material", `unusable encryption keys: ${issues.join("; ")}`, issues);
}

const VALID_ID = /^[A-Za-z0-9_-]{1,32}$/;
const KEY_BYTES = 32;
