import type { ProviderLog } from "../definition.js";

/** Shorter texts are found by chance. */
const MIN_LENGTH = 6;

/** Knows secrets, and notes where one of them is seen. */
export interface LeakWatch {
  readonly log: ProviderLog;
  /** Adds secrets: each text in it, however deep. Dates are none. */
  learn(value: unknown): void;
  /** Awaits a call, and looks at what it throws. Hands on what it answers, or the error. */
  watch<T>(call: () => Promise<T>): Promise<{ readonly answer: T } | { readonly error: unknown }>;
  /** Where a secret was seen. */
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

/** All that a log may show of an error. */
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
