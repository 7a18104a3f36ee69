/** Why a page cannot be shown or a form was not taken, with the status of the answer and the words for it. */
const kinds = {
  taken: { status: 403, words: "taken" },
  unknownLink: { status: 404, words: "unknownLink" },
  forbidden: { status: 403, words: "forbidden" },
  badRequest: { status: 400, words: "badRequest" },
  notAllowed: { status: 405, words: "badRequest" },
  tooLarge: { status: 413, words: "tooLarge" },
  tooMany: { status: 429, words: "tooMany" },
  defect: { status: 500, words: "defect" },
} as const;
export type NoticeKind = keyof typeof kinds;

/** What a notice is: its HTTP status, the name of its words in the messages, and whether it leads back to the page. */
export function noticeOfKind(kind: NoticeKind) {
  return { ...kinds[kind], leadsBack: kind !== "taken" && kind !== "unknownLink" };
}
