import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import { qrDrawing } from "../qr-drawing.js";
import type { WidgetState } from "../widget-state.js";
import { heading, type Screen, type ScreenContext, stepForm, titled, titleWith } from "./screen.js";

type Challenge = Extract<WidgetState, { screen: "challenge" }>;

/** Value that the Continue button sends when the customer approves elsewhere. */
const APPROVAL = "approve";

/** What the bank asks for besides the password: a code to type, or an approval elsewhere. */
export function challengeScreen(
  context: ScreenContext,
  challenge: Challenge,
  problems: readonly FieldProblem[],
): Screen {
  const { messages } = context;
  const { bank, kind, message, qr, follows_bank } = challenge;
  const isApproval = kind === "app" || kind === "qr";
  const field = isApproval
    ? html`<input type="hidden" name="answer" value="${APPROVAL}">`
    : textField({ name: "answer", label: messages.answer, type: "text", autocomplete: "one-time-code" }, problems);
  return {
    title: titled(messages, titleWith(messages.challengeTitle, bank), problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
${heading(messages.challengeTitle, bank)}
<p class="lead">${messages.challengeText[kind]}</p>
<div class="card"><p class="quiet">${messages.bankSays}</p>
<p lang="en" role="status">${message}</p></div>
${qr && qrToScan(context, qr.text)}
${follows_bank && isApproval && refreshLink(context, challenge)}
${stepForm(
  context,
  "answer",
  html`${field}
<button class="first" type="submit">${messages.continue}</button>`,
)}`,
  };
}

/** A link instead of an automatic refresh: screen readers would read a reloaded page from its beginning each time. */
function refreshLink({ messages, path }: ScreenContext, { qr }: Challenge): Html {
  return html`<p data-unscripted><a class="more" href="${path}">${qr === null ? messages.checkNow : messages.newestCode}</a></p>`;
}

/**
 * Dark on white in both colour schemes, as scanners need. The text below is for customers who have the bank's app on this device or cannot
 * scan.
 */
function qrToScan({ messages }: ScreenContext, text: string): Html {
  const drawing = qrDrawing(text);
  return html`${
    drawing &&
    html`<svg class="qr" role="img" aria-label="${messages.qrLabel}" viewBox="0 0 ${drawing.size} ${drawing.size}" shape-rendering="crispEdges">
<path fill="#ffffff" d="M0 0h${drawing.size}v${drawing.size}h-${drawing.size}z"/><path fill="#000000" d="${drawing.path}"/></svg>`
  }
<details><summary>${messages.qrAsText}</summary><p>${text}</p></details>`;
}
