import type { BankProvider, Challenge, LoginStep } from "@org/provider-kit";

const portfolio = {
  key: "depot",
  name: "Depot",
  balance: "1.00",
  currency: "EUR",
  ref_account: null,
  type: "S" as const,
};

/**
 * A bank whose password selects its behaviour. `empty` shows no account, and `slow` answers when `release` is called. The approval that
 * `app` waits for completes after `approve`, and its message changes after `say`. `turning qr` shows another code after `turn`. The next
 * login resets all of this.
 */
export function createScriptedBank(): BankProvider & {
  release: () => void;
  approve: () => void;
  turn: () => void;
  say: (message: string) => void;
  /** How often it was polled. */
  polls: () => number;
} {
  let release = () => {};
  let approved = false;
  let turned = false;
  let said: string | null = null;
  let polls = 0;
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
    credentialFields: ({ connector_id }) =>
      connector_id === "usa:bank-0"
        ? [{ name: "username", label: { en: "Customer number" }, hint: { en: "Eight digits, on your bank card." } }]
        : [{ name: "username" }, { name: "password" }],
    release: () => release(),
    polls: () => polls,
    turn: () => {
      turned = true;
    },
    say: (message) => {
      said = message;
    },
    approve: () => {
      approved = true;
    },
    async login({ fields: { username = "", password = "" } }) {
      [approved, turned, said] = [false, false, null];
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
      return steps[password] ?? { kind: "authenticated", user_key: username, access: { password } };
    },
    async answer({ state, answer }) {
      const approves = ["app", "qr"].includes((state as { kind: string }).kind);
      if (answer !== (approves ? "approve" : "123456")) return { kind: "rejected" };
      return { kind: "authenticated", user_key: "someone", access: {} };
    },
    async look({ state }) {
      polls += 1;
      const { kind, qr } = state as Partial<Challenge>;
      if (kind === "app" && approved) return { kind: "authenticated", user_key: "approved elsewhere", access: {} };
      if (kind === "app" && said !== null) return challenge("app", { message: said });
      return turned && qr?.endsWith("/1")
        ? challenge("qr", { qr: "https://bank.example/approve/2" })
        : { kind: "waiting" };
    },
    async fetch({ access }) {
      const isEmpty = (access as { password?: string }).password === "empty";
      return {
        snapshot: {
          as_of: new Date("2026-03-02T09:00:00Z"),
          portfolios: isEmpty ? [] : [portfolio],
          holdings: [],
          transactions: [],
        },
        consent_expires_at: null,
      };
    },
  };
}
