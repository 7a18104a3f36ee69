import { createHash } from "node:crypto";
import { type FieldProblem, type Html, html } from "@org/pages";
import type { BankList, BankQuery } from "./bank-list.js";
import { type FormFault, faultMessages } from "./forms.js";
import { askScreen } from "./screens/ask.js";
import { bankChoiceScreen } from "./screens/bank-choice.js";
import { challengeScreen } from "./screens/challenge.js";
import { credentialsScreen } from "./screens/credentials.js";
import { isUsual } from "./screens/fields.js";
import { pageFoot, pageTop } from "./screens/frame.js";
import { landingScreen } from "./screens/landing.js";
import { noticeScreen } from "./screens/notice.js";
import { outcomeScreen } from "./screens/outcome.js";
import { processingScreen } from "./screens/processing.js";
import { redirectScreen } from "./screens/redirect.js";
import type { Screen, ScreenContext } from "./screens/screen.js";
import type { Refusal, WidgetState } from "./widget-state.js";

/** What the bank choice shows besides the state. */
export interface BankOffer {
  readonly query: BankQuery;
  readonly list: BankList;
}

/** Poll interval of the client in seconds: the bank may answer, a picture may change, time may run out, another tab may continue. */
const refreshSeconds = { processing: 1, challengeThatChanges: 3, otherwise: 30 };

/**
 * Draws a state, the same for both ways of showing it: a page contains the drawing in `main`, and the client inserts it there.
 * @param faults of a form that was just posted: shows the same form again with its faults
 * @param offer for the choice of bank
 */
export function draw(
  context: ScreenContext,
  state: WidgetState,
  faults: readonly FormFault[] = [],
  offer: BankOffer | null = null,
): Screen {
  const { title, body } = screenOf(context, state, faults, offer);
  const seconds = secondsToNextPoll(state);
  return {
    title,
    body: html`<div data-screen="${state.screen}" data-version="${drawingVersion(state, context)}"${
      seconds !== null && html` data-look-again-seconds="${seconds}"`
    }>${pageTop(context, state)}
${body}
${pageFoot(context, state)}
${seconds !== null && unreachableNotice(context)}</div>`,
  };
}

/** Identifies a drawing. The client sends it when polling, and nothing is drawn while it is unchanged. */
export function drawingVersion(state: WidgetState, { language, requester }: ScreenContext): string {
  const drawn = JSON.stringify([state, language, requester]);
  return createHash("sha256").update(drawn).digest("base64url").slice(0, 16);
}

function screenOf(
  context: ScreenContext,
  state: WidgetState,
  faults: readonly FormFault[],
  offer: BankOffer | null,
): Screen {
  const { messages } = context;
  const asked = "fields" in state ? state.fields : [];
  const posted = faultMessages(context, faults, asked);
  switch (state.screen) {
    case "notice":
      return noticeScreen(context, state);
    case "landing":
      return landingScreen(context, state);
    case "bank-choice":
      if (offer === null) throw new Error("The choice of bank is drawn without banks");
      return bankChoiceScreen(context, offer.query, offer.list, posted);
    case "credentials":
      return credentialsScreen(
        context,
        state,
        state.cut_off && posted.length === 0
          ? [{ field: null, message: messages.cutOff }]
          : problems(state.refused, isUsual(state.fields) ? messages.rejectedCredentials : messages.rejectedDetails),
      );
    case "challenge":
      return challengeScreen(context, state, problems(state.refused, messages.rejectedAnswer));
    case "ask":
      return askScreen(context, state, problems(state.refused, messages.rejectedDetails));
    case "redirect":
      return redirectScreen(
        context,
        state,
        problems(state.refused, state.declined ? messages.declined : messages.rejectedAnswer),
      );
    case "processing":
      return processingScreen(context, state);
    case "outcome":
      return outcomeScreen(context, state);
  }

  /** Returns the faults of the form, or else why the bank refused the last attempt and how many attempts are left. */
  function problems(refused: Refusal | null, rejected: string): readonly FieldProblem[] {
    if (posted.length > 0 || refused === null) return posted;
    const reason = refused.other_login ? messages.otherLogin : refused.declined ? messages.declined : rejected;
    return [{ field: null, message: `${reason} ${messages.attemptsLeft(refused.attempts_left)}` }];
  }
}

function secondsToNextPoll(state: WidgetState): number | null {
  if (state.screen === "outcome" || state.screen === "notice") return null;
  if (state.screen === "processing") return refreshSeconds.processing;
  // Another tab may return from the bank.
  const changes = state.screen === "redirect" || (state.screen === "challenge" && state.follows_bank);
  return changes ? refreshSeconds.challengeThatChanges : refreshSeconds.otherwise;
}

/** Notice that the client shows above the screen when the server cannot be reached. */
function unreachableNotice({ messages }: ScreenContext): Html {
  return html`<template id="unreachable"><div class="problem" role="alert"><p>${messages.unreachable}</p>
<button type="button">${messages.tryAgain}</button></div></template>`;
}
