import type { ProviderLog } from "../definition.js";

/** Shorter texts would be found by chance. */
const MIN_LENGTH = 6;

/** Knows secrets and records where they appear. */
export interface LeakWatch {
  readonly log: ProviderLog;
  /** Adds every text in the value, at any depth, as a secret, except dates. */
  learn(value: unknown): void;
  /** Awaits a call and searches the error it throws. Returns the answer or the error. */
  watch<T>(call: () => Promise<T>): Promise<{ readonly answer: T } | { readonly error: unknown }>;
  /** Where secrets were found. */
  readonly found: readonly string[];
}

export function createLeakWatch(): LeakWatch {
  const secrets = new Set<string>();
  const found: string[] = [];
  const look = (where: string, shown: string) => {
    for (const secret of secrets)
      if (shown.includes(secret)) found.push(`${where} shows a secret of ${secret.length} characters`);
  };
  const write = (message: string, facts?: object) => look("the log", `${message} ${JSON.stringify(facts ?? {})}`);

  return {
    log: { info: write, warn: write },
    learn(value) {
      for (const text of textsIn(value))
        if (text.length >= MIN_LENGTH && !/^\d{4}-\d\d-\d\d/.test(text)) secrets.add(text);
    },
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

/** Everything that a log may show of an error. */
function shownBy(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  const parts = error instanceof AggregateError ? error.errors.map(shownBy).join(" ") : "";
  const cause = error.cause === undefined ? "" : shownBy(error.cause);
  return `${error.name} ${error.message} ${error.stack} ${JSON.stringify({ ...error })} ${cause} ${parts}`;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
