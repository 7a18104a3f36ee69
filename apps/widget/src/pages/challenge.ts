import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import { APPROVAL, isApproval } from "../approval.js";
import type { WidgetState } from "../widget-state.js";
import { cancelForm, type Page, type PageContext, postForm, titled } from "./page.js";

type Challenge = Extract<WidgetState, { screen: "challenge" }>;

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
<p class="lead">${messages.challengeText[challenge.kind]}</p>
<div class="card"><p class="quiet">${messages.bankSays}</p>
<p lang="en">${challenge.message}</p></div>
${challenge.qr && qrToScan(context, challenge.qr)}
${challenge.follows_bank && isApproval(challenge.kind) && wayToLookAgain(context, challenge)}
${postForm(context, "answer", answerFields(context, challenge, problems))}
${cancelForm(context)}`,
  };
}

function answerFields({ messages }: PageContext, { kind }: Challenge, problems: readonly FieldProblem[]): Html {
  const field = isApproval(kind)
    ? html`<input type="hidden" name="answer" value="${APPROVAL}">`
    : textField({ name: "answer", label: messages.answer, type: "text", autocomplete: "one-time-code" }, problems);
  return html`${field}
<button class="first" type="submit">${messages.continue}</button>`;
}

/** A link and no refresh: a page that loads itself again and again would be read out from its beginning each time. */
function wayToLookAgain({ messages, path }: PageContext, { qr }: Challenge): Html {
  return html`<p><a class="more" href="${path}">${qr === null ? messages.checkNow : messages.newestCode}</a></p>`;
}

/** Dark on white in either colour scheme, which scanners need. The text stands below, for who has the bank's app on this device or cannot scan. */
function qrToScan({ messages }: PageContext, { text, drawing }: NonNullable<Challenge["qr"]>): Html {
  return html`${
    drawing &&
    html`<svg class="qr" role="img" aria-label="${messages.qrLabel}" viewBox="0 0 ${drawing.size} ${drawing.size}" shape-rendering="crispEdges">
<path fill="#ffffff" d="M0 0h${drawing.size}v${drawing.size}h-${drawing.size}z"/><path fill="#000000" d="${drawing.path}"/></svg>`
  }
<details><summary>${messages.qrAsText}</summary><p>${text}</p></details>`;
}
