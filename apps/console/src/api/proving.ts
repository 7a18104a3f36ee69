import { createStored } from "../shell/stored.js";
import { ApiProblem } from "./api-problem.js";

/** The pending re-authentication prompt; the page shows its dialog while this is not null. */
export const proofPrompt = createStored<{ readonly settle: (proved: boolean) => void } | null>(null);

/**
 * Runs an action for which the server may require fresh proof of identity. If it does, the user is asked, and the action runs again. @throws
 * ApiProblem `CONFIRM_AGAIN` if the user dismissed the prompt
 */
export async function withFreshProof<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "CONFIRM_AGAIN") throw error;
    if (!(await asked())) throw error;
    return act();
  }
}

/** At most one prompt at a time; concurrent callers share its outcome. */
let question: Promise<boolean> | null = null;

function asked(): Promise<boolean> {
  question ??= new Promise<boolean>((resolve) => {
    proofPrompt.set({
      settle(proved) {
        proofPrompt.set(null);
        question = null;
        resolve(proved);
      },
    });
  });
  return question;
}
