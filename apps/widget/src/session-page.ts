import type { CustomerView } from "@org/core";
import type { FieldProblem } from "@org/pages";
import { type FormFault, inWords } from "./form-faults.js";
import { challengePage } from "./pages/challenge.js";
import { credentialsPage } from "./pages/credentials.js";
import { landingPage } from "./pages/landing.js";
import { noticePage } from "./pages/notice.js";
import { outcomePage } from "./pages/outcome.js";
import type { Page, PageContext } from "./pages/page.js";
import { processingPage } from "./pages/processing.js";

type OwnedView = Extract<CustomerView, { kind: "owned" }>;

/**
 * The page that belongs to what the browser may see, or where it goes instead.
 * @param faults of a form that was just posted: the same form again, with status 400
 */
export function sessionPage(
  context: PageContext,
  view: CustomerView,
  faults: readonly FormFault[],
): Page | { readonly leadsTo: string } | "bank-choice" {
  if (view.kind === "unknown") return noticePage(context, "unknownLink");
  if (view.kind === "taken") return noticePage(context, "taken");
  if (view.kind === "unclaimed") return landingPage(context, view.privacy_notice);

  const posted = inWords(context.messages, faults);
  const status = posted.length > 0 ? 400 : 200;
  const problems = posted.length > 0 ? posted : refusal(context, view);
  switch (view.status) {
    case "Waiting:ProvideCredentials":
      if (view.connector === null) return "bank-choice";
      return credentialsPage(
        context,
        { connector: view.connector, connector_fixed: view.connector_fixed },
        problems,
        status,
      );
    case "Waiting:Challenge":
      if (view.challenge === null) throw new Error("A session waits for an answer without a challenge");
      return challengePage(context, view.challenge, problems, status);
    case "Processing:ProvideCredentials":
    case "Processing:Challenge":
      return processingPage(context);
    default:
      return view.return_url === null
        ? outcomePage(context, view.status, view.error_code)
        : { leadsTo: view.return_url };
  }
}

/** Why the last attempt was refused by the bank, and how many are left. */
function refusal({ messages }: PageContext, view: OwnedView): FieldProblem[] {
  if (view.error_code === null) return [];
  const rejected = view.status === "Waiting:Challenge" ? messages.rejectedAnswer : messages.rejectedCredentials;
  return [{ field: null, message: `${rejected} ${messages.attemptsLeft(view.attempts_left)}` }];
}
