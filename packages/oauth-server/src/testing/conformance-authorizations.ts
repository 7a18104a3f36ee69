import { expect, it } from "vitest";
import type { Application } from "../ports/application-store.js";
import type { Approval, Denial, Redemption, RememberedCredentials } from "../ports/authorization-store.js";
import type { Uuid } from "../uuid.js";
import { approvalOf, atOnce, type Cases, hash, later, noon, orderedId, redemptionOf } from "./conformance-fixture.js";

/** Cases of answers to authorization requests and their codes. */
export function codeCases(cases: () => Cases): void {
  const codes = () => cases().store.codes;
  const grants = () => cases().store.grants;
  const approve = async (change: Partial<Approval> = {}, application?: Application) => {
    const approval = approvalOf(application ?? (await cases().application()), change);
    expect(await codes().answerRequest(approval)).toEqual({ decision: "approved", first: true, settled: false });
    return approval;
  };

  it("[security.md] exchanges a code for a grant of what was approved", async () => {
    const approval = await approve();
    const redemption = redemptionOf(approval);
    const { tenant_id, application_id, client_id, secret_id, scopes, audience } = approval;
    const grant = {
      grant_id: redemption.grant.grant_id,
      tenant_id,
      application_id,
      client_id,
      secret_id,
      scopes,
      audience,
      person_id: null,
      flow: "browser",
      created_at: later(60),
      last_issued_at: later(60),
      ended_at: null,
      refresh_seconds: 2_592_000,
      refresh_expires_at: later(60 + 2_592_000),
      is_confidential: false,
      is_limited: false,
      dpop_jkt: null,
    };
    expect(await codes().redeemCode(redemption)).toEqual({ outcome: "redeemed", grant });
    expect(await grants().findGrant(redemption.grant.grant_id)).toEqual(grant);
    const rotation = {
      grant_id: grant.grant_id,
      token_hash: redemption.grant.refresh_token_hash,
      is_authenticated: false,
    };
    const rotated = await grants().rotateRefreshToken({ ...rotation, next_token_hash: hash(), at: later(90) });
    expect(rotated.outcome).toBe("rotated");
  });

  it("[C-14.951] limits a grant to the clients of its approval, those of them that there are, for as long as it is refreshed", async () => {
    const application = await cases().application();
    // Limiting an application makes the clients.
    const { tenant_id, client_id } = application;
    await cases().store.applications.limitToClients(application.application_id, ["A", "B", "C"], noon);
    const issue = async (client_refs: Approval["client_refs"], change: Partial<Redemption> = {}) => {
      const approval = await approve({ client_refs }, application);
      const redemption = redemptionOf(approval, change);
      const { outcome, grant } = await codes().redeemCode(redemption);
      expect([outcome, grant?.is_limited]).toEqual(["redeemed", client_refs !== null]);
      return redemption.grant;
    };
    const limited = await issue(["B", "A"]);
    const none = await issue([]);
    const free = await issue(null);
    const refsOf = async (id: Uuid) => [...((await grants().clientRefsOf(id)) ?? ["no limit"])].sort();
    expect(await refsOf(limited.grant_id)).toEqual(["A", "B"]);
    expect(await refsOf(none.grant_id)).toEqual([]);
    expect(await refsOf(free.grant_id)).toEqual(["no limit"]);
    expect(await refsOf(orderedId())).toEqual([]);
    const machine = await cases().grant(application);
    expect(await refsOf(machine.grant_id)).toEqual(["no limit"]);
    const rotation = { token_hash: limited.refresh_token_hash, is_authenticated: false, next_token_hash: hash() };
    const rotated = await grants().rotateRefreshToken({ ...rotation, grant_id: limited.grant_id, at: later(90) });
    expect(rotated).toMatchObject({ outcome: "rotated", grant: { is_limited: true } });
    expect(await refsOf(limited.grant_id)).toEqual(["A", "B"]);

    const at = later(100);
    const listed = await grants().listGrants({ tenant_id, at, limit: 9 });
    const byId = new Map(listed.map(({ grant_id, client_refs }) => [grant_id, client_refs && [...client_refs].sort()]));
    expect([limited, none, free].map(({ grant_id }) => byId.get(grant_id))).toEqual([["A", "B"], [], null]);
    // The limits of one holder's grants count together, and not at all if one has none.
    const held = async () =>
      (await grants().listHolders({ tenant_id, at, limit: 9 })).find((one) => one.client_id !== client_id)?.client_refs;
    expect(await held()).toBeNull();
    await grants().endGrant(free.grant_id, at);
    await issue(["C", "B"]);
    expect(await held()).toEqual(["A", "B", "C"]);

    await grants().reapGrants({ at: later(40 * 86_400), issuedBefore: later(40 * 86_400) }, 100);
    expect(await refsOf(limited.grant_id)).toEqual([]);
  });

  it("[C-14.951] the answer that came first decides on the limit", async () => {
    const application = await cases().application();
    await cases().store.applications.limitToClients(application.application_id, ["A", "B"], noon);
    const approval = await approve({ client_refs: ["A"] }, application);
    const wider = { ...approval, client_refs: null, code_hash: hash() };
    expect(await codes().answerRequest(wider)).toMatchObject({ first: false, settled: true });
    await codes().answerRequest({ ...approval, client_refs: ["B"] });
    const redemption = redemptionOf(approval);
    await codes().redeemCode(redemption);
    expect(await grants().clientRefsOf(redemption.grant.grant_id)).toEqual(["A"]);
  });

  it("[security.md] lets exactly one of ten redemptions of a code succeed; the others end its grant", async () => {
    const approval = await approve();
    const results = await atOnce(10, () => codes().redeemCode(redemptionOf(approval)));
    const [redeemed, ...more] = results.filter((result) => result.outcome === "redeemed");
    expect(more).toEqual([]);
    expect(results.filter((result) => result.outcome === "refused" && result.reason === "reused")).toHaveLength(9);
    expect((await grants().findGrant(redeemed?.grant?.grant_id as Uuid))?.ended_at).toEqual(later(60));
  });

  it("[security.md] a replay by its own client ends the grant, also after the code would have expired", async () => {
    const approval = await approve();
    const first = redemptionOf(approval);
    await codes().redeemCode(first);
    const replay = redemptionOf(approval, { at: later(700) });
    const ended = { grant_id: first.grant.grant_id, ended_at: later(700) };
    expect(await codes().redeemCode(replay)).toMatchObject({ outcome: "refused", reason: "reused", grant: ended });
    expect(await grants().findGrant(replay.grant.grant_id)).toBeNull();
  });

  const harmless: [Partial<Redemption>, string][] = [
    [{ code_hash: "1.guessed" }, "unknown"],
    [{ client_id: "another" }, "other_client"],
    [{ redirect_uri: "https://client.example/other" }, "mismatch"],
    [{ code_challenge: "another" }, "mismatch"],
    [{ at: later(600) }, "expired"],
    [{ audience: ["https://other.example"] }, "audience"],
  ];
  for (const [change, reason] of harmless)
    it(`[security.md] a redemption that is refused as ${reason} has no effect: ${Object.keys(change)}`, async () => {
      const approval = await approve();
      const refused = { outcome: "refused", reason, grant: null };
      expect(await codes().redeemCode(redemptionOf(approval, change))).toEqual(refused);
      const narrowed = redemptionOf(approval, { audience: ["https://server.example"] });
      const redeemed = { outcome: "redeemed", grant: { audience: ["https://server.example"] } };
      expect(await codes().redeemCode(narrowed)).toMatchObject(redeemed);
      if (reason === "expired" || reason === "audience") return;
      await codes().redeemCode(redemptionOf(approval, change));
      expect((await grants().findGrant(narrowed.grant.grant_id))?.ended_at).toBeNull();
    });

  it("answers unknown for a request that nobody approved", async () => {
    const absent = approvalOf(await cases().application());
    const refused = { outcome: "refused", reason: "unknown", grant: null };
    expect(await codes().redeemCode(redemptionOf(absent))).toEqual(refused);
  });

  it("makes no grant once the secret is gone or the application switched off", async () => {
    const { applications } = cases().store;
    for (const end of [
      ({ application_id }: Approval) => applications.setEnabled(application_id, false, later(1)),
      ({ tenant_id }: Approval) => applications.setTenantEnabled(tenant_id, false, later(1)),
      ({ application_id, secret_id }: Approval) =>
        applications.removeSecret(application_id, secret_id as Uuid, later(1)),
    ]) {
      const application = await cases().application();
      const approval = await approve({}, application);
      await end(approval);
      expect(await codes().redeemCode(redemptionOf(approval))).toMatchObject({ reason: "not_allowed", grant: null });
      expect(await codes().answerRequest(approvalOf(application))).toEqual({ decision: "not_allowed" });
    }
  });

  it("keeps the first answer to a request: a double click changes nothing, a No stays a No", async () => {
    const approval = await approve();
    const denial = denialOf(approval);
    const again = { ...approval, answered_at: later(5) };
    const other = { ...approval, scopes: [], code_hash: hash() };
    expect(await codes().answerRequest(again)).toEqual({ decision: "approved", first: false, settled: false });
    expect(await codes().answerRequest(denial)).toEqual({ decision: "approved", first: false, settled: false });
    expect(await codes().answerRequest(other)).toEqual({ decision: "approved", first: false, settled: true });
    expect(await codes().redeemCode(redemptionOf(approval))).toMatchObject({ grant: { scopes: approval.scopes } });
    expect(await codes().answerRequest(again)).toEqual({ decision: "approved", first: false, settled: true });

    const late = approvalOf(await cases().application());
    expect(await codes().answerRequest(denialOf(late))).toEqual({ decision: "denied", first: true });
    expect(await codes().answerRequest(late)).toEqual({ decision: "denied", first: false });
    expect(await codes().redeemCode(redemptionOf(late))).toMatchObject({ reason: "unknown" });
  });

  it("lets one of ten answers to a request be the first", async () => {
    const approval = approvalOf(await cases().application());
    const answers = await atOnce(10, (index) => codes().answerRequest(index % 2 ? approval : denialOf(approval)));
    expect(answers.filter((answer) => answer.decision !== "not_allowed" && answer.first)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.decision)).size).toBe(1);
  });

  it("reaps answers of requests that expired", async () => {
    const old = await approve({ expires_at: new Date(0) });
    const young = await approve();
    while ((await codes().reapAnswers(new Date(1), 10)) > 0);
    expect(await codes().redeemCode(redemptionOf(old))).toMatchObject({ reason: "unknown" });
    expect(await codes().redeemCode(redemptionOf(young))).toMatchObject({ outcome: "redeemed" });
  });
}

/** Cases of remembered credentials. */
export function rememberedCases(cases: () => Cases): void {
  const remembered = () => cases().store.remembered;
  const remember = async (application: Application, change: Partial<RememberedCredentials> = {}) => {
    const row = rememberedOf(application, change);
    expect(await remembered().rememberCredentials(row)).toBe(true);
    return row;
  };

  it("[S1-5.3] are found by the cookie until they expire or are forgotten", async () => {
    const application = await cases().application();
    const row = await remember(application);
    expect(await remembered().findRemembered(row.cookie_hash, later(99))).toEqual(row);
    expect(await remembered().findRemembered(row.cookie_hash, later(100))).toBeNull();
    expect(await remembered().findRemembered(hash(), noon)).toBeNull();
    const other = await remember(application);
    await remembered().forgetRemembered(row.cookie_hash);
    expect(await remembered().findRemembered(row.cookie_hash, noon)).toBeNull();
    expect(await remembered().findRemembered(other.cookie_hash, noon)).toEqual(other);
  });

  it("[security.md] go with their secret", async () => {
    const application = await cases().application();
    const row = await remember(application);
    await cases().store.applications.removeSecret(application.application_id, row.secret_id as Uuid, noon);
    expect(await remembered().findRemembered(row.cookie_hash, noon)).toBeNull();
    expect(await remembered().rememberCredentials(rememberedOf(application))).toBe(false);
  });

  it("are reaped when they have expired", async () => {
    const application = await cases().application();
    const old = await remember(application, { expires_at: new Date(0) });
    const row = await remember(application);
    let reaped = 0;
    for (let count = 1; count > 0; reaped += count) count = await remembered().reapRemembered(new Date(1), 10);
    expect(reaped).toBe(1);
    expect(await remembered().findRemembered(old.cookie_hash, new Date(-1))).toBeNull();
    expect(await remembered().findRemembered(row.cookie_hash, noon)).toEqual(row);
  });
}

function denialOf({ request_id, client_id, answered_at, expires_at }: Approval): Denial {
  return { request_id, client_id, answered_at, expires_at, decision: "denied" };
}

function rememberedOf(application: Application, change: Partial<RememberedCredentials> = {}): RememberedCredentials {
  return {
    remembered_id: orderedId(),
    cookie_hash: hash(),
    application_id: application.application_id,
    secret_id: application.secrets[0]?.secret_id ?? "",
    sealed_credentials: "sealed",
    created_at: noon,
    expires_at: later(100),
    ...change,
  };
}
