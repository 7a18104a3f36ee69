import { expect, it } from "vitest";
import type { Approval, ApprovingPerson } from "../ports/authorization-store.js";
import type { Uuid } from "../uuid.js";
import {
  approvalOf,
  atOnce,
  type Cases,
  hash,
  later,
  newGrant,
  orderedId,
  redemptionOf,
  secret,
} from "./conformance-fixture.js";

/** Cases of grants that people approve. */
export function personCases(cases: () => Cases): void {
  const codes = () => cases().store.codes;
  const grants = () => cases().store.grants;
  const approvalBy = async (role = "member") => {
    const application = await cases().peopleApplication();
    const person = await cases().people.add(application.tenant_id, role);
    return { application, person, approval: approvalOf(application, { secret_id: person.person_id, person }) };
  };
  const kept = { decision: "approved", first: true, settled: false };
  const granted = async (role = "member") => {
    const made = await approvalBy(role);
    expect(await codes().answerRequest(made.approval)).toEqual(kept);
    const redemption = redemptionOf(made.approval);
    expect(await codes().redeemCode(redemption)).toMatchObject({
      outcome: "redeemed",
      grant: { person_id: made.person.person_id, flow: "browser" },
    });
    const { grant_id, refresh_token_hash } = redemption.grant;
    return { ...made, grant_id, token_hash: refresh_token_hash };
  };
  const rotated = ({ grant_id, token_hash }: { grant_id: Uuid; token_hash: string }) =>
    grants().rotateRefreshToken({
      grant_id,
      token_hash,
      next_token_hash: hash(),
      is_authenticated: false,
      at: later(90),
    });

  it("carries them through one application of the tenant, which has no secret, however many ask at once", async () => {
    const tenant_id = await cases().createTenant();
    const found = await atOnce(5, () => cases().peopleApplication(tenant_id));
    const [{ application_id = "" } = {}] = found;
    expect(new Set(found.map((each) => each.application_id))).toEqual(new Set([application_id]));
    expect(found[0]).toMatchObject({ name: "People", secrets: [], enabled: true, tenant_enabled: true });
    expect(await cases().store.applications.addSecret(application_id, secret())).toBe("of_people");
    expect(await cases().store.applications.list({ tenant_id, limit: 10 })).toHaveLength(1);
    expect((await cases().peopleApplication()).application_id).not.toBe(application_id);
  });

  it("makes a grant that names the person, and that is listed by them", async () => {
    const { application, person, approval, grant_id } = await granted();
    const { tenant_id } = application;
    expect(await grants().findGrant(grant_id)).toMatchObject({ person_id: person.person_id, scopes: approval.scopes });
    const other = await cases().people.add(tenant_id, "read");
    const theirs = approvalOf(application, { secret_id: other.person_id, person: other });
    await codes().answerRequest(theirs);
    const second = redemptionOf(theirs);
    await codes().redeemCode(second);
    const of = async (person_id?: string) => {
      const query = { tenant_id, at: later(60), limit: 10, ...(person_id && { person_id }) };
      const holders = await grants().listHolders(query);
      return [(await grants().listGrants(query)).map((each) => each.grant_id), holders.map((each) => each.person_id)];
    };
    expect(await of(person.person_id)).toEqual([[grant_id], [person.person_id]]);
    const all = [person.person_id, other.person_id].sort();
    expect(await of()).toEqual([[grant_id, second.grant.grant_id], all]);
    const [first] = await grants().listHolders({ tenant_id, at: later(60), limit: 1 });
    const [next, ...more] = await grants().listHolders({
      tenant_id,
      at: later(60),
      limit: 9,
      ...(first && { after: first }),
    });
    expect([first?.person_id, next?.person_id, more]).toEqual([...all, []]);
    const holder = { tenant_id, client_id: approval.client_id };
    expect(await grants().endGrantsOfClient({ ...holder, person_id: null }, later(61))).toBe(0);
    expect(await grants().endGrantsOfClient({ ...holder, person_id: other.person_id }, later(61))).toBe(1);
    expect((await grants().findGrant(grant_id))?.ended_at).toBeNull();
  });

  const ends: [string, (tenantId: string, person: ApprovingPerson) => Promise<void>][] = [
    ["is removed", (tenantId, { person_id }) => cases().people.remove(tenantId, person_id, "removed")],
    ["is let go by their provider", (tenantId, { person_id }) => cases().people.remove(tenantId, person_id, "let go")],
    ["gets a lesser role", (tenantId, { person_id }) => cases().people.setRole(tenantId, person_id, "read")],
  ];
  for (const [what, end] of ends) {
    it(`ends the grants of somebody who ${what}, and nobody else's`, async () => {
      const mine = await granted();
      const { tenant_id } = mine.application;
      const other = await cases().people.add(tenant_id, "member");
      const theirs = approvalOf(mine.application, { secret_id: other.person_id, person: other });
      await codes().answerRequest(theirs);
      const second = redemptionOf(theirs);
      await codes().redeemCode(second);
      const { cursor } = await grants().endedGrants(null, new Date(0));
      await end(tenant_id, mine.person);
      expect(await rotated(mine)).toMatchObject({ outcome: "refused", reason: "ended" });
      expect((await grants().findGrant(second.grant.grant_id))?.ended_at).toBeNull();
      const { ended } = await grants().endedGrants(cursor, new Date(0));
      expect(ended.map(({ grant_id }) => grant_id)).toContain(mine.grant_id);
      expect(ended.map(({ grant_id }) => grant_id)).not.toContain(second.grant.grant_id);
    });

    it(`has a code be worth nothing once whoever approved it ${what}`, async () => {
      const { application, person, approval } = await approvalBy();
      expect(await codes().answerRequest(approval)).toEqual(kept);
      await end(application.tenant_id, person);
      expect(await codes().redeemCode(redemptionOf(approval))).toMatchObject({ outcome: "refused", grant: null });
      const again = { ...approval, request_id: orderedId(), code_hash: hash() };
      expect(await codes().answerRequest(again)).toEqual({ decision: "not_allowed" });
    });

    it(`leaves nothing alive of whoever ${what} while ten codes are exchanged`, async () => {
      const { application, person, approval } = await approvalBy();
      const approvals = Array.from({ length: 10 }, () => ({ ...approval, request_id: orderedId(), code_hash: hash() }));
      for (const each of approvals) await codes().answerRequest(each);
      const [, ...results] = await Promise.all([
        end(application.tenant_id, person),
        ...approvals.map((each) => codes().redeemCode(redemptionOf(each))),
      ]);
      for (const result of results)
        if (result.outcome === "redeemed")
          expect((await grants().findGrant(result.grant.grant_id))?.ended_at).not.toBeNull();
    });
  }

  it("keeps no approval of a role that is another by now, of a session that has ended, or of somebody of another tenant", async () => {
    const { application, person, approval } = await approvalBy("admin");
    const refused = async (change: Partial<Approval>) =>
      expect(await codes().answerRequest({ ...approval, ...change })).toEqual({ decision: "not_allowed" });
    await refused({ person: { ...person, role: "member" } });
    await refused({ person: { ...person, session_id: orderedId() } });
    const stranger = await cases().people.add(await cases().createTenant(), "admin");
    await refused({ person: stranger, secret_id: stranger.person_id });
    const ordinary = await cases().application(application.tenant_id);
    await refused({ application_id: ordinary.application_id });
    await cases().people.endSession(application.tenant_id, person);
    await refused({});
  });

  it("keeps what was approved when the session ends or the role becomes a greater one", async () => {
    const made = await granted();
    await cases().people.endSession(made.application.tenant_id, made.person);
    await cases().people.setRole(made.application.tenant_id, made.person.person_id, "admin");
    expect(await rotated(made)).toMatchObject({ outcome: "rotated" });
  });

  it("ends them with their application, and with their tenant", async () => {
    const { applications } = cases().store;
    const one = await granted();
    await applications.setEnabled(one.application.application_id, false, later(80));
    expect(await rotated(one)).toMatchObject({ reason: "ended" });
    expect(await codes().answerRequest({ ...one.approval, request_id: orderedId() })).toEqual({
      decision: "not_allowed",
    });
    const other = await granted();
    await applications.setTenantEnabled(other.application.tenant_id, false, later(80));
    expect(await rotated(other)).toMatchObject({ reason: "ended" });
  });

  it("is of no use to a secret: a grant under the person's id is not issued", async () => {
    const { application, person } = await approvalBy();
    const grant = newGrant(application, { secret_id: person.person_id });
    expect(await grants().issueGrant(grant)).toBe("not_allowed");
  });
}
