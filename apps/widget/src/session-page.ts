import type { FieldProblem } from "@org/pages";
import { inWords } from "./fault-words.js";
import type { FormFault } from "./form-faults.js";
import { challengePage } from "./pages/challenge.js";
import { credentialsPage } from "./pages/credentials.js";
import { landingPage } from "./pages/landing.js";
import { noticePage } from "./pages/notice.js";
import { outcomePage } from "./pages/outcome.js";
import type { Page, PageContext } from "./pages/page.js";
import { processingPage } from "./pages/processing.js";
import type { Refusal, WidgetState } from "./widget-state.js";

/**
 * The page of a state, or where the browser goes instead.
 * @param faults of a form that was just posted: the same form again, with status 400
 */
export function sessionPage(
  context: PageContext,
  state: WidgetState,
  faults: readonly FormFault[],
): Page | { readonly leadsTo: string } | "bank-choice" {
  const posted = inWords(context.messages, faults);
  const status = posted.length > 0 ? 400 : 200;
  switch (state.screen) {
    case "notice":
      return noticePage(context, state.notice, state.trace_id);
    case "landing":
      return landingPage(context, state);
    case "bank-choice":
      return "bank-choice";
    case "credentials":
      return credentialsPage(context, state, problems(state.refused, context.messages.rejectedCredentials), status);
    case "challenge":
      return challengePage(context, state, problems(state.refused, context.messages.rejectedAnswer), status);
    case "processing":
      return processingPage(context);
    case "outcome":
      return state.return_url === null ? outcomePage(context, state) : { leadsTo: state.return_url };
  }

  /** What is wrong with the form; else why the bank refused the last attempt, and how many are left. */
  function problems(refused: Refusal | null, rejected: string): readonly FieldProblem[] {
    if (posted.length > 0 || refused === null) return posted;
    return [{ field: null, message: `${rejected} ${context.messages.attemptsLeft(refused.attempts_left)}` }];
  }
}
