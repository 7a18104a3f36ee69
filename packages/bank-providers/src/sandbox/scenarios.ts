import type { AccessRefusal, Challenge, LoginStep } from "@org/provider-kit";

/** What a password of the sandbox does at login (contract §5). Any other password, and DATA scenarios, succeed immediately. */
export type LoginOutcome =
  | { readonly kind: "succeed"; readonly afterMilliseconds?: number }
  | { readonly kind: "challenge"; readonly challenge: Challenge }
  | Extract<LoginStep, { kind: "rejected" | "failed" }>;

const outcomes = {
  INVALID_CREDENTIALS: { kind: "rejected" },
  INTERNAL_ERROR: { kind: "failed", error_code: "InternalError" },
  USER_INTERACTION_NEEDED: { kind: "failed", error_code: "UserInteractionNeeded" },
  ALREADY_EXISTS: { kind: "failed", error_code: "AlreadyExists" },
  SCA_TYPE_NOT_ALLOWED: { kind: "failed", error_code: "UnsupportedChallengeMethod" },
  SCA_SMS: challenge({ kind: "sms", message: "Enter the code that we sent to your phone by text message." }),
  SCA_CODE: challenge({ kind: "code", message: "Enter the code that your security device shows." }),
  SCA_APP: challenge({ kind: "app", message: "Approve the login in your bank's app, then continue." }),
  SCA_QR: challenge({
    kind: "qr",
    message: "Scan the code with your bank's app, then continue.",
    qr: "https://bank.example/approve/sandbox",
  }),
  SLOW: { kind: "succeed", afterMilliseconds: 8000 },
  DATA_ERROR_PORTFOLIO: { kind: "succeed" },
  DATA_ERROR_TRANSACTIONS: { kind: "succeed" },
  BLOCKED_AFTER: { kind: "succeed" },
  CONSENT_EXPIRES: { kind: "succeed" },
  CONSENT_ENDS_SOON: { kind: "succeed" },
  THROTTLED: { kind: "succeed" },
  SCA_DECLINED: { kind: "succeed" },
  EMPTY: { kind: "succeed" },
  LARGE: { kind: "succeed" },
  HISTORY_GAPS: { kind: "succeed" },
  NO_HISTORY: { kind: "succeed" },
} as const satisfies Record<string, LoginOutcome>;

/** The passwords with a meaning. */
export type Scenario = keyof typeof outcomes;

/** The scenario that a password names, null for any other password. Case matters. */
export function scenarioOf(password: string): Scenario | null {
  return Object.hasOwn(outcomes, password) ? (password as Scenario) : null;
}

/** The outcome of a login with that scenario; null is an ordinary password. */
export function loginOutcome(scenario: Scenario | null): LoginOutcome {
  return scenario === null ? { kind: "succeed" } : outcomes[scenario];
}

/** How long one QR code is shown. */
const QR_MS = 5_000;

/** A challenge as shown at a given time: the content of a QR code changes every five seconds, the same for everybody. */
export function challengeAt(asked: Challenge, now: Date): Challenge {
  return asked.qr === undefined ? asked : { ...asked, qr: `${asked.qr}/${Math.floor(now.getTime() / QR_MS)}` };
}

/** Why a refresh is refused for a login with that scenario (contract §9); null = it is not. */
export function accessRefusal(scenario: Scenario | null): AccessRefusal | null {
  if (scenario === "BLOCKED_AFTER") return "blocked";
  return scenario === "CONSENT_EXPIRES" ? "consent_expired" : null;
}

/**
 * Judges an answer to the challenge that `asked` names: `123456` passes, two words fail the login, everything else is wrong. `app` and `qr`
 * challenges are also approved by the empty answer and by `approve`, since a Continue button sends no more than that.
 */
export function judgeAnswer(
  asked: Scenario,
  answer: string,
): "passed" | Extract<LoginStep, { kind: "rejected" | "failed" }> {
  const given = answer.trim();
  if (given === "INTERNAL_ERROR" || given === "USER_INTERACTION_NEEDED") return outcomes[given];
  const approves = asked === "SCA_APP" || asked === "SCA_QR";
  return given === "123456" || (approves && (given === "" || given === "approve")) ? "passed" : { kind: "rejected" };
}

function challenge(asked: Challenge): LoginOutcome {
  return { kind: "challenge", challenge: asked };
}
