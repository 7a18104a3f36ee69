/** Error codes of version 3, with the messages of the published table, which has no 1002. */
export const flexErrors = {
  1001: "Statement could not be generated at this time. Please try again shortly.",
  1003: "Statement is not available.",
  1004: "Statement is incomplete at this time. Please try again shortly.",
  1005: "Settlement data is not ready at this time. Please try again shortly.",
  1006: "FIFO P/L data is not ready at this time. Please try again shortly.",
  1007: "MTM P/L data is not ready at this time. Please try again shortly.",
  1008: "MTM and FIFO P/L data is not ready at this time. Please try again shortly.",
  1009: "The server is under heavy load. Statement could not be generated at this time. Please try again shortly.",
  1010: "Legacy Flex Queries are no longer supported. Please convert over to Activity Flex.",
  1011: "Service account is inactive.",
  1012: "Token has expired.",
  1013: "IP restriction.",
  1014: "Query is invalid.",
  1015: "Token is invalid.",
  1016: "Account in invalid.",
  1017: "Reference code is invalid.",
  1018: "Too many requests have been made from this token. Please try again shortly. Limited to one request per second, 10 requests per minute (per token).",
  1019: "Statement generation in progress. Please try again shortly.",
  1020: "Invalid request or unable to validate request.",
  1021: "Statement could not be retrieved at this time. Please try again shortly.",
} as const;
export type FlexErrorCode = keyof typeof flexErrors;

/** Codes after which the same request can be sent again. */
export const waitingCodes = [
  1001, 1004, 1005, 1006, 1007, 1008, 1009, 1019, 1021,
] as const satisfies readonly FlexErrorCode[];

/** An error answer: codes that ask the client to wait are warnings, all others failures. */
export function errorAnswer(code: FlexErrorCode, at: Date): string {
  const status = (waitingCodes as readonly number[]).includes(code) ? "Warn" : "Fail";
  return answer(at, [
    `<Status>${status}</Status>`,
    `<ErrorCode>${code}</ErrorCode>`,
    `<ErrorMessage>${flexErrors[code]}</ErrorMessage>`,
  ]);
}

/** The answer to SendRequest: a reference and, in version 3, the URL of the statement. */
export function referenceAnswer(reference: string, url: string, at: Date): string {
  return answer(at, ["<Status>Success</Status>", `<ReferenceCode>${reference}</ReferenceCode>`, `<Url>${url}</Url>`]);
}

/** The answer to a request without `v=3`: version 2, which has other elements. */
export function versionTwoAnswer(reference: string, url: string, at: Date): string {
  return answer(at, [`<code>${reference}</code>`, `<url>${url}</url>`]);
}

function answer(at: Date, elements: readonly string[]): string {
  return `<FlexStatementResponse timestamp='${written(at)}'>\n${elements.join("\n")}\n</FlexStatementResponse>\n`;
}

/** `28 August, 2012 10:37 AM EDT` */
function written(at: Date): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/New_York",
    day: "2-digit",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("day")} ${part("month")}, ${part("year")} ${part("hour")}:${part("minute")} ${part("dayPeriod")} ${part("timeZoneName")}`;
}
