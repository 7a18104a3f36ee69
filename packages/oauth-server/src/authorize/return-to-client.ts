import type { Answer } from "../http/endpoint.js";
import type { ReturnAddress } from "./refusals.js";

/**
 * Sends the browser back to its client with 303, so that no form is posted on (RFC 9700 §4.12), and with `iss` (RFC 9207).
 * The redirect_uri is kept as the client wrote it: clients compare it.
 */
export function returnToClient(
  { redirect_uri, state }: ReturnAddress,
  issuer: string,
  answer: { code: string } | { error: string; error_description: string },
): Answer {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: issuer });
  const joint = redirect_uri.includes("?") ? "&" : "?";
  return { status: 303, headers: { Location: `${redirect_uri}${joint}${query}` } };
}
