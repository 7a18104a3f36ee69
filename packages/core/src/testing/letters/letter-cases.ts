import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { LetterDocument, LetterQuery, LetterRecord } from "../../letters/letter-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { later, letter, letterQuery, move, newId, newTenant, now } from "../fixture.js";

/** Cases of `LetterStore` and `LetterFinder`. */
export function letterCases(storage: () => Storage): void {
  const find = ({ tenant_id }: { readonly tenant_id: string }, query: LetterQuery) =>
    storage().letterFinder.search(tenant_id, query);

  it("a letter is found as it was kept, with its documents and its first move", async () => {
    const tenant = await newTenant(storage());
    const record = letter({
      labels: { desk: "north", "a.b": 'ä "x"' },
      contact_info: { banker_email: "b@example.com", note: "call" },
      connection_id: newId(),
      observations: "Seen.",
      previous_status: "Connected",
      ever_connected: true,
    });
    // More than a database has to give in one piece.
    const bytes = Uint8Array.from({ length: 600_000 }, (_, i) => i % 251);
    const signed = {
      kind: "letter",
      sha256: "aa",
      size: 250,
      signature: "intact",
      sealed_key: "k1",
      ciphertext: bytes,
      object_key: null,
    } as const;
    const annexFacts = { kind: "annex", sha256: "bb", size: 0, signature: "none" } as const;
    const annex = { ...annexFacts, sealed_key: "k2", ciphertext: new Uint8Array(), object_key: null };
    const first = move(record, { note: "by API" });
    await tenant.run(({ letters }) => letters.create(record, [annex, signed], first));
    await tenant.run(async ({ letters, letterMoves, letterDocuments }) => {
      expect(await letters.find(record.letter_id)).toEqual(record);
      expect(await letterMoves.history(record.letter_id)).toEqual([first]);
      const stored = await letterDocuments.document(record.letter_id, "letter");
      expect({ ...stored, ciphertext: null }).toEqual({ ...signed, ciphertext: null });
      expect(Buffer.from(bytes).equals(stored?.ciphertext ?? new Uint8Array())).toBe(true);
      expect(await letterDocuments.document(record.letter_id, "annex")).toMatchObject({ sha256: "bb", size: 0 });
      expect(await letterDocuments.documents(record.letter_id)).toEqual([
        { kind: "letter", sha256: "aa", size: 250, signature: "intact" },
        annexFacts,
      ]);
    });
  });

  it("an id that nothing has is unknown", async () => {
    const id = newId();
    const tenant = await newTenant(storage());
    await tenant.run(async ({ letters, letterMoves, letterDocuments }) => {
      expect(await letters.find(id)).toBeNull();
      expect(await letterMoves.lock(id)).toBeNull();
      expect(await letterMoves.history(id)).toEqual([]);
      expect(await letterDocuments.document(id, "letter")).toBeNull();
      expect(await letterDocuments.documents(id)).toEqual([]);
      expect(await letters.findByConnection(id)).toBeNull();
      const record = letter({ letter_id: id });
      expect(await letterMoves.record(record, move(record, { from: "Signed" }))).toBe(false);
    });
  });

  it("whoever locks a letter sees every move before, and is alone until the end", async () => {
    const tenant = await newTenant(storage());
    const record = letter({ status: "WaitingForData" });
    await tenant.run(({ letters }) => letters.create(record, [], move(record)));
    const seen = await Promise.all(
      Array.from({ length: 5 }, () =>
        tenant.run(async ({ letterMoves }) => {
          const found = await letterMoves.lock(record.letter_id);
          if (found?.status !== "WaitingForData") return found?.status;
          const connected: LetterRecord = { ...found, status: "Connected", ever_connected: true };
          const moved = await letterMoves.record(connected, move(found, { from: "WaitingForData", to: "Connected" }));
          return moved ? "moved" : "overtaken";
        }),
      ),
    );
    expect(seen.sort()).toEqual(["Connected", "Connected", "Connected", "Connected", "moved"]);
  });

  it("a move saves the letter and is added to its history", async () => {
    const tenant = await newTenant(storage());
    const before = letter({ status: "WaitingForData", labels: { a: "b" } });
    const first = move(before);
    await tenant.run(({ letters }) => letters.create(before, [], first));
    const after: LetterRecord = {
      ...before,
      status: "Connected",
      ever_connected: true,
      connection_id: newId(),
      observations: "First file.",
      updated_at: later(60),
    };
    const { connection_id } = after;
    const moved_by = { event: "connect", from: "WaitingForData", to: "Connected" } as const;
    const second = move(before, { at: later(60), connection_id, ...moved_by });
    const moved = { ...after, version: 1 };
    await tenant.run(async ({ letters, letterMoves }) => {
      expect(await letterMoves.record(after, second)).toBe(true);
      expect(await letters.find(before.letter_id)).toEqual(moved);
      expect(await letterMoves.history(before.letter_id)).toEqual([first, second]);
      expect(await letters.findByConnection(after.connection_id as Uuid)).toEqual(moved);
    });
    const connected = letterQuery({ labels: { a: "b" }, status_in: ["Connected"] });
    expect(await find(tenant, connected)).toEqual({ items: [{ ...moved, client_name: null }], total: 1 });
  });

  it("a move of a letter that was changed since it was read changes nothing, though its status may be the same again", async () => {
    const tenant = await newTenant(storage());
    const before = letter();
    const first = move(before);
    await tenant.run(async ({ letters, letterMoves }) => {
      await letters.create(before, [], first);
      const noted = move(before, { event: "observe", from: "Signed", at: later(1) });
      expect(await letterMoves.record({ ...before, observations: "Seen." }, noted)).toBe(true);
      const stale = move(before, { from: "Signed", to: "Cancelled", at: later(2) });
      expect(await letterMoves.record({ ...before, status: "Cancelled" }, stale)).toBe(false);
      expect(await letters.find(before.letter_id)).toEqual({ ...before, observations: "Seen.", version: 1 });
      expect(await letterMoves.history(before.letter_id)).toEqual([first, noted]);
    });
  });

  it("[C-7.6] documents are added and replaced, details are kept, and an ended letter keeps neither", async () => {
    const tenant = await newTenant(storage());
    const [record, other] = [letter(), letter()];
    const document = (kind: LetterDocument["kind"], sha256: string): LetterDocument => ({
      kind,
      sha256,
      size: 1,
      signature: "none",
      sealed_key: "k",
      ciphertext: Uint8Array.of(7),
      object_key: null,
    });
    await tenant.run(async ({ letters, letterDocuments }) => {
      for (const made of [record, other]) await letters.create(made, [document("annex", "a1")], move(made));
      await letterDocuments.attach(record.letter_id, document("generated", "g1"));
      await letterDocuments.attach(record.letter_id, document("generated", "g2"));
      expect(await letterDocuments.document(record.letter_id, "generated")).toMatchObject({ sha256: "g2" });
      expect(await letterDocuments.details(record.letter_id)).toBeNull();
      for (const sealed of ["one", "two"]) await letterDocuments.storeDetails(record.letter_id, sealed);
      await letterDocuments.storeDetails(other.letter_id, "three");
      expect(await letterDocuments.details(record.letter_id)).toBe("two");
      const details = await letterDocuments.detailsOf([record.letter_id, newId(), other.letter_id]);
      expect([details.size, details.get(record.letter_id), details.get(other.letter_id)]).toEqual([2, "two", "three"]);
    });
    await tenant.run(({ letterDocuments }) => letterDocuments.erase(record.letter_id));
    await tenant.run(async ({ letterDocuments }) => {
      for (const kind of ["annex", "generated"] as const)
        expect(await letterDocuments.document(record.letter_id, kind)).toBeNull();
      expect(await letterDocuments.details(record.letter_id)).toBeNull();
      expect(await letterDocuments.details(other.letter_id)).toBe("three");
      expect(await letterDocuments.document(other.letter_id, "annex")).toMatchObject({ sha256: "a1" });
    });
    await expect(
      tenant.run(({ letterDocuments }) => letterDocuments.attach(newId(), document("annex", "x"))),
    ).rejects.toThrow();
    await expect(tenant.run(({ letterDocuments }) => letterDocuments.storeDetails(newId(), "x"))).rejects.toThrow();
  });

  it("objects of the bucket are loose until a document names them, and from when the last that did is gone", async () => {
    const tenant = await newTenant(storage());
    const { upkeep } = storage();
    const [record, other] = [letter(), letter()];
    const keys = ["1", "2", "3", "late"].map((name) => `${tenant.tenant_id}/${name}`);
    const [first, second, third, late] = keys as [string, string, string, string];
    const inBucket = (object_key: string, kind: LetterDocument["kind"] = "letter") =>
      ({ kind, sha256: "ab", size: 1, signature: "none", sealed_key: "k", ciphertext: null, object_key }) as const;
    const loose = async (at: Date) =>
      (await upkeep.orphanedObjects(at, 1_000)).flatMap((object) =>
        object.tenant_id === tenant.tenant_id ? object.object_key : [],
      );
    await tenant.run(async ({ letterDocuments }) => {
      for (const key of keys) await letterDocuments.expectObject(key, later(60));
    });
    expect(await loose(later(59))).toEqual([]);
    await tenant.run(async ({ letters, letterDocuments }) => {
      await letters.create(record, [inBucket(first)], move(record));
      await letters.create(other, [inBucket(second)], move(other));
      expect(await letterDocuments.document(record.letter_id, "letter")).toMatchObject({
        ciphertext: null,
        object_key: first,
      });
    });
    expect((await loose(later(60))).sort()).toEqual([late, third].sort());
    await tenant.run(async ({ letterDocuments }) => {
      await letterDocuments.dropExpected(late, later(1));
      await letterDocuments.dropExpected(first, now);
    });
    expect(await loose(later(1))).toEqual([late]);

    await tenant.run(({ letterDocuments }) => letterDocuments.attach(record.letter_id, inBucket(third)));
    expect((await loose(later(60))).sort()).toEqual([first, late].sort());
    await upkeep.forgetObjects([first, late].map((object_key) => ({ tenant_id: tenant.tenant_id, object_key })));
    expect(await loose(later(60))).toEqual([]);
    const unexpected = tenant.run(({ letterDocuments }) => letterDocuments.attach(other.letter_id, inBucket(late)));
    await expect(unexpected).rejects.toThrow();

    await tenant.run(({ letterDocuments }) => letterDocuments.erase(record.letter_id));
    expect(await loose(now)).toEqual([third]);
  });

  it("a document's bytes go to the bucket once, and stay where they are others than were read", async () => {
    const tenant = await newTenant(storage());
    const records = [letter(), letter()].sort((a, b) => (a.letter_id < b.letter_id ? -1 : 1));
    const [one, two] = records.map(({ letter_id }) => letter_id) as [Uuid, Uuid];
    const here = (kind: LetterDocument["kind"], bytes: string): LetterDocument => ({
      kind,
      sha256: "ab",
      size: bytes.length,
      signature: "present",
      sealed_key: `key of ${bytes}`,
      ciphertext: Buffer.from(bytes),
      object_key: null,
    });
    const digest = (bytes: string) => createHash("sha256").update(bytes).digest("hex");
    const keys = ["1", "2", "3"].map((name) => `${tenant.tenant_id}/${name}`);
    const [first, second, third] = keys as [string, string, string];
    await tenant.run(async ({ letters, letterDocuments }) => {
      await letters.create(
        records[0] as LetterRecord,
        [here("letter", "four"), here("annex", "seven")],
        move(records[0] as LetterRecord),
      );
      await letters.create(records[1] as LetterRecord, [here("letter", "x")], move(records[1] as LetterRecord));
      for (const key of keys) await letterDocuments.expectObject(key, later(60));
    });
    const places = [
      { letter_id: one, kind: "annex" },
      { letter_id: one, kind: "letter" },
      { letter_id: two, kind: "letter" },
    ] as const;
    await tenant.run(async ({ letterDocuments }) => {
      expect(await letterDocuments.countHere()).toEqual({ documents: 3, bytes: 10 });
      expect(await letterDocuments.listHere(null, 2)).toEqual(places.slice(0, 2));
      expect(await letterDocuments.listHere(places[1], 2)).toEqual(places.slice(2));
    });
    const moved = await Promise.all(
      [first, second].map((key) =>
        tenant.run(({ letterDocuments }) => letterDocuments.moveToBucket(places[1], digest("four"), key)),
      ),
    );
    expect(moved.sort()).toEqual([false, true]);
    await tenant.run(async ({ letters, letterDocuments }) => {
      expect(await letterDocuments.moveToBucket(places[0], digest("another"), third)).toBe(false);
      expect(await letterDocuments.document(one, "letter")).toEqual({
        ...here("letter", "four"),
        ciphertext: null,
        object_key: expect.stringMatching(/\/[12]$/),
      });
      expect(await letterDocuments.countHere()).toEqual({ documents: 2, bytes: 6 });
      expect((await letters.used()).document_bytes).toBe(10);
    });
    const unexpected = tenant.run(({ letterDocuments }) =>
      letterDocuments.moveToBucket(places[2], digest("x"), "nobody's"),
    );
    await expect(unexpected).rejects.toThrow();
    await tenant.run(async ({ letterDocuments }) => {
      expect(await letterDocuments.document(two, "letter")).toMatchObject({ object_key: null });
      expect(await letterDocuments.listHere(null, 9)).toEqual([places[0], places[2]]);
    });
  });

  it("of ten moves at once from one status one succeeds", async () => {
    const tenant = await newTenant(storage());
    const before = letter();
    await tenant.run(({ letters }) => letters.create(before, [], move(before)));
    const after: LetterRecord = { ...before, status: "Cancelled" };
    const moved = await Promise.all(
      Array.from({ length: 10 }, () =>
        tenant.run(({ letterMoves }) => letterMoves.record(after, move(before, { from: "Signed", to: "Cancelled" }))),
      ),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await tenant.run(({ letterMoves }) => letterMoves.history(before.letter_id))).toHaveLength(2);
  });

  it("[C-7.8] [C-7.63] search is newest first by created_at, then by id, whatever the order of writing and later changes", async () => {
    const tenant = await newTenant(storage());
    const ids = Array.from({ length: 6 }, newId);
    const [a, b, c, d, e, f] = ids as [Uuid, Uuid, Uuid, Uuid, Uuid, Uuid];
    const created = new Map([
      [d, 0],
      [a, 0],
      [f, 0],
      [b, 10],
      [e, -10],
      [c, 0],
    ]);
    for (const [letter_id, seconds] of created) {
      const record = letter({ letter_id, created_at: later(seconds), updated_at: later(100 - seconds) });
      await tenant.run(({ letters }) => letters.create(record, [], move(record)));
    }
    const expected = [b, f, d, c, a, e];
    const search = async (page: number, page_size: number) =>
      (await find(tenant, letterQuery({ page, page_size }))).items.map((item) => item.letter_id);
    expect(await search(1, 10)).toEqual(expected);
    expect((await Promise.all([1, 2, 3].map((page) => search(page, 2)))).flat()).toEqual(expected);
  });

  it("[C-7.8] search is newest first, ids break ties; every criterion is ANDed, values are ORed", async () => {
    const tenant = await newTenant(storage());
    const odd = { "it's": "o'\\ne", "%I": "$1 %L 'hit.' letter.", none: "NULL", list: '{"a",b}', empty: "" };
    const records = [
      letter({ labels: { desk: "north", team: "a" } }),
      letter({ labels: { desk: "north", ...odd }, status: "Cancelled" }),
      letter({ labels: { desk: "south", team: "a" }, created_at: later(10), updated_at: later(20) }),
      letter({ connector_id: "fra:bank", created_at: later(-10), updated_at: later(5) }),
    ];
    const [a, b, c, d] = records.map((record) => record.letter_id) as [Uuid, Uuid, Uuid, Uuid];
    await tenant.run(async ({ letters }) => {
      for (const record of records) await letters.create(record, [], move(record));
    });
    const cases: [Partial<LetterQuery>, string[]][] = [
      [{}, [c, b, a, d]],
      [{ connector_id_in: ["fra:bank", "ita:bank"] }, [d]],
      [{ connector_id_in: [] }, []],
      [{ status_in: ["Cancelled"] }, [b]],
      [{ status_in: [] }, []],
      [{ id_in: [a, d, newId()] }, [a, d]],
      [{ id_in: [] }, []],
      [{ labels: { desk: "north" } }, [b, a]],
      [{ labels: { desk: "north", team: "a" } }, [a]],
      [{ labels: { desk: "north", team: "b" } }, []],
      [{ labels: { desk: "nor" } }, []],
      [{ labels: { desk: "North" } }, []],
      [{ labels: { Desk: "north" } }, []],
      [{ labels: odd }, [b]],
      [{ labels: odd, updated_from: now, connector_id_in: ["esp:bank"] }, [b]],
      [{ labels: { "it's": "o'\\ne" } }, [b]],
      [{ labels: { "it's": "o" } }, []],
      [{ labels: { none: "NULL" } }, [b]],
      [{ labels: { empty: "" } }, [b]],
      [{ labels: { team: "a" }, created_from: later(1) }, [c]],
      [{ created_from: now }, [c, b, a]],
      [{ created_before: now }, [d]],
      [{ created_from: now, created_before: later(10) }, [b, a]],
      [{ updated_from: later(5) }, [c, d]],
      [{ updated_from: later(5), updated_before: later(20) }, [d]],
      [{ labels: { desk: "north" }, status_in: ["Signed"], id_in: [a, b] }, [a]],
      [{ labels: { desk: "south" }, connector_id_in: ["esp:bank"], updated_from: later(20) }, [c]],
    ];
    for (const [query, expected] of cases) {
      const found = await find(tenant, letterQuery(query));
      expect(
        found.items.map((item) => item.letter_id),
        JSON.stringify(query),
      ).toEqual(expected);
      expect(found.total).toBe(expected.length);
    }
  });

  it("[C-7.11] pages cover the letters once; beyond the last one there are no items and the true total", async () => {
    const tenant = await newTenant(storage());
    const records = Array.from({ length: 5 }, () => letter({ labels: { a: "b" } }));
    await tenant.run(async ({ letters }) => {
      for (const record of records) await letters.create(record, [], move(record));
    });
    for (const labels of [{}, { a: "b" }]) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) => find(tenant, letterQuery({ labels, page, page_size: 2 }))),
      );
      expect(pages.map((page) => page.total)).toEqual([5, 5, 5, 5]);
      expect(pages[3]?.items).toEqual([]);
      expect(pages.flatMap((page) => page.items)).toEqual(
        records.toReversed().map((record) => ({ ...record, client_name: null })),
      );
    }
  });

  it("[C-7.7] an idempotency key is claimed once until it expires, for each application", async () => {
    const tenant = await newTenant(storage());
    const first = { application_id: "a", key: "k", request_hash: "h", letter_id: newId(), expires_at: later(60) };
    const second = { ...first, letter_id: newId(), request_hash: "i", expires_at: later(120) };
    const claim = (record: typeof first, at: Date) => tenant.run(({ letters }) => letters.claimKey(record, at));
    expect(await claim(first, now)).toEqual({ claimed: true });
    expect(await claim(second, now)).toEqual({ claimed: false, holder: first });
    expect(await claim({ ...second, application_id: "b" }, now)).toEqual({ claimed: true });
    expect(await claim({ ...second, key: "other" }, now)).toEqual({ claimed: true });
    expect(await claim(second, later(60))).toEqual({ claimed: true });
    expect(await claim(first, later(60))).toEqual({ claimed: false, holder: second });
  });

  it("[C-7.7] of ten claims at once one succeeds and the others answer its record", async () => {
    const tenant = await newTenant(storage());
    const record = { application_id: "a", key: "k", request_hash: "h", expires_at: later(60) };
    const records = Array.from({ length: 10 }, () => ({ ...record, letter_id: newId() }));
    const claims = await Promise.all(records.map((each) => tenant.run(({ letters }) => letters.claimKey(each, now))));
    const winner = claims.findIndex((claim) => claim.claimed);
    expect(claims.filter((claim) => claim.claimed)).toHaveLength(1);
    for (const claim of claims) if (!claim.claimed) expect(claim.holder).toEqual(records[winner]);
  });
}
