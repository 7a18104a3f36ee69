import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, requiredText, textOf } from "../markup/values.js";
import { quoted } from "../quoted.js";

/** Refuses a file in which the bank answers with an error, at the sign-on or at any statement, quoting its code and message. */
export function refuseReportedErrors(root: MarkupElement): void {
  for (const messageSet of root.children) {
    for (const response of messageSet.children) {
      const status = childOf(response, "STATUS");
      if (status) refuseError(status);
    }
  }
}

/** Codes other than 0 also come as information and warnings, which leave the data good (OFX 2.2 §3.1.5). */
function refuseError(status: MarkupElement): void {
  const code = requiredText(status, "CODE");
  const severity = textOf(status, "SEVERITY")?.toUpperCase();
  if (severity === "INFO" || severity === "WARN" || (severity === undefined && /^0+$/.test(code))) return;
  const message = textOf(status, "MESSAGE");
  throw refuse(status, `the bank reports error ${code}${message ? `: ${quoted(message, 300)}` : ""}`);
}
