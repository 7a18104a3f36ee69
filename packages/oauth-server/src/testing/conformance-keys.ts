import { expect, it } from "vitest";
import type { NewGrant, Rotation } from "../ports/grant-store.js";
import { approvalOf, type Cases, hash, later, newGrant, redemptionOf } from "./conformance-fixture.js";

const KEY = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
const OTHER = "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s";

/** Cases of grants and codes that are bound to a client's key (RFC 9449). */
export function keyCases(cases: () => Cases): void {
  const { applications, codes, grants } = {
    applications: () => cases().store.applications,
    codes: () => cases().store.codes,
    grants: () => cases().store.grants,
  };
  const rotate = (grant: NewGrant, change: Partial<Rotation> = {}) =>
    grants().rotateRefreshToken({
      grant_id: grant.grant_id,
      token_hash: grant.refresh_token_hash,
      next_token_hash: hash(),
      is_authenticated: false,
      at: later(60),
      ...change,
    });
  const browser = { flow: "browser", client_id: "a-registered-client" } as const;

  it("[C-3.53] a code that is bound to a key is exchanged with that key alone, and a failed attempt consumes nothing", async () => {
    const approval = approvalOf(await cases().application(), { dpop_jkt: KEY });
    await codes().answerRequest(approval);
    for (const dpop_jkt of [null, OTHER])
      expect(await codes().redeemCode(redemptionOf(approval, { dpop_jkt }))).toEqual({
        outcome: "refused",
        reason: "mismatch",
        grant: null,
      });
    expect(await codes().redeemCode(redemptionOf(approval, { dpop_jkt: KEY }))).toMatchObject({
      outcome: "redeemed",
      grant: { dpop_jkt: KEY },
    });
  });

  it("a code that is bound to none is exchanged with any", async () => {
    const approval = approvalOf(await cases().application());
    await codes().answerRequest(approval);
    const redeemed = await codes().redeemCode(redemptionOf(approval, { dpop_jkt: OTHER }));
    expect(redeemed).toMatchObject({ outcome: "redeemed", grant: { dpop_jkt: OTHER } });
  });

  it("[C-3.54] the refresh token of a bound grant needs its key, and a refused attempt consumes nothing", async () => {
    const grant = await cases().grant(await cases().application(), { ...browser, dpop_jkt: KEY });
    expect(await rotate(grant)).toMatchObject({ outcome: "refused", reason: "no_proof" });
    expect(await rotate(grant, { dpop_jkt: OTHER })).toMatchObject({ outcome: "refused", reason: "other_key" });
    const next_token_hash = hash();
    expect(await rotate(grant, { dpop_jkt: KEY, next_token_hash })).toMatchObject({
      outcome: "rotated",
      grant: { dpop_jkt: KEY },
    });
    // A thief without the key cannot end the grant by showing the old token.
    expect(await rotate(grant, { dpop_jkt: OTHER })).toMatchObject({ reason: "other_key", grant: { ended_at: null } });
    expect(await rotate(grant, { dpop_jkt: KEY })).toMatchObject({ reason: "reused", grant: { ended_at: later(60) } });
  });

  it("[C-3.54] a client that authenticates may prove another key, but must prove one", async () => {
    const grant = await cases().grant(await cases().application(), { ...browser, dpop_jkt: KEY });
    const proven = { is_authenticated: true } as const;
    expect(await rotate(grant, proven)).toMatchObject({ outcome: "refused", reason: "no_proof" });
    expect(await rotate(grant, { ...proven, dpop_jkt: OTHER })).toMatchObject({
      outcome: "rotated",
      grant: { dpop_jkt: KEY },
    });
  });

  it("[C-3.54] a grant without a key gets that of its first refresh with one", async () => {
    const grant = await cases().grant(await cases().application(), browser);
    const next = hash();
    expect(await rotate(grant, { dpop_jkt: KEY, next_token_hash: next })).toMatchObject({ grant: { dpop_jkt: KEY } });
    expect(await rotate({ ...grant, refresh_token_hash: next })).toMatchObject({ reason: "no_proof" });
  });

  it("[C-3.55] an application that demands keys is issued nothing without one", async () => {
    const application = await cases().application();
    const client = await cases().application();
    for (const { application_id } of [application, client])
      expect(await applications().setDpopBound(application_id, true, later(0))).toBe(true);
    expect(await applications().findByClientId(client.client_id)).toMatchObject({ dpop_bound_access_tokens: true });
    const ofClient = { flow: "browser", client_id: client.client_id } as const;
    for (const change of [{}, ofClient]) {
      expect(await grants().issueGrant(newGrant(application, change))).toBe("not_allowed");
      expect(await grants().issueGrant(newGrant(application, { ...change, dpop_jkt: KEY }))).toBe("issued");
    }
    const approval = approvalOf(application, { client_id: client.client_id });
    await codes().answerRequest(approval);
    expect(await codes().redeemCode(redemptionOf(approval))).toMatchObject({ reason: "not_allowed" });
    const redeemed = await codes().redeemCode(redemptionOf(approval, { dpop_jkt: KEY }));
    expect(redeemed).toMatchObject({ outcome: "redeemed" });
    expect(await applications().setDpopBound(application.application_id, false, later(0))).toBe(true);
    expect(await grants().issueGrant(newGrant(application))).toBe("issued");
  });

  it("[C-3.55] when the demand begins, what the application holds ends, also for others' data; once", async () => {
    const [application, owner] = [await cases().application(), await cases().application()];
    const held = [
      await cases().grant(application),
      await cases().grant(owner, { flow: "browser", client_id: application.client_id }),
    ];
    const others = [await cases().grant(application, browser), await cases().grant(owner)];
    await applications().setDpopBound(application.application_id, true, later(10));
    const endOf = async ({ grant_id }: NewGrant) => (await grants().findGrant(grant_id))?.ended_at;
    for (const grant of held) expect(await endOf(grant)).toEqual(later(10));
    for (const grant of others) expect(await endOf(grant)).toBeNull();
    const bound = await cases().grant(application, { dpop_jkt: KEY });
    for (const isBound of [true, false]) {
      await applications().setDpopBound(application.application_id, isBound, later(20));
      expect(await endOf(bound)).toBeNull();
    }
    expect(await applications().setDpopBound(bound.grant_id, true, later(20))).toBe(false);
  });
}
