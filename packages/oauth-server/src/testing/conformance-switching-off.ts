import { expect, it } from "vitest";
import type { Application } from "../ports/application-store.js";
import type { NewGrant } from "../ports/grant-store.js";
import type { Uuid } from "../uuid.js";
import { approvalOf, type Cases, hash, later, newGrant, redemptionOf } from "./conformance-fixture.js";

/** The application whose data a grant is for, and the application that is its OAuth client. */
interface Pair {
  readonly owner: Application;
  readonly client: Application;
}

/** A named action that ends grants. Null = the backend under test does not support it. */
type Stop = (cases: Cases, pair: Pair) => Promise<unknown> | null;

const at = later(100);
const tenantOf = ({ tenant_id }: Application) => tenant_id ?? "";

const stopsOfTheOwner: Readonly<Record<string, Stop>> = {
  "its application is switched off": ({ store }, { owner }) =>
    store.applications.setEnabled(owner.application_id, false, at),
  "its secret is removed": ({ store }, { owner }) =>
    store.applications.removeSecret(owner.application_id, owner.secrets[0]?.secret_id as Uuid, at),
  "its tenant is switched off": ({ store }, { owner }) =>
    store.applications.setTenantEnabled(tenantOf(owner), false, at),
  "its tenant is removed": (cases, { owner }) => removal(cases, owner),
};
const stopsOfTheClient: Readonly<Record<string, Stop>> = {
  "the application that is its client is switched off": ({ store }, { client }) =>
    store.applications.setEnabled(client.application_id, false, at),
  "the tenant of its client is switched off": ({ store }, { client }) =>
    store.applications.setTenantEnabled(tenantOf(client), false, at),
  "the tenant of its client is removed": (cases, { client }) => removal(cases, client),
};

/** Ends what the client holds too, but an approval may still be stored: the key is proved when its code is exchanged. */
const demandOfKeys: Readonly<Record<string, Stop>> = {
  "the application that is its client begins to demand keys": ({ store }, { client }) =>
    store.applications.setDpopBound(client.application_id, true, at),
};

/** Cases of actions that end grants immediately, including grants that are just being issued. */
export function switchingOffCases(cases: () => Cases): void {
  const grants = () => cases().store.grants;
  const codes = () => cases().store.codes;
  const newPair = async (): Promise<Pair> => ({
    owner: await cases().application(),
    client: await cases().application(),
  });
  const ofClient = ({ client }: Pair) => ({ flow: "browser", client_id: client.client_id }) as const;

  for (const [event, stop] of Object.entries({ ...stopsOfTheOwner, ...stopsOfTheClient }))
    it(`[security.md] a grant ends, and none is made, when ${event}`, async ({ skip }) => {
      const pair = await newPair();
      const { owner, client } = pair;
      const [grant, ofOther] = [await cases().grant(owner, ofClient(pair)), await cases().grant(owner)];
      const approval = approvalOf(owner, { client_id: client.client_id });
      expect(await codes().answerRequest(approval)).toMatchObject({ decision: "approved" });
      const stopped = stop(cases(), pair);
      if (stopped === null) return skip("this backend removes no tenants");
      await stopped;
      expect((await grants().findGrant(grant.grant_id))?.ended_at).toEqual(at);
      expect(await grants().issueGrant(newGrant(owner, ofClient(pair)))).toBe("not_allowed");
      expect(await codes().answerRequest(approvalOf(owner, { client_id: client.client_id }))).toEqual({
        decision: "not_allowed",
      });
      expect((await codes().redeemCode(redemptionOf(approval))).outcome).toBe("refused");
      const isOfTheClient = event in stopsOfTheClient;
      expect((await grants().findGrant(ofOther.grant_id))?.ended_at).toEqual(isOfTheClient ? null : at);
      if (isOfTheClient) expect(await grants().issueGrant(newGrant(owner))).toBe("issued");
    });

  it("a removed secret of its client does not end it: nobody knows which one was shown", async () => {
    const pair = await newPair();
    const grant = await cases().grant(pair.owner, ofClient(pair));
    const secretId = pair.client.secrets[0]?.secret_id as Uuid;
    expect(await cases().store.applications.removeSecret(pair.client.application_id, secretId, at)).toBe(true);
    expect((await grants().findGrant(grant.grant_id))?.ended_at).toBeNull();
  });

  for (const [event, stop] of Object.entries({ ...stopsOfTheOwner, ...stopsOfTheClient, ...demandOfKeys }))
    it(`[security.md] of twenty grants at once that are made, redeemed and refreshed while ${event}, none lives on`, async ({
      skip,
    }) => {
      for (let round = 0; round < ROUNDS; round++) {
        const pair = await newPair();
        const tried: Uuid[] = [];
        const work = [issue, redeem, refresh];
        const ready = await Promise.all(Array.from({ length: 21 }, (_, index) => work[index % 3]?.(pair, tried)));
        const started = ready.slice(0, FIRST + round).map((attempt) => attempt?.());
        const stopped = stop(cases(), pair);
        await Promise.all([...started, stopped, ...ready.slice(FIRST + round).map((attempt) => attempt?.())]);
        if (stopped === null) return skip("this backend removes no tenants");
        const found = await Promise.all(tried.map((id) => grants().findGrant(id)));
        expect(found.filter((grant) => grant !== null && grant.ended_at === null)).toEqual([]);
      }
    });

  async function issue(pair: Pair, tried: Uuid[]) {
    const grant = newGrant(pair.owner, ofClient(pair));
    tried.push(grant.grant_id);
    return () => grants().issueGrant(grant);
  }

  async function redeem({ owner, client }: Pair, tried: Uuid[]) {
    const approval = approvalOf(owner, { client_id: client.client_id });
    await codes().answerRequest(approval);
    const redemption = redemptionOf(approval);
    tried.push(redemption.grant.grant_id);
    return () => codes().redeemCode(redemption);
  }

  async function refresh(pair: Pair, tried: Uuid[]) {
    const { grant_id, refresh_token_hash }: NewGrant = await cases().grant(pair.owner, ofClient(pair));
    tried.push(grant_id);
    const rotation = {
      grant_id,
      token_hash: refresh_token_hash,
      next_token_hash: hash(),
      is_authenticated: false,
      at: later(60),
    };
    return () => grants().rotateRefreshToken(rotation);
  }
}

function removal(cases: Cases, application: Application): Promise<unknown> | null {
  const { removeTenant } = cases;
  if (!removeTenant) return null;
  const tenantId = tenantOf(application);
  return cases.store.applications.setTenantEnabled(tenantId, false, at).then(() => removeTenant(tenantId));
}

/** In each round the stop comes one place later. */
const ROUNDS = 6;
const FIRST = 4;
