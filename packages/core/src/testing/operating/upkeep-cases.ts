import { expect, it } from "vitest";
import type { LetterRecord } from "../../letters/letter-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { holding, holdingQuery, letter, mail, move, newId, newTenant, portfolio, session } from "../fixture.js";

/** Cases of `Upkeep`. Their dates are long before all others, so that they do not reach the rows of other cases. */
export function upkeepCases(storage: () => Storage): void {
  const day = (n: number) => new Date(Date.UTC(2002, 0, n));
  const never = {
    now: day(0),
    finished_sessions_before: day(0),
    replaced_snapshots_before: day(0),
    valuations_before: "2000-01-01",
    former_versions_before: day(0),
    settled_mails_before: day(0),
  };
  const reaped = { idempotency_keys: 0, sessions: 0, snapshots: 0, mails: 0 };

  it("finished sessions and expired idempotency keys go in batches; others stay", async () => {
    const tenant = await newTenant(storage());
    const finished = [1, 1, 1, 5].map((n) =>
      session({ status: "Finished:OK", updated_at: day(n), expires_at: day(1) }),
    );
    const open = session({ updated_at: day(1), expires_at: day(9) });
    const key = (n: number) => ({
      application_id: "a",
      key: `k${n}`,
      request_hash: "h",
      letter_id: newId(),
      expires_at: day(n),
    });
    await tenant.run(async ({ sessions, letters }) => {
      for (const record of [...finished, open]) await sessions.create(record);
      for (const n of [1, 2, 5]) await letters.claimKey(key(n), day(0));
    });
    const cutoffs = { ...never, now: day(4), finished_sessions_before: day(4) };
    const { upkeep, directory } = storage();
    expect(await upkeep.reap(never, 10)).toMatchObject(reaped);
    expect(await upkeep.reap(cutoffs, 2)).toMatchObject({ sessions: 2, idempotency_keys: 2 });
    expect(await upkeep.reap(cutoffs, 2)).toMatchObject({ sessions: 1, idempotency_keys: 0 });
    expect(await upkeep.reap(cutoffs, 2)).toMatchObject(reaped);
    const kept = [finished[3]?.session_id, open.session_id];
    const found = await tenant.run(async ({ sessions }) =>
      Promise.all([...finished, open].map(({ session_id }) => sessions.find(session_id))),
    );
    expect(found.flatMap((record) => record?.session_id ?? [])).toEqual(kept);
    expect(await directory.sessionByLink(finished[0]?.link_hash ?? "")).toBeNull();
    expect(await directory.sessionByLink(open.link_hash)).toMatchObject({ session_id: open.session_id });
    await tenant.run(async ({ letters }) => {
      expect(await letters.claimKey(key(5), day(0))).toMatchObject({ claimed: false });
    });
  });

  it("challenges that no page polls are found, longest waiting first", async () => {
    const [first, second] = [await newTenant(storage()), await newTenant(storage())];
    const waiting = (poll_after: Date | null, over: object = {}) =>
      session({
        status: "Waiting:Challenge",
        challenge: { kind: "app", message: "Approve" },
        poll_after,
        expires_at: day(9),
        ...over,
      });
    const [late, later, soon] = [waiting(day(1)), waiting(day(2)), waiting(day(4))];
    await first.run(async ({ sessions }) => {
      for (const record of [later, soon, waiting(null), waiting(day(1), { status: "Processing:Challenge" })])
        await sessions.create(record);
    });
    await second.run(async ({ sessions }) => {
      for (const record of [late, waiting(day(1), { expires_at: day(3) })]) await sessions.create(record);
    });
    const found = async (limit: number) =>
      (await storage().upkeep.unpolledChallenges(day(3), day(3), limit)).map(({ session_id }) => session_id);
    expect(await found(10)).toEqual([late.session_id, later.session_id]);
    expect(await found(1)).toEqual([late.session_id]);
  });

  it("mails that were sent or withdrawn go in batches; what somebody may have to look at stays", async () => {
    const tenant = await newTenant(storage());
    const about = letter();
    const made = [
      mail(about, { state: "sent", settled_at: day(1) }),
      mail(about, { state: "withdrawn", settled_at: day(1) }),
      mail(about, { state: "failed", settled_at: day(1) }),
      mail(about, { state: "in_doubt", settled_at: day(1) }),
      mail(about, { state: "sent", settled_at: day(5) }),
    ];
    await tenant.run(async ({ letters, mails }) => {
      await letters.create(about, [], move(about));
      for (const record of made) await mails.queue(record);
    });
    const cutoffs = { ...never, settled_mails_before: day(4) };
    expect(await storage().upkeep.reap(cutoffs, 1)).toMatchObject({ mails: 1 });
    expect(await storage().upkeep.reap(cutoffs, 5)).toMatchObject({ mails: 1 });
    expect(await storage().upkeep.reap(cutoffs, 5)).toMatchObject({ mails: 0 });
    const left = await tenant.run(({ mails }) => mails.ofLetter(about.letter_id));
    expect(left.map(({ mail_id }) => mail_id)).toEqual(made.slice(2).map(({ mail_id }) => mail_id));
  });

  it("Connected letters are silent without a file, a connection or a resolution since a moment", async () => {
    const tenant = await newTenant(storage());
    const make = async (status: LetterRecord["status"], file: Date | null, ...moves: [event: string, at: Date][]) => {
      const { connection_id } = await tenant.connect();
      const record = letter({ status, connection_id });
      await tenant.run(async ({ letters, snapshots, letterMoves }) => {
        await letters.create(record, [], move(record, { at: day(1) }));
        for (const [event, at] of moves) await letterMoves.record(record, move(record, { event, at, from: status }));
        const fact = { connection_id, sha256: "a", name: "f", format: "ofx" };
        if (file) await snapshots.noteFile({ ...fact, taken_at: file });
      });
      return record.letter_id;
    };
    const silent = [
      await make("Connected", null),
      await make("Connected", day(2), ["connect", day(1)]),
      await make("Connected", null, ["resolve", day(2)], ["observe", day(9)]),
    ];
    await make("Connected", day(3), ["connect", day(1)]);
    await make("Connected", day(1), ["resolve", day(3)]);
    await make("Connected", null, ["connect", day(4)]);
    await make("Blocked", null, ["connect", day(1)]);
    await make("WaitingForData", null);
    const found = await storage().upkeep.silentLetters(day(3), 1_000);
    const own = found.filter(({ tenant_id }) => tenant_id === tenant.tenant_id);
    expect(own.map(({ letter_id }) => letter_id).sort()).toEqual(silent.sort());
    expect(await storage().upkeep.silentLetters(day(3), 2)).toHaveLength(2);
  });

  it("logins are cut off that are open, under way, and whose server's time has passed", async () => {
    const tenant = await newTenant(storage());
    const made = (over: Parameters<typeof session>[0]) =>
      session({ status: "Processing:ProvideCredentials", working_until: day(2), expires_at: day(9), ...over });
    const cutOff = [made({}), made({ status: "Processing:Challenge", working_until: day(3) })];
    const others = [
      made({ working_until: day(4) }),
      made({ working_until: null }),
      made({ status: "Waiting:Challenge" }),
      made({ status: "Finished:Aborted" }),
      made({ expires_at: day(3) }),
    ];
    await tenant.run(async ({ sessions }) => {
      for (const record of [...cutOff, ...others]) await sessions.create(record);
    });
    const found = await storage().upkeep.cutOffLogins(day(3), 1_000);
    expect(found.map(({ session_id }) => session_id).sort()).toEqual(cutOff.map(({ session_id }) => session_id));
    expect(found.every(({ tenant_id }) => tenant_id === tenant.tenant_id)).toBe(true);
    expect(await storage().upkeep.cutOffLogins(day(3), 1)).toHaveLength(1);
    await storage().upkeep.expireSessions(day(9), 10);
  });

  it("[C-5.232] what logins have made is found in sessions that have ended and on which no server works, when it is due", async () => {
    const tenant = await newTenant(storage());
    const made = (over: Parameters<typeof session>[0]) =>
      session({ status: "Finished:Aborted", sealed_accesses: "accesses", ...over });
    const due = [made({}), made({ status: "Finished:OK", poll_after: day(3), working_until: day(2) })];
    const others = [
      made({ sealed_accesses: null }),
      made({ status: "Waiting:Challenge" }),
      made({ poll_after: day(4) }),
      made({ working_until: day(3) }),
    ];
    await tenant.run(async ({ sessions }) => {
      for (const record of [...due, ...others]) await sessions.create(record);
    });
    const found = await storage().upkeep.savedAccesses(day(3), day(2), 1_000);
    const own = found.filter(({ tenant_id }) => tenant_id === tenant.tenant_id);
    expect(own.map(({ session_id }) => session_id).sort()).toEqual(due.map(({ session_id }) => session_id).sort());
    expect(await storage().upkeep.savedAccesses(day(3), day(2), 1)).toHaveLength(1);
  });

  it("[C-9.471] open sessions that ran out are finished, a few at a time, without their secrets", async () => {
    const tenants = [await newTenant(storage()), await newTenant(storage())];
    const made = (over: Parameters<typeof session>[0]) => ({ expires_at: day(2), updated_at: day(1), ...over });
    const late = session(
      made({
        status: "Waiting:Challenge",
        challenge: { kind: "sms", message: "" },
        sealed_challenge: "words",
        sealed_state: "state",
        sealed_accesses: "accesses",
        owner_hash: "owner",
        attempts: 1,
        privacy_notice: "We read it.",
      }),
    );
    const more = [session(made({ status: "Processing:ProvideCredentials" })), session(made({}))];
    const finished = session(made({ status: "Finished:OK", sealed_link: null }));
    const open = session(made({ expires_at: day(3) }));
    await tenants[0]?.run(async ({ sessions }) => {
      for (const record of [late, finished, open]) await sessions.create(record);
    });
    await tenants[1]?.run(async ({ sessions }) => {
      for (const record of more) await sessions.create(record);
    });

    const { upkeep } = storage();
    expect(await upkeep.expireSessions(day(1), 10)).toBe(0);
    expect(await upkeep.expireSessions(day(2), 2)).toBe(2);
    expect(await upkeep.expireSessions(day(2), 2)).toBe(1);
    expect(await upkeep.expireSessions(day(2), 2)).toBe(0);
    const find = (id: Uuid) => tenants[0]?.run(({ sessions }) => sessions.find(id));
    expect(await find(late.session_id)).toEqual({
      ...late,
      status: "Finished:Expired",
      error_code: "SessionExpired",
      challenge: null,
      sealed_challenge: null,
      sealed_link: null,
      sealed_state: null,
      labels: {},
      privacy_notice: null,
      updated_at: day(2),
      version: 2,
    });
    expect(await find(finished.session_id)).toEqual(finished);
    expect(await find(open.session_id)).toEqual(open);
    await storage().upkeep.expireSessions(day(3), 10);
  });

  it("[C-4.25] a replaced snapshot is readable until it is reaped, then its revision is gone", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const publish = (n: number) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          connection_id,
          as_of: day(n),
          published_at: day(n),
          holdings: [holding({ name: `day ${n}` }), holding()],
          portfolios: [portfolio()],
        }),
      );
    const [first, second, third] = [await publish(1), await publish(2), await publish(3)];
    const { upkeep, reader } = storage();
    const kindAt = async (revision: string) =>
      (await reader.holdings(tenant.tenant_id, holdingQuery({ revision }))).kind;
    const reapAll = async (replaced_snapshots_before: Date) => {
      const counts: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const { snapshots = 0, ...others } = await upkeep.reap({ ...never, replaced_snapshots_before }, 1);
        for (const count of [snapshots, ...Object.values(others)]) expect(count).toBeLessThanOrEqual(1);
        if (snapshots + Object.values(others).reduce((sum, count) => sum + count, 0) === 0) return counts;
        counts.push(snapshots);
      }
      throw new Error("reaping does not come to an end");
    };

    expect(await reapAll(day(2))).toEqual([]);
    expect(await kindAt(first.revision)).toBe("page");
    expect((await reapAll(new Date(day(2).getTime() + 1))).reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await kindAt(first.revision)).toBe("revision_gone");
    expect(await kindAt(second.revision)).toBe("page");
    await reapAll(day(9));
    expect(await kindAt(second.revision)).toBe("revision_gone");
    const page = await reader.holdings(tenant.tenant_id, holdingQuery({ revision: third.revision, fields: ["name"] }));
    expect(page).toMatchObject({ total: 2 });
    expect(JSON.stringify(page)).toContain("day 3");
  });
}
