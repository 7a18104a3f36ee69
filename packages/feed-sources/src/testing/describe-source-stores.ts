import { randomUUID } from "node:crypto";
import type { AuditEntry, Uuid } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileRecord, type HeldContent, MIN_HELD_BYTES, type SourceStores } from "../ports/source-store.js";
import { feedKeyCases } from "./feed-key-cases.js";

/** All files of a source. */
const listed = (source: string) => ({ source, state: null, order: "newest", after: null, limit: 9 }) as const;

/** What a backend provides for the cases. */
export interface SourceStoresFixture {
  readonly stores: SourceStores;
  close?(): Promise<unknown>;
}

const noon = new Date("2026-11-02T12:00:00.000Z");
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
const ROOM = { bytes: 1_000_000, of_source: 1_000_000 };
const why = { cause: "mapping", is_part: true } as const;
const BIG = MIN_HELD_BYTES;
const newId = () => randomUUID() as string as Uuid;

/** Registers with vitest every case that a backend of {@link SourceStores} must pass, including races. */
export function describeSourceStores(
  name: string,
  makeStores: () => Promise<SourceStoresFixture> | SourceStoresFixture,
): void {
  describe(`source stores: ${name}`, () => {
    let fixture: SourceStoresFixture;
    beforeAll(async () => {
      fixture = await makeStores();
    });
    afterAll(() => fixture?.close?.());
    feedKeyCases(() => fixture.stores);
    const sources = () => fixture.stores.sources;
    const routes = () => fixture.stores.routes;
    const tokens = () => fixture.stores.tokens;
    const files = () => fixture.stores.files;
    const source = async (change: { is_enabled?: boolean; due_at?: Date | null } = {}) => {
      const record = {
        source: `s-${randomUUID().slice(0, 30)}`,
        kind: "sftp" as const,
        sealed_settings: "sealed",
        is_enabled: true,
        changed_at: noon,
        due_at: null,
        ...change,
      };
      await sources().keep(record, entryOf("source.set", record.source));
      return record.source;
    };
    const fileOf = (of: string, change: Partial<FileRecord> = {}): FileRecord => ({
      file_id: newId(),
      source: of,
      name: "a.xml",
      size: 3,
      sha256: "00",
      modified_at: noon,
      state: "taken",
      came_at: noon,
      settled_at: noon,
      ...change,
    });

    it("keeps a source, replaces its settings and remembers its runs", async () => {
      const name = await source();
      expect(await sources().find(name)).toEqual({
        source: name,
        kind: "sftp",
        sealed_settings: "sealed",
        is_enabled: true,
        created_at: noon,
        changed_at: noon,
        due_at: null,
        attempted_at: null,
        succeeded_at: null,
        failures: 0,
        last_error: null,
      });
      await sources().settle(name, null, { at: later(1), error: "down", next_at: null });
      await sources().settle(name, null, { at: later(2), error: "down again", next_at: null });
      expect(await sources().find(name)).toMatchObject({ failures: 2, last_error: "down again", succeeded_at: null });
      await sources().settle(name, null, { at: later(3), error: null, next_at: null });
      const record = { source: name, kind: "sftp" as const, sealed_settings: "other", is_enabled: false };
      await sources().keep({ ...record, changed_at: later(4), due_at: later(5) }, entryOf("source.set", name));
      expect(await sources().find(name)).toMatchObject({
        sealed_settings: "other",
        is_enabled: false,
        created_at: noon,
        due_at: later(5),
        succeeded_at: later(3),
        failures: 0,
        last_error: null,
      });
      expect((await sources().list()).map((each) => each.source)).toContain(name);
      expect(await sources().find("nobody")).toBeNull();
    });

    it("[C-14.126] of ten who set what they saw at once one does, and of those who saw something else nobody", async () => {
      const name = `s-${randomUUID().slice(0, 30)}`;
      const keep = (sealed_settings: string, precondition: Parameters<SourceStores["sources"]["keep"]>[2]) => {
        const record = { source: name, kind: "push" as const, sealed_settings, is_enabled: true, changed_at: noon };
        return sources().keep({ ...record, due_at: null }, entryOf("source.set", name), precondition);
      };
      const made = Array.from({ length: 10 }, (_, index) => keep(`${index}`, (there) => there === null));
      expect((await Promise.all(made)).filter(Boolean)).toHaveLength(1);
      const first = (await sources().find(name))?.sealed_settings;
      const again = Array.from({ length: 10 }, (_, index) =>
        keep(`again ${index}`, (there) => there?.sealed_settings === first),
      );
      expect((await Promise.all(again)).filter(Boolean)).toHaveLength(1);
      const second = (await sources().find(name))?.sealed_settings;
      expect(second).toMatch(/^again/);
      expect(await keep("late", (there) => there?.sealed_settings === first)).toBe(false);
      expect((await sources().find(name))?.sealed_settings).toBe(second);
    });

    it("[C-9.203] leases a source that is due to one of ten servers, and to another once the lease has ended", async () => {
      const name = await source({ due_at: new Date(0) });
      const off = await source({ due_at: new Date(0), is_enabled: false });
      const claim = (now: Date, lease = randomUUID()) =>
        sources().claim({ lease, now, until: new Date(now.getTime() + 1_000), limit: 10 });
      const won = await Promise.all(Array.from({ length: 10 }, () => claim(new Date(5))));
      const [mine, ...others] = won.flat().filter((lease) => lease.source === name);
      expect(others).toEqual([]);
      expect(won.flat().filter((lease) => lease.source === off)).toEqual([]);
      expect(await sources().renew({ source: name, lease: mine?.lease ?? "" }, new Date(1_010))).toBe(true);
      expect((await claim(new Date(1_005))).filter((lease) => lease.source === name)).toEqual([]);
      const [taken] = (await claim(new Date(1_010))).filter((lease) => lease.source === name);
      expect(await sources().renew({ source: name, lease: mine?.lease ?? "" }, later(99))).toBe(false);
      await sources().settle(name, mine?.lease ?? "", { at: new Date(6), error: "late", next_at: later(1) });
      expect(await sources().find(name)).toMatchObject({ failures: 0, due_at: new Date(0) });
      await sources().settle(name, taken?.lease ?? "", { at: new Date(7), error: null, next_at: later(9) });
      expect(await sources().find(name)).toMatchObject({ succeeded_at: new Date(7), due_at: later(9) });
      expect((await claim(later(8))).filter((lease) => lease.source === name)).toEqual([]);
    });

    it("[C-9.209] of a file that is kept several times at once one is new; one that was dropped is new again", async () => {
      const name = await source();
      const keep = (over: Partial<FileRecord> = {}) => files().keep(fileOf(name, over), null, ROOM);
      const kept = await Promise.all(Array.from({ length: 5 }, () => keep()));
      expect(kept.toSorted()).toEqual(["kept", "repeated", "repeated", "repeated", "repeated"]);
      expect(await keep({ state: "dropped" })).toBe("repeated");
      expect([await keep(), await keep()]).toEqual(["kept", "repeated"]);
    });

    it("keeps rules and tokens until they are removed, and with their source", async () => {
      const name = await source();
      const route = {
        route_id: newId(),
        source: name,
        rule: { when: {}, to: { letter_id: "x" } },
        created_at: noon,
      };
      expect(await routes().add(route, entryOf("source.route", name))).toBe(true);
      const second = { ...route, route_id: newId(), created_at: later(1) };
      await routes().add(second, entryOf("source.route", name));
      expect(await routes().list(name)).toEqual([route, second]);
      expect(await routes().remove(route.route_id, entryOf("source.unroute", name))).toBe(true);
      expect(await routes().remove(route.route_id, entryOf("source.unroute", name))).toBe(false);
      const stray = { ...route, route_id: newId(), source: "nobody" };
      expect(await routes().add(stray, entryOf("source.route", name))).toBe(false);

      const token = (change: { expires_at?: Date | null; source?: string } = {}) => ({
        token_id: newId(),
        source: name,
        name: "Custodian",
        token_hash: randomUUID(),
        created_at: noon,
        expires_at: null,
        ...change,
      });
      const [one, short] = [token(), { ...token({ expires_at: later(5) }), created_at: later(1) }];
      for (const each of [one, short]) expect(await tokens().add(each, entryOf("source.token", name))).toBe(true);
      expect(await tokens().add(token({ source: "nobody" }), entryOf("source.token", name))).toBe(false);
      expect(await tokens().find(short.token_hash, later(4), "203.0.113.0/24")).toEqual(short);
      expect(await tokens().find(short.token_hash, later(5), "203.0.113.0/24")).toBeNull();
      expect(await tokens().find("guessed", noon, "203.0.113.0/24")).toBeNull();
      expect(await tokens().list(name)).toEqual([one, short]);
      expect(await tokens().end(short.token_id, entryOf("source.token-end", name))).toBe(true);
      expect(await tokens().end(short.token_id, entryOf("source.token-end", name))).toBe(false);
      const record = { source: name, kind: "sftp" as const, sealed_settings: "sealed", is_enabled: false };
      await sources().keep({ ...record, changed_at: noon, due_at: null }, entryOf("source.set", name));
      expect(await tokens().find(one.token_hash, noon, "203.0.113.0/24")).toBeNull();

      expect(await sources().remove(name, entryOf("source.remove", name))).toBe("removed");
      expect(await sources().remove(name, entryOf("source.remove", name))).toBe("unknown");
      expect(await routes().list(name)).toEqual([]);
      expect(await tokens().list(name)).toEqual([]);
    });

    it("[C-14.1055] lists files by the time they came, newest or oldest first, page by page each once", async () => {
      const name = await source();
      const come = [1, 2, 2, 3, 4].map((at, nth) =>
        fileOf(name, {
          sha256: `0${nth}`,
          state: nth % 2 ? "dropped" : "taken",
          came_at: later(at),
          settled_at: later(at),
        }),
      );
      for (const file of come) expect(await files().keep(file, null, ROOM)).toBe("kept");
      const placeOf = ({ came_at, file_id }: FileRecord) => `${came_at.toISOString()} ${file_id}`;
      const oldest = come.map(placeOf).sort();
      for (const [order, state, expected] of [
        ["oldest", null, oldest],
        ["newest", null, oldest.toReversed()],
        ["newest", "dropped", come.flatMap((file) => (file.state === "dropped" ? [placeOf(file)] : [])).reverse()],
      ] as const) {
        const found: FileRecord[] = [];
        for (let page: readonly FileRecord[] = []; found.length === 0 || page.length > 0; found.push(...page))
          page = await files().list({ ...listed(name), order, state, after: found.at(-1) ?? null, limit: 2 });
        expect(found.map(placeOf), order).toEqual(expected);
      }
    });

    it("[C-9.201] knows a file by name, size and hash: other bytes are another file, and one row stands for the same", async () => {
      const name = await source();
      const first = fileOf(name);
      const other = fileOf(name, { sha256: "01", came_at: later(1), settled_at: later(1) });
      for (const file of [first, other]) expect(await files().keep(file, null, ROOM)).toBe("kept");
      const again = { ...fileOf(name, { came_at: later(2), settled_at: later(2) }), file_id: newId() };
      await Promise.all(Array.from({ length: 5 }, () => files().keep(again, null, ROOM)));
      expect(await files().find(name, first)).toEqual({ ...first, settled_at: later(2) });
      expect(await files().find(name, { ...first, size: 4 })).toBeNull();
      expect(await files().list({ ...listed(name), limit: 10 })).toHaveLength(2);
      expect(await files().known(name, ["a.xml", "b.xml"], later(3))).toEqual([other]);
    });

    it("[C-9.205] holds bytes until a day and no more than there is room for", async () => {
      const name = await source();
      const held = (bytes: number, until = later(100)): HeldContent => ({
        sealed_key: "key",
        ciphertext: Buffer.alloc(bytes, 7),
        sealed_findings: "found",
        ...why,
        held_until: until,
        tries: 0,
        retry_at: later(0),
      });
      const before = await files().heldTotals();
      const other = await source();
      const room = { bytes: before.files * BIG + 10 * BIG, of_source: 9 * BIG };
      const one = fileOf(name, { state: "held" });
      expect(await files().keep(one, held(6 * BIG), room)).toBe("kept");
      const big = fileOf(name, { state: "held", sha256: "02", came_at: later(1) });
      expect(await files().keep(big, held(4 * BIG), room)).toBe("over_share");
      const theirs = fileOf(other, { state: "held", sha256: "04" });
      expect(await files().keep(theirs, held(5 * BIG), room)).toBe("no_room");
      expect(await files().keep(theirs, held(1), { ...room, bytes: before.files * BIG + 6 * BIG + 1 })).toBe("no_room");
      expect(await files().find(name, big)).toBeNull();
      expect(await files().keep(one, held(8 * BIG), room)).toBe("kept");
      expect(await files().heldTotals()).toEqual({ files: before.files + 1, bytes: before.bytes + 8 * BIG });
      expect(await sources().remove(name, entryOf("source.remove", name))).toBe("holds_files");
      const content = await files().heldContent(one.file_id);
      expect(content?.file).toEqual(one);
      expect(Buffer.from(content?.content.ciphertext ?? [])).toEqual(Buffer.alloc(8 * BIG, 7));
      expect(await files().held({ source: name, limit: 5 })).toEqual([
        { ...one, sealed_findings: "found", held_until: later(100) },
      ]);
      expect(await files().keep({ ...one, state: "taken" }, null, room)).toBe("kept");
      expect(await files().heldContent(one.file_id)).toBeNull();

      const gone = fileOf(name, { state: "held", sha256: "03" });
      await files().keep(gone, held(1), room);
      expect(await files().drop(gone.file_id, later(2), entryOf("source.drop", name))).toBe(true);
      expect(await files().drop(gone.file_id, later(2), entryOf("source.drop", name))).toBe(false);
      expect(await files().find(name, gone)).toMatchObject({ state: "dropped", settled_at: later(2) });
    });

    it("[C-9.205] what was dropped or taken while it was tried again does not come back, in whatever order", async () => {
      const name = await source();
      const content = {
        sealed_key: "k",
        ciphertext: Buffer.from("x"),
        sealed_findings: "f",
        ...why,
        held_until: later(100),
      };
      const held = { ...content, tries: 1, retry_at: later(0) };
      const hold = async (sha256: string) => {
        const file = fileOf(name, { state: "held", sha256 });
        await files().keep(file, held, ROOM);
        return file;
      };
      const drop = ({ file_id }: FileRecord) => files().drop(file_id, later(2), entryOf("source.drop", name));
      const stateOf = async (file: FileRecord) => (await files().find(name, file))?.state;
      const dropped = await hold("30");
      const again = { ...dropped, settled_at: later(1) };
      expect(await files().storeRetried(again, { ...held, tries: 2 }, ROOM)).toBe("kept");
      expect((await files().heldContent(dropped.file_id))?.content.tries).toBe(2);
      expect(await drop(dropped)).toBe(true);
      expect(await files().storeRetried(again, held, ROOM)).toBe("gone");
      expect(await stateOf(dropped)).toBe("dropped");
      // The file reached its letters, and its row must say so.
      expect(await files().storeRetried({ ...again, state: "taken" }, null, ROOM)).toBe("kept");
      expect(await files().storeRetried(again, held, ROOM)).toBe("gone");
      expect(await stateOf(dropped)).toBe("taken");

      const many = await Promise.all(Array.from({ length: 10 }, (_, index) => hold(`4${index}`)));
      const both = await Promise.all(many.flatMap((file) => [files().storeRetried(file, held, ROOM), drop(file)]));
      expect(both.filter((outcome) => outcome === true)).toHaveLength(10);
      expect(new Set(await Promise.all(many.map(stateOf)))).toEqual(new Set(["dropped"]));
      expect(await files().held({ source: name, limit: 99 })).toEqual([]);
      expect(await sources().remove(name, entryOf("source.remove", name))).toBe("removed");
      for (const state of ["held", "taken"] as const)
        expect(await files().storeRetried({ ...again, state }, state === "held" ? held : null, ROOM)).toBe("gone");
    });

    it("[C-9.211] gives held files that are due to one of two servers, of each source one before any has a second", async () => {
      const [many, few] = [await source(), await source()];
      const hold = async (source: string, sha256: string, retry_at: Date) => {
        const file = fileOf(source, { state: "held", sha256 });
        const content = {
          sealed_key: "k",
          ciphertext: Buffer.from("x"),
          sealed_findings: "f",
          ...why,
          held_until: later(100),
        };
        await files().keep(file, { ...content, tries: 2, retry_at }, ROOM);
        return file;
      };
      const held = [];
      for (const [index, of] of [many, many, many, few].entries())
        held.push(await hold(of, `1${index}`, new Date(1_000 + index)));
      const waits = await hold(few, "20", later(50));
      const rule = { rule: { to: { letter_id: "l" } }, created_at: noon };
      for (const source of [many, few])
        await routes().add({ ...rule, route_id: newId(), source }, entryOf("source.add-route", source));
      const withRules = async () =>
        (await routes().whereHeld())
          .map(({ source }) => source)
          .filter((each) => each === many || each === few)
          .sort();
      expect(await withRules()).toEqual([many, few].sort());
      const claim = (limit: number, now = new Date(2_000), except: readonly string[] = []) =>
        files().claimHeld({ now, until: new Date(9_000), limit, except });
      const ids = (found: readonly FileRecord[]) => found.map(({ file_id }) => file_id);
      expect(await claim(2, undefined, [many, few])).toEqual([]);
      expect(await claim(1, undefined, [few])).toEqual([held[0]]);
      expect(await claim(1, undefined, [many])).toEqual([held[3]]);
      const both = await Promise.all([claim(9), claim(9)]);
      expect(ids(both.flat()).sort()).toEqual(ids([held[1], held[2]] as FileRecord[]).sort());
      expect((await files().heldContent(held[0]?.file_id as Uuid))?.content).toMatchObject({ tries: 2 });
      await files().expediteHeld([few], new Date(2_000), later(50));
      expect(await claim(9)).toEqual([]);
      await files().expediteHeld([], new Date(2_000));
      expect(await claim(9)).toEqual([]);
      await files().expediteHeld([few], new Date(2_000));
      expect(ids(await claim(9)).sort()).toEqual(ids([held[3], waits] as FileRecord[]).sort());
      expect(await claim(9)).toEqual([]);
      // The lease of a server that was killed.
      expect(await claim(9, new Date(9_000))).toHaveLength(5);
      for (const file of [...held, waits]) await files().keep({ ...file, state: "taken" }, null, ROOM);
      expect(await withRules()).toEqual([]);
    });

    it("lets go what was held for too long, and forgets files that nobody has seen for long", async () => {
      const name = await source();
      const old = fileOf(name, { settled_at: new Date(0), came_at: new Date(0) });
      const seen = fileOf(name, { name: "seen.xml", settled_at: new Date(0), came_at: new Date(0) });
      const waits = fileOf(name, { name: "waits.xml", state: "held", settled_at: new Date(0), came_at: new Date(0) });
      const content = {
        sealed_key: "k",
        ciphertext: Buffer.from("x"),
        sealed_findings: "f",
        ...why,
        held_until: new Date(2_000),
        tries: 0,
        retry_at: new Date(0),
      };
      for (const file of [old, seen]) await files().keep(file, null, ROOM);
      await files().keep(waits, content, ROOM);
      await files().known(name, ["seen.xml"], new Date(5_000));
      const { forgotten } = await files().tidy({ now: new Date(1_999), forgetBefore: new Date(1_000), limit: 100 });
      expect(forgotten).toBe(1);
      const left = async () => (await files().list(listed(name))).map((file) => file.name);
      expect((await left()).sort()).toEqual(["seen.xml", "waits.xml"]);
      const { expired } = await files().tidy({ now: new Date(2_000), forgetBefore: new Date(0), limit: 100 });
      expect(expired).toEqual([{ ...waits, state: "expired", settled_at: new Date(2_000) }]);
      expect(await files().heldContent(waits.file_id)).toBeNull();
    });
  });
}

function entryOf(action: string, object_id: string): AuditEntry {
  const who = { actor: "operator", action, object_type: "source", object_id };
  return { audit_id: randomUUID(), at: noon, ...who, trace_id: null, address: null, facts: {} };
}
