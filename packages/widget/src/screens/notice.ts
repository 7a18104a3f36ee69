import { html } from "@org/pages";
import type { NoticeKind, WidgetState } from "../widget-state.js";
import { heading, type Screen, type ScreenContext, titleWith } from "./screen.js";

/** Status and texts of each notice. */
const kinds = {
  taken: { status: 403, words: "taken" },
  unknownLink: { status: 404, words: "unknownLink" },
  callbackElsewhere: { status: 403, words: "callbackElsewhere" },
  callbackUnknown: { status: 404, words: "callbackUnknown" },
  forbidden: { status: 403, words: "forbidden" },
  badRequest: { status: 400, words: "badRequest" },
  notAllowed: { status: 405, words: "badRequest" },
  tooLarge: { status: 413, words: "tooLarge" },
  tooMany: { status: 429, words: "tooMany" },
  away: { status: 503, words: "away" },
  defect: { status: 500, words: "defect" },
} as const satisfies Record<NoticeKind, { readonly status: number; readonly words: string }>;

/** Notices without a way back, because this browser has nothing at the address. */
const finalNotices: ReadonlySet<NoticeKind> = new Set(["taken", "unknownLink", "callbackElsewhere", "callbackUnknown"]);

/** Returns the HTTP status of a notice. */
export function statusOfNotice(kind: NoticeKind): number {
  return kinds[kind].status;
}

/** Explains a problem and how to proceed. The trace id is shown when the customer should pass it on. */
export function noticeScreen(
  { messages, path }: Pick<ScreenContext, "messages" | "path">,
  { notice, trace_id, bank = null }: Extract<WidgetState, { screen: "notice" }>,
): Screen {
  const { title, text } = messages[kinds[notice].words];
  const leadsBack = !finalNotices.has(notice);
  return {
    title: titleWith(title, bank),
    body: html`${heading(title, bank)}
<p class="lead">${text}</p>
${trace_id !== undefined && html`<p class="quiet">${messages.reference(trace_id)}</p>`}
${leadsBack && html`<p><a class="more" href="${path}">${messages.backToPage}</a></p>`}`,
  };
}
