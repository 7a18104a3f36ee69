import type { SessionErrorCode } from "@org/core";
import type { Messages, Notice } from "./messages/messages.js";
import type { FinishedStatus } from "./widget-state.js";

/** The sign above the words: what it is at a glance, for who sees it. None where the customer ended it, or time did. */
export function signOf(status: FinishedStatus): { readonly kind: "good" | "warn"; readonly character: string } | null {
  if (status === "Finished:OK") return { kind: "good", character: "✓" };
  return status === "Finished:Error" ? { kind: "warn", character: "!" } : null;
}

/** How a session ended, and what to do next. */
export function noticeOf(
  messages: Messages,
  { status, error_code }: { readonly status: FinishedStatus; readonly error_code: SessionErrorCode | null },
): Notice {
  if (status === "Finished:OK") return messages.done;
  if (status === "Finished:Expired") return messages.expired;
  if (status === "Finished:Aborted") return messages.aborted;
  return messages.failed[error_code ?? "InternalError"];
}
