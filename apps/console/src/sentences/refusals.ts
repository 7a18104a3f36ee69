import type { ApiProblem } from "../api/api-problem.js";
import type { Language } from "../language/language.js";

/** The words for refusals, once they were loaded. */
let loaded: {
  readonly reasons: typeof import("./refusal-words.js");
  readonly faults: typeof import("./fault-words.js");
  readonly fields: typeof import("./field-names.js");
} | null = null;

/** Loads the words before the first refusal that needs them is shown. Without a server they are missing, and general words stand in. */
export async function loadRefusals(): Promise<void> {
  loaded ??= await Promise.all([
    import("./refusal-words.js"),
    import("./fault-words.js"),
    import("./field-names.js"),
  ]).then(
    ([reasons, faults, fields]) => ({ reasons, faults, fields }),
    () => null,
  );
}

/** Why something was refused, in words; undefined without a reason, or with one that a newer server has. */
export function refusalIn(language: Language, { reason }: Pick<ApiProblem, "reason">): string | undefined {
  if (reason === null || loaded === null) return undefined;
  const sentences: Readonly<Record<string, string>> = loaded.reasons.refusalWords[language];
  return sentences[reason];
}

/** What is wrong with a field, in words; the server's own sentence if there are none for it. */
export function faultSaid(language: Language, sentence: string): string {
  const words = loaded?.faults.faultWords[language];
  return (words && loaded?.faults.faultIn(words, sentence)) ?? sentence;
}

/** The name of a field that is at fault, as the console calls it; undefined if it has no name. */
export function fieldSaid(language: Language, path: string): string | undefined {
  return loaded?.fields.fieldName(language, path);
}
