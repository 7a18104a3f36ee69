import type { ApiProblem } from "../api/api-problem.js";
import type { Language } from "../language/language.js";

/** The sentences for reasons, once they were loaded. */
let loaded: Readonly<Record<Language, Readonly<Record<string, string>>>> | null = null;

/** Loads the sentences before the first refusal with a reason is shown. Without a server they are missing, and general words stand in. */
export async function loadRefusals(): Promise<void> {
  loaded ??= await import("./refusal-words.js").then(
    ({ refusalWords }) => refusalWords,
    () => null,
  );
}

/** Why something was refused, in words; undefined without a reason, or with one that a newer server has. */
export function refusalIn(language: Language, { reason }: Pick<ApiProblem, "reason">): string | undefined {
  return reason === null ? undefined : loaded?.[language][reason];
}
