import type { BankProvider, Challenge, LoginStep } from "@org/core";

/** A bank whose password says what it does. `slow` answers when `release` is called. */
export function createScriptedBank(): BankProvider & { release: () => void } {
  let release = () => {};
  const challenge = (kind: Challenge["kind"], extra: Partial<Challenge> = {}): LoginStep => ({
    kind: "challenge",
    challenge: { kind, message: `The bank asks by ${kind}.`, ...extra },
    state: { kind, ...extra },
  });
  const failed = (error_code: Extract<LoginStep, { kind: "failed" }>["error_code"]): LoginStep => ({
    kind: "failed",
    error_code,
  });
  return {
    name: "scripted",
    credentialFields: (connectorId) =>
      connectorId === "usa:bank-0"
        ? [{ name: "username", label: { en: "Customer number" }, hint: { en: "Eight digits, on your bank card." } }]
        : [{ name: "username" }, { name: "password" }],
    release: () => release(),
    async login({ username, password }) {
      if (password === "slow") await new Promise<void>((resolve) => (release = resolve));
      if (password === "broken") throw new Error("connection reset");
      const steps: Record<string, LoginStep> = {
        wrong: { kind: "rejected" },
        sms: challenge("sms"),
        code: challenge("code"),
        card: challenge("card"),
        app: challenge("app"),
        qr: challenge("qr", { qr: "https://bank.example/approve?<b>&1" }),
        "turning qr": challenge("qr", { qr: "https://bank.example/approve/1" }),
        "long qr": challenge("qr", { qr: "x".repeat(4_000) }),
        unsupported: failed("UnsupportedChallengeMethod"),
        interaction: failed("UserInteractionNeeded"),
        exists: failed("AlreadyExists"),
      };
      return steps[password] ?? { kind: "authenticated", user_key: username, access: {} };
    },
    async answer({ state, answer }) {
      if ((state as { qr?: string }).qr?.endsWith("/1"))
        return challenge("qr", { qr: "https://bank.example/approve/2" });
      const approves = ["app", "qr"].includes((state as { kind: string }).kind);
      if (answer !== (approves ? "approve" : "123456")) return { kind: "rejected" };
      return { kind: "authenticated", user_key: "someone", access: {} };
    },
    async fetch() {
      return {
        snapshot: { as_of: new Date("2026-03-02T09:00:00Z"), portfolios: [], holdings: [], transactions: [] },
        consent_expires_at: null,
      };
    },
  };
}
