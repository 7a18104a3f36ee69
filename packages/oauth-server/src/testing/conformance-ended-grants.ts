import { expect, it } from "vitest";
import type { Uuid } from "../uuid.js";
import { atOnce, type Cases, later, noon } from "./conformance-fixture.js";

/** Cases of the feed of ended grants. */
export function endedGrantCases(cases: () => Cases): void {
  const grants = () => cases().store.grants;
  const endedIds = async (cursor: string | null, issuedAfter = later(-1)) => {
    const feed = await grants().endedGrants(cursor, issuedAfter);
    return { ids: feed.ended.map((ended) => ended.grant_id), ended: feed.ended, cursor: feed.cursor };
  };

  it("tells of every way in which a grant ends, with when it was last issued", async () => {
    const [a, b, c] = [await cases().application(), await cases().application(), await cases().application()];
    const { cursor } = await endedIds(null);
    const ended = [
      await cases().grant(a),
      await cases().grant(b),
      await cases().grant(b),
      await cases().grant(c),
    ] as const;
    const alive = await cases().grant(a);
    const reused = {
      grant_id: ended[0].grant_id,
      token_hash: ended[0].refresh_token_hash,
      next_token_hash: "1.next",
      is_authenticated: false,
      at: later(30),
    };
    await grants().rotateRefreshToken(reused);
    await grants().rotateRefreshToken(reused);
    await grants().endGrant(ended[1].grant_id, later(31));
    await cases().store.applications.setEnabled(b.application_id, false, later(32));
    await cases().store.applications.removeSecret(c.application_id, ended[3].secret_id as Uuid, later(33));
    const feed = await endedIds(cursor);
    expect(feed.ids).toEqual(expect.arrayContaining(ended.map((grant) => grant.grant_id)));
    expect(feed.ids).not.toContain(alive.grant_id);
    expect(feed.ended).toContainEqual({ grant_id: ended[0].grant_id, last_issued_at: later(30) });
    expect(feed.ended).toContainEqual({ grant_id: ended[1].grant_id, last_issued_at: noon });
  });

  it("tells from the beginning those whose access tokens may live, and later only what is new", async () => {
    const application = await cases().application();
    const early = await cases().grant(application);
    await grants().endGrant(early.grant_id, later(10));
    expect((await endedIds(null, later(-1))).ids).toContain(early.grant_id);
    expect((await endedIds(null, later(1))).ids).not.toContain(early.grant_id);
    const { cursor } = await endedIds(null);
    const late = await cases().grant(application);
    await grants().endGrant(late.grant_id, later(20));
    expect((await endedIds(cursor)).ids).toContain(late.grant_id);
  });

  it("skips none while many end at once", async () => {
    const application = await cases().application();
    const all = await atOnce(30, () => cases().grant(application));
    let { cursor } = await endedIds(null);
    const seen = new Set<string>();
    let running = true;
    const poll = async () => {
      while (running) {
        const feed = await endedIds(cursor);
        cursor = feed.cursor;
        for (const id of feed.ids) seen.add(id);
        await new Promise(setImmediate);
      }
    };
    const polling = poll();
    await Promise.all(all.map((grant) => grants().endGrant(grant.grant_id, later(5))));
    running = false;
    await polling;
    for (const id of (await endedIds(cursor)).ids) seen.add(id);
    expect(all.filter((grant) => !seen.has(grant.grant_id))).toEqual([]);
  });

  it("reaps what ended or expired, in batches, and nothing that lives", async () => {
    const old = new Date("2001-01-01T00:00:00Z");
    const application = await cases().application();
    const dead = await atOnce(3, () => cases().grant(application, { created_at: old, refresh_seconds: 60 }));
    const alive = await cases().grant(application, { created_at: old, refresh_seconds: 1_000_000_000 });
    const cutoff = { at: new Date("2001-01-02T00:00:00Z"), issuedBefore: new Date("2001-01-02T00:00:00Z") };
    expect(await grants().reapGrants(cutoff, 2)).toBe(2);
    expect(await grants().reapGrants(cutoff, 2)).toBe(1);
    expect(await grants().reapGrants(cutoff, 2)).toBe(0);
    expect(await grants().findGrant(dead[0]?.grant_id as Uuid)).toBeNull();
    expect(await grants().findGrant(alive.grant_id)).not.toBeNull();
    await grants().endGrant(alive.grant_id, old);
    expect(await grants().reapGrants({ ...cutoff, issuedBefore: old }, 2)).toBe(0);
    expect(await grants().reapGrants(cutoff, 2)).toBe(1);
  });
}
