import type { ProviderLog } from "../definition.js";
import { textsIn } from "./recording/json-values.js";

/** Shorter texts would be found by chance. */
const MIN_LENGTH = 6;

/** Knows secrets and records where they appear, also in base64, in hexadecimal, or as part of an address. */
export interface LeakWatch {
  readonly log: ProviderLog;
  /** Adds every text in the value, at any depth, as a secret, except dates. */
  learn(value: unknown): void;
  /** Looks for secrets in what is shown at a place. */
  look(where: string, shown: string): void;
  /** Awaits a call and searches the error it throws. Returns the answer or the error. */
  watch<T>(call: () => Promise<T>): Promise<{ readonly answer: T } | { readonly error: unknown }>;
  /** Where secrets were found. */
  readonly found: readonly string[];
}

export function createLeakWatch(): LeakWatch {
  const secrets = new Map<string, readonly string[]>();
  const found: string[] = [];
  const look = (where: string, shown: string) => {
    for (const [secret, forms] of secrets)
      if (forms.some((form) => shown.includes(form)))
        found.push(`${where} shows a secret of ${secret.length} characters`);
  };
  const write = (message: string, facts: object = {}) =>
    look("the log", `${message} ${Object.values(facts).map(shownBy).join(" ")} ${JSON.stringify(facts)}`);

  return {
    log: { info: write, warn: write },
    learn(value) {
      for (const text of textsIn(value))
        if (text.length >= MIN_LENGTH && !/^\d{4}-\d\d-\d\d/.test(text)) secrets.set(text, formsOf(text));
    },
    look,
    async watch(call) {
      try {
        return { answer: await call() };
      } catch (error) {
        look("an error", shownBy(error));
        return { error };
      }
    },
    found,
  };
}

/**
 * A secret as it may stand in a text: plain, escaped in JSON or an address, in hexadecimal, and in base64 wherever it begins in what was encoded.
 */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  // Base64 writes three bytes at a time: those that a neighbour shares are left out.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
  const url = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const escaped = [
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ];
  return [...new Set([secret, hex, hex.toUpperCase(), ...base64, ...url, ...escaped])];
}

/** Everything that a log may show of an error. */
function shownBy(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  const parts = error instanceof AggregateError ? error.errors.map(shownBy).join(" ") : "";
  const cause = error.cause === undefined ? "" : shownBy(error.cause);
  return `${error.name} ${error.message} ${error.stack} ${JSON.stringify({ ...error })} ${cause} ${parts}`;
}
