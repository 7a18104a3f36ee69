import { expect, it } from "vitest";
import type { NewGrant, Rotation } from "../ports/grant-store.js";
import type { Uuid } from "../uuid.js";
import {
  approvalOf,
  atOnce,
  type Cases,
  hash,
  later,
  newGrant,
  noon,
  orderedId,
  redemptionOf,
} from "./conformance-fixture.js";

/** Cases of the grant store. */
export function grantCases(cases: () => Cases): void {
  const grants = () => cases().store.grants;
  const rotation = (grant: NewGrant, change: Partial<Rotation> = {}): Rotation => ({
    grant_id: grant.grant_id,
    token_hash: grant.refresh_token_hash,
    next_token_hash: hash(),
    is_authenticated: false,
    at: later(60),
    ...change,
  });

  it("keeps a grant and finds it", async () => {
    const { refresh_token_hash: _, ...grant } = await cases().grant(await cases().application());
    const kept = {
      ...grant,
      person_id: null,
      refresh_expires_at: later(86_400),
      last_issued_at: noon,
      ended_at: null,
      is_confidential: false,
      is_limited: false,
      dpop_jkt: null,
    };
    expect(await grants().findGrant(grant.grant_id)).toEqual(kept);
    expect(await grants().findGrant(orderedId())).toBeNull();
  });

  it("keeps a grant of the operator and one of a browser's client", async () => {
    const operator = await cases().grant(await cases().application(null));
    expect(await grants().findGrant(operator.grant_id)).toMatchObject({ tenant_id: null });
    const browser = { flow: "browser", client_id: "a-registered-client", refresh_seconds: 2_592_000 } as const;
    const grant = await cases().grant(await cases().application(), browser);
    expect(await grants().findGrant(grant.grant_id)).toMatchObject({
      ...browser,
      refresh_expires_at: later(2_592_000),
    });
  });

  it("refuses a grant of an application that is not there, or under a secret that is not its own", async () => {
    const [application, other] = [await cases().application(), await cases().application()];
    expect(await grants().issueGrant(newGrant(application, { application_id: orderedId() }))).toBe("not_allowed");
    const foreign = other.secrets[0]?.secret_id ?? "";
    expect(await grants().issueGrant(newGrant(application, { secret_id: foreign }))).toBe("not_allowed");
  });

  it("issues no more than a tenant may have, however many ask at once; those that ended or expired do not count", async () => {
    const application = await cases().application();
    const tenant_id = application.tenant_id as string;
    const ended = await cases().grant(application);
    await grants().endGrant(ended.grant_id, noon);
    await cases().grant(application, { created_at: later(-86_400) });
    const outcomes = await atOnce(10, () => grants().issueGrant(newGrant(application), 3));
    expect(outcomes.toSorted()).toEqual([...Array(7).fill("full"), ...Array(3).fill("issued")]);
    expect(await grants().countLive(tenant_id, noon)).toBe(3);
    expect(await grants().issueGrant(newGrant(await cases().application()), 3)).toBe("issued");
  });

  it("[S1-5.7] rotates: the successor is live, expiry slides", async () => {
    const grant = await cases().grant(await cases().application());
    const first = rotation(grant);
    const rotated = { refresh_expires_at: later(60 + 86_400), last_issued_at: later(60), ended_at: null };
    expect(await grants().rotateRefreshToken(first)).toMatchObject({ outcome: "rotated", grant: rotated });
    const second = rotation(grant, { token_hash: first.next_token_hash, at: later(80_000) });
    expect(await grants().rotateRefreshToken(second)).toMatchObject({ outcome: "rotated" });
    expect(await grants().findGrant(grant.grant_id)).toMatchObject({ refresh_expires_at: later(166_400) });
  });

  it("[S1-5.7] ends the grant when a consumed token comes again, however old", async () => {
    const grant = await cases().grant(await cases().application());
    const first = rotation(grant);
    const second = rotation(grant, { token_hash: first.next_token_hash });
    await grants().rotateRefreshToken(first);
    await grants().rotateRefreshToken(second);
    const refused = { outcome: "refused", reason: "reused", grant: { grant_id: grant.grant_id, ended_at: later(90) } };
    expect(await grants().rotateRefreshToken(rotation(grant, { at: later(90) }))).toMatchObject(refused);
    const live = rotation(grant, { token_hash: second.next_token_hash });
    expect(await grants().rotateRefreshToken(live)).toMatchObject({ outcome: "refused", reason: "ended" });
  });

  it("[S1-5.7] lets exactly one of ten rotations of one token succeed", async () => {
    const grant = await cases().grant(await cases().application());
    const results = await atOnce(10, () => grants().rotateRefreshToken(rotation(grant)));
    expect(results.filter((result) => result.outcome === "rotated")).toHaveLength(1);
    expect(results.filter((result) => result.outcome === "replayed")).toHaveLength(0);
    expect((await grants().findGrant(grant.grant_id))?.ended_at).toEqual(later(60));
  });

  it("replays one response to all who race within the replay window, then ends the grant", async () => {
    const grant = await cases().grant(await cases().application());
    const racing = (index: number) => rotation(grant, { replay: { response: `sealed ${index}`, until: later(90) } });
    const results = await atOnce(10, (index) => grants().rotateRefreshToken(racing(index)));
    const winner = results.findIndex((result) => result.outcome === "rotated");
    const replayed = results.flatMap((result) => (result.outcome === "replayed" ? [result.response] : []));
    expect(replayed).toEqual(Array(9).fill(`sealed ${winner}`));
    const late = rotation(grant, { at: later(90) });
    expect(await grants().rotateRefreshToken(late)).toMatchObject({ outcome: "refused", reason: "reused" });
  });

  it("replays only the token consumed last", async () => {
    const grant = await cases().grant(await cases().application());
    const replay = { response: "sealed", until: later(90) };
    const first = rotation(grant, { replay });
    await grants().rotateRefreshToken(first);
    await grants().rotateRefreshToken(rotation(grant, { token_hash: first.next_token_hash, replay }));
    expect(await grants().rotateRefreshToken(rotation(grant))).toMatchObject({ reason: "reused" });
  });

  const unmet: [Partial<Rotation>, string][] = [
    [{ client_id: "another" }, "other_client"],
    [{ scopes: ["letters:read", "operator"] }, "scope"],
    [{ audience: ["https://other.example"] }, "audience"],
    [{ at: later(86_400) }, "expired"],
    [{ at: later(86_400), scopes: ["operator"] }, "expired"],
    [{ client_id: "another", token_hash: "1.forged" }, "other_client"],
  ];
  for (const [change, reason] of unmet)
    it(`consumes nothing when refused as ${reason}: ${Object.keys(change)}`, async () => {
      const grant = await cases().grant(await cases().application());
      expect(await grants().rotateRefreshToken(rotation(grant, change))).toMatchObject({ outcome: "refused", reason });
      const met = { client_id: grant.client_id, scopes: ["letters:read"], audience: ["https://server.example"] };
      const result = await grants().rotateRefreshToken(rotation(grant, met));
      expect(result).toMatchObject({ outcome: "rotated", grant: { scopes: grant.scopes, audience: grant.audience } });
    });

  it("[C-3.20] rotates a confidential grant only for a client that authenticated, and consumes nothing otherwise", async () => {
    const approval = approvalOf(await cases().application());
    const redemption = redemptionOf(approval, { is_confidential: true });
    await cases().store.codes.answerRequest(approval);
    const redeemed = await cases().store.codes.redeemCode(redemption);
    expect(redeemed).toMatchObject({ outcome: "redeemed", grant: { is_confidential: true } });
    const { grant_id, refresh_token_hash } = redemption.grant;
    const first = { grant_id, token_hash: refresh_token_hash, next_token_hash: hash(), at: later(90) };
    const refused = { outcome: "refused", reason: "unauthenticated", grant: { ended_at: null } };
    expect(await grants().rotateRefreshToken({ ...first, is_authenticated: false })).toMatchObject(refused);
    expect(await grants().rotateRefreshToken({ ...first, is_authenticated: true })).toMatchObject({
      outcome: "rotated",
    });
    // A consumed token sent without authentication does not prove that the client's token was stolen.
    expect(await grants().rotateRefreshToken({ ...first, is_authenticated: false })).toMatchObject(refused);
    const reused = { reason: "reused", grant: { ended_at: later(90) } };
    expect(await grants().rotateRefreshToken({ ...first, is_authenticated: true })).toMatchObject(reused);
  });

  it("[C-3.20] a browser's grant becomes confidential by a refresh with authentication, the machine flow's never", async () => {
    const application = await cases().application();
    for (const flow of ["browser", "machine"] as const) {
      const grant = await cases().grant(application, { flow });
      const first = rotation(grant, { is_authenticated: true });
      const confidential = { outcome: "rotated", grant: { is_confidential: flow === "browser" } };
      expect(await grants().rotateRefreshToken(first)).toMatchObject(confidential);
      const second = await grants().rotateRefreshToken(rotation(grant, { token_hash: first.next_token_hash }));
      expect(second.outcome).toBe(flow === "browser" ? "refused" : "rotated");
    }
  });

  it("answers unknown for a grant that is not there", async () => {
    const absent = rotation(newGrant(await cases().application()));
    expect(await grants().rotateRefreshToken(absent)).toEqual({ outcome: "refused", reason: "unknown", grant: null });
  });

  it("ends a grant once, within its tenant", async () => {
    const application = await cases().application();
    const grant = await cases().grant(application);
    expect(await grants().endGrant(grant.grant_id, later(1), await cases().createTenant())).toBe(false);
    expect(await grants().endGrant(grant.grant_id, later(1), null)).toBe(false);
    expect(await grants().endGrant(grant.grant_id, later(2), application.tenant_id)).toBe(true);
    expect(await grants().endGrant(grant.grant_id, later(3))).toBe(false);
    expect((await grants().findGrant(grant.grant_id))?.ended_at).toEqual(later(2));
    expect(await grants().endGrant(orderedId(), later(3))).toBe(false);
  });

  it("ends a grant that is being rotated", async () => {
    const grant = await cases().grant(await cases().application());
    const first = rotation(grant);
    await Promise.all([grants().rotateRefreshToken(first), grants().endGrant(grant.grant_id, later(61))]);
    const after = rotation(grant, { token_hash: first.next_token_hash, at: later(62) });
    expect(await grants().rotateRefreshToken(after)).toMatchObject({ reason: "ended" });
  });

  it("lists live grants by owner and application, page by page", async () => {
    const tenantId = await cases().createTenant();
    const [a, b] = [await cases().application(tenantId), await cases().application(tenantId)];
    const live = [await cases().grant(a), await cases().grant(b), await cases().grant(a)].map((one) => one.grant_id);
    const ended = await cases().grant(a);
    await grants().endGrant(ended.grant_id, later(1));
    await cases().grant(a, { refresh_seconds: 5 });
    const ids = async (query: Partial<Parameters<ReturnType<typeof grants>["listGrants"]>[0]>) =>
      (await grants().listGrants({ tenant_id: tenantId, at: later(10), limit: 10, ...query })).map(
        (one) => one.grant_id,
      );
    expect(await ids({})).toEqual(live);
    expect(await ids({ application_id: b.application_id })).toEqual([live[1]]);
    expect(await ids({ limit: 2 })).toEqual(live.slice(0, 2));
    expect(await ids({ after: live[1] as Uuid, limit: 2 })).toEqual(live.slice(2));
    expect(await ids({ order: "newest", limit: 2 })).toEqual(live.toReversed().slice(0, 2));
    expect(await ids({ order: "newest", after: live[1] as Uuid })).toEqual(live.slice(0, 1));
  });

  it("[C-2.21] puts live grants together by who holds them, and ends all of a client", async () => {
    const tenantId = await cases().createTenant();
    const [a, b] = [await cases().application(tenantId), await cases().application(tenantId)];
    const held = { flow: "browser", client_id: "wcd_laptop", scopes: ["letters:read"] } as const;
    await cases().grant(a, { scopes: ["letters:write", "letters:read"] });
    await cases().grant(a, { created_at: later(5), scopes: ["letters:read"] });
    const [kept] = [await cases().grant(a, held), await cases().grant(b, held), await cases().grant(b, held)];
    const ended = await cases().grant(b, held);
    await grants().endGrant(ended.grant_id, later(1));
    await cases().grant(b, { ...held, refresh_seconds: 5 });
    await cases().grant(await cases().application(), held);
    const list = (query: object = {}) =>
      grants().listHolders({ tenant_id: tenantId, at: later(10), limit: 10, ...query });
    const all = await list();
    expect(all).toHaveLength(3);
    expect(all).toContainEqual({
      application_id: a.application_id,
      client_id: a.client_id,
      person_id: null,
      flow: "machine",
      grants: 2,
      scopes: ["letters:read", "letters:write"],
      created_at: noon,
      last_issued_at: later(5),
      refresh_expires_at: later(86_405),
      client_refs: null,
    });
    expect(all.find(({ application_id }) => application_id === b.application_id)).toMatchObject({ ...held, grants: 2 });
    const [first] = await list({ limit: 1 });
    expect([...(await list({ limit: 1 })), ...(await list({ after: first, limit: 5 }))]).toEqual(all);
    expect(await list({ application_id: a.application_id })).toHaveLength(2);
    const query = { tenant_id: tenantId, at: later(10), limit: 10 };
    const laptops = await grants().listGrants({
      ...query,
      client_id: held.client_id,
      application_id: a.application_id,
    });
    expect(laptops.map(({ grant_id }) => grant_id)).toEqual([kept?.grant_id]);

    const laptop = { tenant_id: tenantId, client_id: held.client_id };
    expect(await grants().endGrantsOfClient({ ...laptop, tenant_id: null }, later(10))).toBe(0);
    expect(await grants().endGrantsOfClient({ ...laptop, flow: "machine" }, later(10))).toBe(0);
    expect(await grants().endGrantsOfClient({ ...laptop, application_id: b.application_id }, later(10))).toBe(2);
    expect(await list()).toHaveLength(2);
    expect(await grants().endGrantsOfClient(laptop, later(10))).toBe(1);
    expect(await grants().endGrantsOfClient(laptop, later(10))).toBe(0);
    expect((await list()).map(({ client_id }) => client_id)).toEqual([a.client_id]);
  });
}
