import type { Challenge } from "@org/core";
import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import { qrDrawing } from "../qr-drawing.js";
import { cancelForm, type Page, type PageContext, postForm, titled } from "./page.js";

/** What a Continue button answers where the customer approves elsewhere: in the bank's app, or after scanning. */
const APPROVAL = "approve";

/** What the bank asks for beyond the password: a code to type, or an approval elsewhere. */
export function challengePage(
  context: PageContext,
  challenge: Challenge,
  problems: readonly FieldProblem[],
  status: number,
): Page {
  const { messages } = context;
  return {
    status,
    title: titled(messages, messages.challengeTitle, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${messages.challengeTitle}</h1>
<p>${messages.challengeText[challenge.kind]}</p>
<p class="quiet">${messages.bankSays}:</p>
<blockquote lang="en">${challenge.message}</blockquote>
${challenge.qr === undefined ? null : qrToScan(context, challenge.qr)}
${postForm(context, "answer", answerFields(context, challenge, problems))}
${cancelForm(context)}`,
  };
}

function answerFields({ messages }: PageContext, challenge: Challenge, problems: readonly FieldProblem[]): Html {
  const field =
    challenge.kind === "app" || challenge.kind === "qr"
      ? html`<input type="hidden" name="answer" value="${APPROVAL}">`
      : textField({ name: "answer", label: messages.answer, type: "text", autocomplete: "one-time-code" }, problems);
  return html`${field}
<button class="first" type="submit">${messages.continue}</button>`;
}

/** The text stands below the drawing, for who has the bank's app on this device or cannot scan. */
function qrToScan({ messages }: PageContext, text: string): Html {
  return html`${qrDrawing(text, messages.qrLabel)}
<details><summary>${messages.qrAsText}</summary><p>${text}</p></details>`;
}
