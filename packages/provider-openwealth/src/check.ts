import { randomUUID } from "node:crypto";
import {
  type CheckCause,
  type CheckResult,
  checkCauseOf,
  clientToken,
  OAuthFailure,
  ReadInterrupted,
  refusalOfClient,
  type TokenCall,
} from "@org/provider-kit";
import { type CustodyCredentials, custodyApi } from "./custody-api.js";
import { clientOf } from "./open-bank.js";
import type { Bank } from "./settings.js";
import { differences, type Version } from "./versions.js";

/** What is wrong with a bank's settings. */
interface CheckFault {
  /** Null if it is none of the known causes. */
  readonly cause: CheckCause | null;
  readonly message: string;
}

/** Checks the settings of each bank; the message names those that are wrong. */
export async function checkBanks(banks: readonly Bank[], call: TokenCall): Promise<CheckResult> {
  const found: CheckFault[] = [];
  for (const bank of banks) {
    const fault = await faultOf(bank, call).catch(failureOf);
    if (fault !== null) found.push({ ...fault, message: `${bank.id}: ${fault.message}` });
  }
  if (found.length === 0) return { ok: true };
  const [cause = null, ...more] = new Set(found.map((fault) => fault.cause));
  const message = found.map((fault) => fault.message).join("; ");
  return { ok: false, message, ...(cause !== null && more.length === 0 && { cause }) };
}

/**
 * What is wrong with a bank's settings; null = nothing. Requests one customer: with the client's own token, otherwise without any credentials of a
 * customer, which a bank rightly refuses. If customers log in themselves, first asks whether the bank knows the client.
 */
async function faultOf(bank: Bank, call: TokenCall): Promise<CheckFault | null> {
  const client = clientOf(bank);
  const code = client?.type === "authorization_code" ? await refusalOfClient(client, call) : null;
  if (code !== null) return clientRefused(code);
  const answer = client?.type === "client_credentials" ? await clientToken(client, call) : null;
  if (answer && "refused" in answer) return clientRefused(answer.refused);
  const token = async () => answer?.tokens.access_token ?? "";
  const credentials = { grant: answer && { token, tokenAfter: token }, consent_id: null };
  const isOurs = answer !== null && bank.consent_header === undefined;

  const fault = await faultOfVersion(bank, credentials, isOurs, call);
  if (fault === null || (fault.cause !== "access_refused" && fault.cause !== "unusable_answer")) return fault;
  const fitting: string[] = [];
  for (const [version, name] of tellable) {
    if (differences[version].lists === differences[bank.version].lists) continue;
    const other = await faultOfVersion({ ...bank, version }, credentials, isOurs, call);
    if (other === null) fitting.push(name);
  }
  if (fitting.length > 0)
    return {
      cause: fault.cause,
      message: `the bank answers as version ${fitting.join(" or ")} describes, not ${bank.version}`,
    };
  // Without credentials some banks say that there is nothing.
  return isOurs || fault.cause === "unusable_answer" ? fault : null;
}

/** The versions that customers tell apart: 1.1 and 1.2 have the same. */
const tellable: readonly (readonly [Version, name: string])[] = [
  ["1.2", "1.1 or 1.2"],
  ["2.0", "2.0"],
  ["3.2", "3.2"],
];

/** What is wrong with a bank's answer for customers by its version; null = nothing. @param isOurs whether the credentials must be enough */
async function faultOfVersion(bank: Bank, credentials: CustodyCredentials, isOurs: boolean, call: TokenCall) {
  const api = custodyApi(bank, credentials, { ...call, correlationId: randomUUID });
  try {
    for await (const page of api.pages("customers", differences[bank.version].paths.customers, { limit: "1" })) {
      if (!("status" in page)) return null;
      const isNothing = page.status === 404 && page.problem !== "INSUFFICIENT_PRIVILEGES";
      return isOurs || isNothing ? refused(`customers are refused with ${page.status}`) : null;
    }
  } catch (failure) {
    const isRefused = failure instanceof ReadInterrupted && "refused" in failure.end;
    return isRefused && !isOurs ? null : failureOf(failure);
  }
  return null;
}

function clientRefused(code: string): CheckFault {
  return { cause: "client_refused", message: `the token endpoint refuses the client (${code})` };
}

function refused(message: string): CheckFault {
  return { cause: "access_refused", message };
}

function failureOf(failure: unknown): CheckFault {
  if (failure instanceof OAuthFailure && failure.concerns_client)
    return { cause: "client_refused", message: failure.message };
  if (!(failure instanceof ReadInterrupted))
    return { cause: checkCauseOf(failure), message: failure instanceof Error ? failure.message : "cannot be reached" };
  return "refused" in failure.end
    ? refused("the token is not accepted")
    : { cause: "throttled", message: "asks for fewer requests" };
}
