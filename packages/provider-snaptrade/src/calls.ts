import { createHash } from "node:crypto";
import {
  type AnswerMeaning,
  createInstitutionCalls,
  type InstitutionCalls,
  type ProviderServices,
} from "@org/provider-kit";
import { z } from "zod";
import type { SnapTradeSettings } from "./settings.js";
import { type SnapTradeUser, signedAs } from "./signature.js";

/** What a read may wait for its turn: the server ends it after a minute. */
const WAIT_MS = 20_000;

const failure = z.object({
  code: z.coerce.string().optional(),
  default_code: z.coerce.string().optional(),
  status_code: z.coerce.string().optional(),
});

/** Codes of errors that are not what their status says. */
const codes: Readonly<Record<string, AnswerMeaning>> = {
  // The signature is not right: the installation's key, and no customer's access.
  "1076": "failed",
  // The client or the time of the request is not right; a user who is not known has a code of their own.
  "401 0000": "failed",
  // The brokerage is busy with another read of the account, or gives no answer.
  "3002": { throttled: 60 },
};

/** The limits that an answer names, each with the seconds until it takes requests again. */
const limits = [
  ["x-ratelimit-remaining", "x-ratelimit-reset"],
  ["x-ratelimit-account-remaining", "x-ratelimit-account-reset"],
] as const;

/** Signed requests for one user, or for the client itself. */
export function openCalls(
  settings: SnapTradeSettings,
  { http, pace, clock }: Pick<ProviderServices, "http" | "pace" | "clock">,
  {
    user,
    signal,
    awaited = true,
    statuses = {},
  }: {
    readonly user: SnapTradeUser | null;
    readonly signal: AbortSignal;
    readonly awaited?: boolean;
    readonly statuses?: Readonly<Record<number, AnswerMeaning>>;
  },
): InstitutionCalls {
  signal.throwIfAborted();
  const { base_url, client_id } = settings;
  const application = createHash("sha256").update(`${base_url} ${client_id}`).digest("base64url");
  const mayWait = awaited ? { until: new Date(clock().getTime() + WAIT_MS) } : null;
  return createInstitutionCalls(
    {
      auth: signedAs(settings, user),
      limits: [{ every_ms: 60_000, calls: 250, shared: true }],
      // What is asked for is being read from the brokerage.
      statuses: { 425: { throttled: 30 }, ...statuses },
      codes,
      codeOf(body) {
        const { status_code, code, default_code = code } = failure.safeParse(body).data ?? {};
        const known = [`${status_code} ${default_code}`, `${default_code}`];
        return known.find((one) => Object.hasOwn(codes, one)) ?? null;
      },
      waitOf(headers) {
        const resets = limits.flatMap(([left, reset]) => (headers[left] === "0" ? [Number(headers[reset])] : []));
        return Math.max(...resets, 0) || null;
      },
    },
    { http, pace, clock, base_url, key: {}, identity: application, application, mayWait, signal },
  );
}
