import { expect, it } from "vitest";
import type { SessionQuery, SessionRecord } from "../../connecting/session-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { later, newId, newTenant, session, sessionQuery } from "../fixture.js";

/** Cases of `SessionStore`. */
export function sessionCases(storage: () => Storage): void {
  it("a session is found as it was kept", async () => {
    const tenant = await newTenant(storage());
    const plain = session({ connector_filter: null, redirect_url: null, labels: {}, language: null });
    const full = session({
      relogin: true,
      remark: "other_login",
      language: "fr",
      connection_id: newId(),
      challenge: { kind: "qr", message: "Scan", qr: "otpauth://x" },
      sealed_challenge: "words",
      privacy_notice: 'We read "everything".',
      owner_hash: "owner",
      opened_at: later(2),
      sealed_state: "state",
      sealed_accesses: "accesses",
      callback_hash: "callback",
      restarts: 3,
      poll_after: later(3),
      working_until: later(4),
    });
    await tenant.run(async ({ sessions }) => {
      await sessions.create(plain);
      await sessions.create(full);
      expect(await sessions.find(plain.session_id)).toEqual(plain);
      expect(await sessions.find(full.session_id)).toEqual(full);
      expect(await sessions.find(newId())).toBeNull();
      expect(await sessions.find(newId())).toBeNull();
    });
  });

  it("a move changes what it names, sets nulls, and raises the version", async () => {
    const tenant = await newTenant(storage());
    const before = session({ sealed_state: "state" });
    await tenant.run(({ sessions }) => sessions.create(before));
    const change = {
      status: "Waiting:Challenge",
      error_code: "InvalidChallengeResponse",
      remark: "no_accounts",
      connector_id: "esp:bank",
      challenge: { kind: "sms", message: "" },
      sealed_challenge: "words",
      sealed_state: null,
      sealed_accesses: "accesses",
      callback_hash: "another callback",
      restarts: 1,
      poll_after: later(8),
      working_until: later(9),
      attempts: 2,
      updated_at: later(5),
    } as const;
    expect(await tenant.run(({ sessions }) => sessions.move(before.session_id, 1, change))).toBe(true);
    const after = { ...before, ...change, version: 2 };
    expect(await tenant.run(({ sessions }) => sessions.find(before.session_id))).toEqual(after);
  });

  it("[C-9.470] [C-9.471] a session that ends keeps nothing of free size that was sent with it, and counts no more", async () => {
    const tenant = await newTenant(storage());
    const rules = [{ action: "include", field: "type", value: ["e-banking"] } as const];
    const chosen = session({ connector_filter: { rules }, labels: { desk: "north" }, privacy_notice: "We read it." });
    const fixed = session({ ...chosen, ...session({ connector_filter: null }), privacy_notice: "We read it." });
    await tenant.run(async ({ sessions }) => {
      await sessions.create(chosen);
      await sessions.create(fixed);
      const going = { status: "Processing:ProvideCredentials", updated_at: later(1) } as const;
      expect(await sessions.move(chosen.session_id, 1, going)).toBe(true);
      expect(await sessions.find(chosen.session_id)).toEqual({ ...chosen, ...going, version: 2 });
      const end = { status: "Finished:OK", updated_at: later(2) } as const;
      expect(await sessions.move(chosen.session_id, 2, end)).toBe(true);
      expect(await sessions.move(fixed.session_id, 1, end)).toBe(true);
      const cleared = { ...end, labels: {}, privacy_notice: null };
      const none = { rules: [{ action: "exclude", field: "connector_id", value: "*" }] };
      expect(await sessions.find(chosen.session_id)).toEqual({
        ...chosen,
        ...cleared,
        connector_filter: none,
        version: 3,
      });
      expect(await sessions.find(fixed.session_id)).toEqual({ ...fixed, ...cleared, version: 2 });
      expect(await sessions.countOpen(later(3))).toEqual({ open: 0, bytes: 0, first_ends: null });
    });
  });

  it("a move from another version, or of an unknown session, changes nothing", async () => {
    const tenant = await newTenant(storage());
    const before = session({ version: 3 });
    await tenant.run(async ({ sessions }) => {
      await sessions.create(before);
      const change = { attempts: 1, updated_at: later(1) };
      expect(await sessions.move(before.session_id, 2, change)).toBe(false);
      expect(await sessions.move(newId(), 3, change)).toBe(false);
      expect(await sessions.move(newId(), 3, change)).toBe(false);
      expect(await sessions.find(before.session_id)).toEqual(before);
    });
  });

  it("of ten moves at once from one version one succeeds", async () => {
    const tenant = await newTenant(storage());
    const { session_id } = session();
    await tenant.run(({ sessions }) => sessions.create(session({ session_id })));
    const moved = await Promise.all(
      Array.from({ length: 10 }, (_, attempts) =>
        tenant.run(({ sessions }) => sessions.move(session_id, 1, { attempts: attempts + 1, updated_at: later(1) })),
      ),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    const after = await tenant.run(({ sessions }) => sessions.find(session_id));
    expect(after).toMatchObject({ version: 2, attempts: moved.indexOf(true) + 1 });
  });

  it("a poll is reserved only by whoever knows the session as it is; its version stays", async () => {
    const tenant = await newTenant(storage());
    const before = session({ version: 3 });
    const { session_id } = before;
    await tenant.run(async ({ sessions }) => {
      await sessions.create(before);
      const reserve = (version: number, poll_after: Date | null, until: Date) =>
        sessions.reservePoll({ session_id, version, poll_after }, until);
      expect(await reserve(2, null, later(9))).toBe(false);
      expect(await reserve(3, later(9), later(9))).toBe(false);
      expect(await reserve(3, null, later(5))).toBe(true);
      expect(await reserve(3, null, later(9))).toBe(false);
      expect(await reserve(3, later(5), later(7))).toBe(true);
      expect(await sessions.reservePoll({ ...before, session_id: newId() }, later(9))).toBe(false);
      expect(await sessions.find(session_id)).toEqual({ ...before, poll_after: later(7) });
    });
  });

  it("[C-5.52] of ten customers who come back at once one does, with the state, the browser and the time that belong to it", async () => {
    const tenant = await newTenant(storage());
    const callback_hash = `callback ${newId()}`;
    const away = session({
      status: "Waiting:Challenge",
      challenge: { kind: "redirect", host: "bank.example" },
      callback_hash,
      owner_hash: "owner",
      expires_at: later(9),
      version: 3,
    });
    const { session_id } = away;
    await tenant.run(({ sessions }) => sessions.create(away));
    const change = { status: "Processing:Challenge", working_until: later(6), updated_at: later(5) } as const;
    const back = (by: object = {}) =>
      tenant.run(({ sessions }) =>
        sessions.redeemCallback({ session_id, callback_hash, owner_hash: "owner", now: later(5), ...by }, change),
      );
    const wrong = [{ callback_hash: "callback" }, { owner_hash: "other" }, { now: later(9) }, { session_id: newId() }];
    for (const by of wrong) expect(await back(by)).toBe(false);
    expect(await storage().directory.sessionByCallback(callback_hash)).toMatchObject({ session_id });
    expect(await storage().directory.sessionByCallback("callback of nobody")).toBeNull();
    const taken = await Promise.all(Array.from({ length: 10 }, () => back()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await tenant.run(({ sessions }) => sessions.find(session_id))).toEqual({ ...away, ...change, version: 4 });
  });

  it("[C-5.52] nobody comes back to a session that waits for anything else", async () => {
    const tenant = await newTenant(storage());
    const redirect = { kind: "redirect", host: "bank.example" } as const;
    const by = { callback_hash: `callback ${newId()}`, owner_hash: "owner" };
    const elsewhere: Partial<SessionRecord>[] = [
      { status: "Waiting:Challenge", challenge: { kind: "sms", message: "Code?" } },
      { status: "Waiting:Challenge", challenge: { kind: "ask", fields: [{ name: "method" }], message: null } },
      { status: "Processing:Challenge", challenge: redirect },
      { status: "Waiting:ProvideCredentials" },
      { status: "Finished:OK" },
    ];
    for (const over of elsewhere) {
      const record = session({ ...by, ...over });
      const { session_id } = record;
      const change = { status: "Processing:Challenge", updated_at: later(1) } as const;
      const moved = await tenant.run(async ({ sessions }) => {
        await sessions.create(record);
        return sessions.redeemCallback({ session_id, ...by, now: later(1) }, change);
      });
      expect(moved, JSON.stringify(over)).toBe(false);
      expect(await tenant.run(({ sessions }) => sessions.find(session_id))).toEqual(record);
    }
  });

  it("a session is kept by whoever knows its version, which stays", async () => {
    const tenant = await newTenant(storage());
    const before = session({ version: 3 });
    await tenant.run(async ({ sessions }) => {
      await sessions.create(before);
      expect(await sessions.keepWorking({ ...before, version: 2 }, later(9))).toBe(false);
      expect(await sessions.keepWorking({ ...before, session_id: newId() }, later(9))).toBe(false);
      expect(await sessions.keepWorking(before, later(9))).toBe(true);
      expect(await sessions.find(before.session_id)).toEqual({ ...before, working_until: later(9) });
    });
  });

  it("[C-5.231] what its logins have made is kept by whoever knows its version, which stays, and found by id", async () => {
    const tenant = await newTenant(storage());
    const kept = [session({ version: 3 }), session({ sealed_accesses: "two" }), session({ sealed_accesses: "three" })];
    const [first, , last] = kept as [SessionRecord, SessionRecord, SessionRecord];
    await tenant.run(async ({ sessions }) => {
      for (const record of [...kept, session()]) await sessions.create(record);
      expect(await sessions.keepAccesses({ ...first, version: 2 }, "one")).toBe(false);
      expect(await sessions.keepAccesses({ ...first, session_id: newId() }, "one")).toBe(false);
      expect(await sessions.keepAccesses(first, "one")).toBe(true);
      expect(await sessions.find(first.session_id)).toEqual({ ...first, sealed_accesses: "one" });
      const ids = kept.map(({ session_id }) => session_id).sort();
      const found = await sessions.withAccesses(null, 2);
      expect(found.map(({ session_id }) => session_id)).toEqual(ids.slice(0, 2));
      const rest = await sessions.withAccesses(ids[1] ?? null, 2);
      expect(rest).toEqual([{ session_id: ids[2], sealed_accesses: expect.any(String) }]);
      expect(await sessions.keepAccesses(last, null)).toBe(true);
      expect(await sessions.withAccesses(null, 9)).toHaveLength(2);
    });
  });

  it("of ten polls reserved at once one is", async () => {
    const tenant = await newTenant(storage());
    const waiting = session();
    await tenant.run(({ sessions }) => sessions.create(waiting));
    const reserved = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tenant.run(({ sessions }) => sessions.reservePoll(waiting, later(index + 1))),
      ),
    );
    expect(reserved.filter(Boolean)).toHaveLength(1);
    const { poll_after } = (await tenant.run(({ sessions }) => sessions.find(waiting.session_id))) as SessionRecord;
    expect(poll_after).toEqual(later(reserved.indexOf(true) + 1));
  });

  it("[C-5.2] [C-5.5] lists are newest first; lists in a query are ORed inside and ANDed between", async () => {
    const tenant = await newTenant(storage());
    const connection_id = newId();
    const records: SessionRecord[] = [
      session(),
      session({ status: "Finished:OK", connection_id, opened_at: later(1) }),
      session({ status: "Finished:Error", error_code: "InternalError" }),
      session({ status: "Finished:Error", error_code: "AlreadyExists", connection_id }),
    ];
    const [open, ok, failed, exists] = records.map((record) => record.session_id) as [Uuid, Uuid, Uuid, Uuid];
    await tenant.run(async ({ sessions }) => {
      for (const record of records) await sessions.create(record);
    });
    const cases: [Partial<SessionQuery>, string[]][] = [
      [{}, [exists, failed, ok, open]],
      [{ session_id_in: [] }, []],
      [{ session_id_in: [open, exists, newId()] }, [exists, open]],
      [{ status_in: ["Finished:Error", "Finished:OK"] }, [exists, failed, ok]],
      [{ status_in: ["Finished:Error"], connection_id_in: [connection_id] }, [exists]],
      [{ connection_id_in: [connection_id] }, [exists, ok]],
      [{ connection_id_in: [newId()] }, []],
      [{ error_code_in: ["InternalError"] }, [failed]],
      [{ error_code_in: [] }, []],
      [{ is_opened: true }, [ok]],
      [{ is_opened: false, connection_id_in: [connection_id] }, [exists]],
      [{ limit: 2 }, [exists, failed]],
      [{ limit: 2, after: failed }, [ok, open]],
      [{ after: open }, []],
      [{ order: "oldest" }, [open, ok, failed, exists]],
      [{ order: "oldest", limit: 2, after: open }, [ok, failed]],
      [{ order: "oldest", after: exists }, []],
    ];
    for (const [query, expected] of cases) {
      const found = await tenant.run(({ sessions }) => sessions.list(sessionQuery(query)));
      expect(
        found.map((record) => record.session_id),
        JSON.stringify(query),
      ).toEqual(expected);
    }
    expect(await tenant.run(({ sessions }) => sessions.list(sessionQuery()))).toEqual(
      records.toReversed().map(({ connector_filter: _, ...listed }) => listed),
    );
  });
}
