import { expect, it } from "vitest";
import type { MailSettlement } from "../../letters/mail-store.js";
import type { Storage } from "../../storage.js";
import { later, letter, mail, move, newId, newTenant, now } from "../fixture.js";

/** Cases of `MailStore` and `MailQueue`. Their mails are due long before all others. */
export function mailCases(storage: () => Storage): void {
  const day = (n: number) => new Date(Date.UTC(2003, 0, n));
  const lettered = async () => {
    const tenant = await newTenant(storage());
    const about = letter();
    await tenant.run(({ letters }) => letters.create(about, [], move(about)));
    return { tenant, about };
  };
  const claim = (at: Date, lease: string, more: { limit?: number; except_tenants?: string[] } = {}) =>
    storage().mailQueue.claim({
      lease,
      now: at,
      until: new Date(at.getTime() + 600_000),
      limit: 10,
      except_tenants: [],
      ...more,
    });
  const sent: MailSettlement = { state: "sent", recipient: null, due_at: now, last_error: null, settled_at: now };

  it("keeps a mail as it was queued, for its tenant alone", async () => {
    const [one, two] = [await lettered(), await lettered()];
    const first = mail(one.about, { last_error: "421 busy", attempts: 2, settled_at: later(1) });
    const second = mail(one.about, { kind: "revocation_notice", created_at: later(1) });
    await one.tenant.run(async ({ mails }) => {
      for (const queued of [second, first]) await mails.queue(queued);
    });
    await one.tenant.run(async ({ mails }) => {
      expect(await mails.find(first.mail_id)).toEqual(first);
      expect(await mails.ofLetter(one.about.letter_id)).toEqual([first, second]);
      expect(await mails.find(newId())).toBeNull();
      expect(await mails.ofLetter(newId())).toEqual([]);
      expect(await mails.change(newId(), ["queued"], sent)).toBe(false);
    });
    expect(await two.tenant.run(({ mails }) => mails.find(first.mail_id))).toBeNull();
    expect(await storage().directory.tenantOfMail(first.mail_id)).toBe(one.tenant.tenant_id);
    expect(await storage().directory.tenantOfMail(newId())).toBeNull();
    await expect(one.tenant.run(({ mails }) => mails.queue(mail(letter())))).rejects.toThrow();
  });

  it("[C-7.35] withdrawing leaves the address of what was sent, until its letter ends", async () => {
    const { tenant, about } = await lettered();
    const gone = mail(about, { state: "sent", settled_at: now });
    const waiting = mail(about, { created_at: later(1) });
    await tenant.run(async ({ mails }) => {
      for (const queued of [gone, waiting]) await mails.queue(queued);
      await mails.withdraw(about.letter_id, later(2));
      expect(await mails.ofLetter(about.letter_id)).toMatchObject([
        gone,
        { state: "withdrawn", recipient: null, settled_at: later(2) },
      ]);
      await mails.withdraw(about.letter_id, later(3), true);
      expect(await mails.find(gone.mail_id)).toEqual({ ...gone, recipient: null });
    });
  });

  it("a mail is leased once, longest due first, and not before it is due", async () => {
    const { tenant, about } = await lettered();
    const minute = (n: number) => new Date(day(1).getTime() + n * 60_000);
    const waiting = [3, 1, 2].map((n) => mail(about, { due_at: minute(n) }));
    await tenant.run(async ({ mails }) => {
      for (const queued of waiting) await mails.queue(queued);
    });
    expect(await claim(minute(0), newId())).toEqual([]);
    expect(await claim(minute(2), newId(), { except_tenants: [tenant.tenant_id] })).toEqual([]);
    const [first] = await claim(minute(2), newId(), { limit: 1 });
    expect(first).toMatchObject({ tenant_id: tenant.tenant_id, mail_id: waiting[1]?.mail_id });
    const rounds = await Promise.all(Array.from({ length: 5 }, () => claim(minute(3), newId())));
    expect(rounds.flat().map(({ mail_id }) => mail_id)).toEqual([waiting[2]?.mail_id, waiting[0]?.mail_id]);
    // They were not settled, so they are due again when their leases end.
    expect(await claim(minute(12), newId())).toHaveLength(1);
    expect(await claim(minute(13), newId())).toHaveLength(2);
    await tenant.run(({ mails }) => mails.withdraw(about.letter_id, now));
  });

  it("only who holds the lease hands a mail over and settles it", async () => {
    const { tenant, about } = await lettered();
    const queued = mail(about, { due_at: day(5) });
    await tenant.run(({ mails }) => mails.queue(queued));
    const lease = newId();
    expect(await claim(day(5), lease)).toHaveLength(1);
    await tenant.run(async ({ mails }) => {
      expect(await mails.renew(queued.mail_id, newId(), later(900))).toBe(false);
      expect(await mails.handOver(queued.mail_id, newId())).toBe(false);
      expect(await mails.settle(queued.mail_id, newId(), sent)).toBe(false);
      expect(await mails.change(queued.mail_id, ["queued"], sent)).toBe(false);
      expect(await mails.renew(queued.mail_id, lease, day(6))).toBe(true);
      expect(await mails.handOver(queued.mail_id, lease)).toBe(true);
      expect(await mails.find(queued.mail_id)).toMatchObject({ handing_over: true, lease, due_at: day(6) });
      expect(await mails.settle(queued.mail_id, lease, sent)).toBe(true);
      expect(await mails.find(queued.mail_id)).toEqual({ ...queued, ...sent, attempts: 1 });
      expect(await mails.settle(queued.mail_id, lease, sent)).toBe(false);
    });
  });

  it("a mail whose sender was cut off while it left is in doubt, and not leased again", async () => {
    const { tenant, about } = await lettered();
    const queued = mail(about, { due_at: day(7) });
    await tenant.run(({ mails }) => mails.queue(queued));
    const lease = newId();
    await claim(day(7), lease);
    await tenant.run(({ mails }) => mails.handOver(queued.mail_id, lease));
    const { mailQueue } = storage();
    const over = new Date(day(7).getTime() + 600_000);
    expect(await mailQueue.doubt(day(7), "cut off")).toEqual([]);
    expect(await claim(over, newId())).toEqual([]);
    const doubted = {
      ...queued,
      state: "in_doubt",
      due_at: over,
      attempts: 1,
      last_error: "cut off",
      settled_at: over,
    };
    expect(await mailQueue.doubt(over, "cut off")).toEqual([{ tenant_id: tenant.tenant_id, ...doubted }]);
    expect(await tenant.run(({ mails }) => mails.find(queued.mail_id))).toEqual(doubted);
    expect(await claim(day(9), newId())).toEqual([]);
    const again = { ...sent, state: "queued", due_at: day(9), settled_at: null } as const;
    expect(await tenant.run(({ mails }) => mails.change(queued.mail_id, ["in_doubt"], again))).toBe(true);
    expect(await claim(day(9), newId())).toHaveLength(1);
    await tenant.run(({ mails }) => mails.withdraw(about.letter_id, now));
  });

  it("what was not sent is withdrawn without its address; what may be leaving only loses it", async () => {
    const { tenant, about } = await lettered();
    const other = letter();
    const [waiting, failed, leaving, gone] = [
      mail(about, { due_at: day(11) }),
      mail(about, { state: "failed", last_error: "550 no" }),
      mail(about, { due_at: day(11), handing_over: true, lease: newId() }),
      mail(about, { state: "sent", recipient: null, settled_at: now }),
    ] as const;
    const kept = mail(other);
    await tenant.run(async ({ letters, mails }) => {
      await letters.create(other, [], move(other));
      for (const queued of [waiting, failed, leaving, gone, kept]) await mails.queue(queued);
    });
    await tenant.run(({ mails }) => mails.withdraw(about.letter_id, later(9)));
    const end = { state: "withdrawn", recipient: null, last_error: null, due_at: later(9), settled_at: later(9) };
    await tenant.run(async ({ mails }) => {
      expect(await mails.find(waiting.mail_id)).toEqual({ ...waiting, ...end });
      expect(await mails.find(failed.mail_id)).toEqual({ ...failed, ...end });
      expect(await mails.find(leaving.mail_id)).toEqual({ ...leaving, recipient: null });
      for (const same of [gone, kept]) expect(await mails.find(same.mail_id)).toEqual(same);
    });
  });

  it("[C-14.822] a mail in doubt is withdrawn only when its letter ends", async () => {
    const { tenant, about } = await lettered();
    const doubted = mail(about, { state: "in_doubt", settled_at: now });
    await tenant.run(async ({ mails }) => {
      await mails.queue(doubted);
      await mails.withdraw(about.letter_id, later(1));
      expect(await mails.find(doubted.mail_id)).toEqual(doubted);
      await mails.withdraw(about.letter_id, later(2), true);
      expect(await mails.find(doubted.mail_id)).toMatchObject({ state: "withdrawn", recipient: null });
    });
  });

  it("[C-14.820] of a sender's claim and an undo at the same moment exactly one wins", async () => {
    const { tenant, about } = await lettered();
    const waiting = Array.from({ length: 8 }, () => mail(about, { due_at: day(3) }));
    await tenant.run(async ({ mails }) => {
      for (const queued of waiting) await mails.queue(queued);
    });
    const withdrawn: MailSettlement = { ...sent, state: "withdrawn" };
    const undone = Promise.all(
      waiting.map(({ mail_id }) => tenant.run(({ mails }) => mails.change(mail_id, ["queued"], withdrawn))),
    );
    const claims = Promise.all(Array.from({ length: 4 }, () => claim(day(3), newId(), { limit: 3 })));
    const claimed = new Set((await claims).flat().map(({ mail_id }) => mail_id));
    expect(await undone).toEqual(waiting.map(({ mail_id }) => !claimed.has(mail_id)));
    for (const { mail_id } of waiting) {
      const state = claimed.has(mail_id) ? "queued" : "withdrawn";
      expect(await tenant.run(({ mails }) => mails.find(mail_id))).toMatchObject({ state });
    }
    await tenant.run(({ mails }) => mails.withdraw(about.letter_id, now));
  });

  it("operators see the mails of all tenants, newest first, page by page", async () => {
    const [one, two] = [await lettered(), await lettered()];
    const made = [
      { ...one, mail: mail(one.about, { created_at: later(90_001) }) },
      { ...two, mail: mail(two.about, { created_at: later(90_002), state: "failed" }) },
      { ...one, mail: mail(one.about, { created_at: later(90_002), state: "in_doubt" }) },
    ];
    const { mailQueue } = storage();
    const before = await mailQueue.backlog();
    for (const { tenant, mail } of made) await tenant.run(({ mails }) => mails.queue(mail));
    const all = { tenant_id: null, state_in: null, after: null, limit: 3 };
    const ids = made.map(({ mail }) => mail.mail_id).toReversed();
    const listed = async (query: Parameters<typeof mailQueue.list>[0]) =>
      (await mailQueue.list(query)).map(({ mail_id }) => mail_id);
    expect(await listed(all)).toEqual(ids);
    const last = made[2]?.mail as (typeof made)[number]["mail"];
    expect(await listed({ ...all, after: last, limit: 2 })).toEqual(ids.slice(1));
    expect(await listed({ ...all, tenant_id: two.tenant.tenant_id })).toEqual([ids[1]]);
    expect(await listed({ ...all, tenant_id: one.tenant.tenant_id, state_in: ["in_doubt"] })).toEqual([ids[0]]);
    expect(await listed({ ...all, state_in: [] })).toEqual([]);
    expect(await mailQueue.backlog()).toEqual({
      queued: before.queued + 1,
      in_doubt: before.in_doubt + 1,
      failed: before.failed + 1,
    });
  });
}
