import { useWords } from "../language/language.js";
import { Screen } from "../parts/screen.js";
import type { useProviderProblem } from "./provider.js";
import { signInWords } from "./sign-in-words.js";

/** Shown to a signed-in user when the identity provider did not confirm their identity. */
export function NotProved({ problem }: { readonly problem: NonNullable<ReturnType<typeof useProviderProblem>> }) {
  const words = useWords(signInWords);
  return (
    <Screen title={words.notProvedTitle} lead={words.notProvedText}>
      <p className="notice" role="alert">
        {words.problems[problem]}
      </p>
    </Screen>
  );
}
