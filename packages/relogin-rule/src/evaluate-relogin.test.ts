import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type CredentialStatus, evaluateRelogin, type ReloginEvaluation, type ReloginReason } from "./index.js";

const quiet: CredentialStatus = {
  pending: false,
  blocked: false,
  reset_token: null,
  sca_token: null,
  transaction_token: null,
  last_update: "2026-11-20T10:00:00Z",
  created_at: "2026-01-02T03:04:05Z",
  errored: flags(false),
  created: flags(true),
  consent_expires_at: null,
};

function flags(set: boolean): CredentialStatus["errored"] {
  return {
    product: { auth: set, account: set, card: set, portfolio: set, investment: set, liability: set, holders: set },
    transaction: { account: set, card: set, investment: set, liability: set },
  };
}

const authError = { ...flags(false), product: { ...flags(false).product, auth: true } };

describe("causes", () => {
  it.each<[string, Partial<CredentialStatus>, ReloginReason["code"][]]>([
    ["[S1-3.4] a blocked connection", { blocked: true }, ["blocked"]],
    ["[S1-3.5] a required strong customer authentication", { sca_token: "sca" }, ["sca_required"]],
    ["[S1-3.6] an authentication error", { errored: authError }, ["auth_error"]],
    ["[S1-3.7] a reset token", { reset_token: "reset" }, ["reset_token"]],
    [
      "[C-4.38] all of them, in the order of the contract",
      { reset_token: "reset", errored: authError, sca_token: "sca", blocked: true },
      ["blocked", "sca_required", "auth_error", "reset_token"],
    ],
  ])("%s", (_, change, codes) => {
    const { needs_relogin, reasons } = evaluateRelogin({ ...quiet, ...change });
    expect(needs_relogin).toBe(true);
    expect(reasons.map(({ code }) => code)).toEqual(codes);
  });

  it.each<[string, Partial<CredentialStatus>]>([
    ["a connection in good health", {}],
    ["[S1-3.8] errors of transactions", { errored: { ...flags(false), transaction: flags(true).transaction } }],
    ["[C-4.39] a transaction token", { transaction_token: "older transactions" }],
    ["errors of products other than the login", { errored: { ...flags(true), product: productErrors() } }],
    ["empty tokens", { reset_token: "", sca_token: "" }],
    ["pending, and a consent that has run out", { pending: true, consent_expires_at: "2020-01-01T00:00:00Z" }],
  ])("%s need no new login", (_, change) => {
    expect(evaluateRelogin({ ...quiet, ...change })).toEqual({ needs_relogin: false, reasons: [] });
  });

  function productErrors() {
    return { ...flags(true).product, auth: false };
  }
});

describe("words", () => {
  const { reasons } = evaluateRelogin({
    ...quiet,
    blocked: true,
    sca_token: "sca-secret",
    errored: authError,
    reset_token: "reset-secret",
  });

  it.each(reasons)("[C-4.38] $code says what is the matter and which tool to call", (reason) => {
    expect(Object.keys(reason).sort()).toEqual(["code", "message", "next_action"]);
    expect(reason.message).toMatch(/^The .+\.$/);
    for (const word of ["svc-create-connect-session", "connection_id", "widget_url"])
      expect(reason.next_action).toContain(word);
  });

  it("differ from reason to reason and never repeat a token", () => {
    expect(new Set(reasons.map(({ message }) => message)).size).toBe(reasons.length);
    expect(JSON.stringify(reasons)).not.toContain("secret");
  });
});

describe("any status", () => {
  const token = fc.option(fc.string());
  const productFlags = fc.record({
    auth: fc.boolean(),
    account: fc.boolean(),
    card: fc.boolean(),
    portfolio: fc.boolean(),
    investment: fc.boolean(),
    liability: fc.boolean(),
    holders: fc.boolean(),
  });
  const transactionFlags = fc.record({
    account: fc.boolean(),
    card: fc.boolean(),
    investment: fc.boolean(),
    liability: fc.boolean(),
  });
  const anyFlags = fc.record({ product: productFlags, transaction: transactionFlags });
  const anyStatus: fc.Arbitrary<CredentialStatus> = fc.record({
    pending: fc.boolean(),
    blocked: fc.boolean(),
    reset_token: token,
    sca_token: token,
    transaction_token: token,
    last_update: token,
    created_at: fc.string(),
    errored: anyFlags,
    created: anyFlags,
    consent_expires_at: token,
  });

  /** The rule exactly as the contract words it. */
  function naive(status: CredentialStatus): string[] {
    const codes: string[] = [];
    if (status.blocked) codes.push("blocked");
    if (status.sca_token) codes.push("sca_required");
    if (status.errored.product.auth) codes.push("auth_error");
    if (status.reset_token) codes.push("reset_token");
    return codes;
  }

  it("[C-10.8] [C-4.38] is judged as the rule reads", () => {
    fc.assert(
      fc.property(anyStatus, (status) => {
        const { needs_relogin, reasons } = evaluateRelogin(status);
        expect(reasons.map(({ code }) => code)).toEqual(naive(status));
        expect(needs_relogin).toBe(naive(status).length > 0);
      }),
    );
  });

  it("[C-4.39] [S1-3.8] is judged the same whatever happens to its transactions", () => {
    fc.assert(
      fc.property(anyStatus, transactionFlags, token, (status, transaction, transaction_token) => {
        const other = { ...status, transaction_token, errored: { ...status.errored, transaction } };
        expect(evaluateRelogin(other)).toEqual(evaluateRelogin(status));
      }),
    );
  });
});

describe("types", () => {
  it("[C-4.36] the status object is the input, and codes are a closed list", () => {
    expectTypeOf(evaluateRelogin).parameters.toEqualTypeOf<[CredentialStatus]>();
    expectTypeOf(evaluateRelogin).returns.toEqualTypeOf<ReloginEvaluation>();
    expectTypeOf<ReloginReason["code"]>().toEqualTypeOf<"blocked" | "sca_required" | "auth_error" | "reset_token">();
    expectTypeOf<keyof CredentialStatus>().toEqualTypeOf<
      | "pending"
      | "blocked"
      | "reset_token"
      | "sca_token"
      | "transaction_token"
      | "last_update"
      | "created_at"
      | "errored"
      | "created"
      | "consent_expires_at"
    >();
    // @ts-expect-error a status without its flags is none
    expect(() => evaluateRelogin({ ...quiet, errored: undefined })).toThrow(TypeError);
  });
});
