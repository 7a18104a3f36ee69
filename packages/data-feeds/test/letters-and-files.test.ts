import type { Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { advanceIn, failure, submitTo } from "../../core/test/letter-steps.js";
import { createFeedSilence } from "../src/index.js";
import { createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const submit = (more: object = {}) => submitTo(world, more);
const advanceTo = (letterId: Uuid, status: string) => advanceIn(world, letterId, status);

describe("data feeds", () => {
  const file = (text: string) => ({ name: "positions.txt", bytes: Buffer.from(text) });

  it("the first file of a letter in WaitingForData makes its connection, with its labels, and moves it to Connected", async () => {
    const id = await submit({ labels: { client: "9" } });
    expect(await failure(world.dataFeeds.ingest(world.operator, { letter_id: id }, file("UNITS 10.50")))).toMatchObject(
      { code: "CONFLICT" },
    );
    await advanceTo(id, "WaitingForData");
    const outcome = await world.dataFeeds.ingest(world.operator, { letter_id: id }, file("UNITS 10.50"));
    expect(outcome).toMatchObject({ status: "ingested", format: "units", portfolios: 1, holdings: 2, transactions: 1 });
    expect(await world.letterOperations.show(id)).toMatchObject({
      status: "Connected",
      connection_id: outcome.connection_id,
    });
    const { items } = await world.credentials.list(world.alice, {
      bank: "dépôt",
      ready_only: true,
      include_status: false,
      page: 1,
      page_size: 50,
    });
    expect(items).toMatchObject([
      { credentials_token: outcome.connection_id, bank: "Banque de dépôt", labels: { client: "9" } },
    ]);
  });

  it("a blocked connection that is fed by files needs its operator, not a login", async () => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    const { connection_id } = await world.dataFeeds.ingest(world.operator, { letter_id: id }, file("UNITS 1"));
    await world.letterOperations.block(world.operator, id, { note: "silence" });
    expect(await world.credentials.needsRelogin(world.alice, connection_id)).toEqual({
      needs_relogin: true,
      reasons: [{ code: "blocked", message: expect.any(String), next_action: expect.stringContaining("operates") }],
    });
  });

  it("[C-9.31] a file is taken once; [C-4.18] digits stay as they are written", async () => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    const first = await world.dataFeeds.ingest(world.operator, { letter_id: id }, file("UNITS 0010.5000"));
    const again = await world.dataFeeds.ingest(
      world.operator,
      { connection_id: first.connection_id },
      file("UNITS 0010.5000"),
    );
    expect(again).toMatchObject({ status: "duplicate", connection_id: first.connection_id, sha256: first.sha256 });
    const answer = await world.data.portfolios(world.alice, { page: 1, page_size: 10 });
    expect(answer.totals).toMatchObject([{ currency: "EUR", balance: "1500.0000" }]);
    expect(answer.snapshot).toBe((await world.data.portfolios(world.alice, { page: 1, page_size: 10 })).snapshot);
  });

  it("a portfolio that is not in a file stays; one of which something later is known stays as it is", async () => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    const ingest = (text: string) => world.dataFeeds.ingest(world.operator, { letter_id: id }, file(text));
    await ingest("UNITS 5 OF 2026-01-31 IN a");
    await ingest("UNITS 6 OF 2026-01-31 IN b");
    const late = await ingest("UNITS 4 OF 2026-01-30 IN a");
    expect(late).toMatchObject({
      status: "ingested",
      warnings: [
        { place: "file", message: 'is older than what is known of portfolio "Depot a", which stays as it is' },
      ],
    });
    const page = { page: 1, page_size: 50 };
    expect(await world.data.portfolios(world.alice, page)).toMatchObject({
      total: 2,
      totals: [{ balance: "3000.0000" }],
    });
    const units = await world.data.holdings(world.alice, page);
    expect(
      JSON.parse(units.items_json)
        .map(({ amount }: { amount: string }) => amount)
        .sort(),
    ).toEqual(["1", "1", "5", "6"]);
    // Past transactions count, however late they are reported.
    expect(await world.data.transactions(world.alice, page)).toMatchObject({ total: 3 });
  });

  it.each([
    ["2026-03-09", null],
    ["2026-03-10", 'portfolio "Depot a": is dated 2026-03-10, more than 7 days ahead of the clock'],
    ["2099-01-01", 'portfolio "Depot a": is dated 2099-01-01, more than 7 days ahead of the clock'],
  ])("a file of %s on 2 March 2026 is taken only when it is at most a week ahead", async (day, refusal) => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    const ingest = (text: string) => world.dataFeeds.ingest(world.operator, { letter_id: id }, file(text));
    const refused = await failure(ingest(`UNITS 5 OF ${day} IN a`));
    expect([refused, world.files[0]?.reason]).toMatchObject(
      refusal === null ? [null, null] : [{ code: "VALIDATION_ERROR" }, expect.stringContaining(refusal)],
    );
    // A refused file changes nothing: the next file is not older than it.
    if (refusal !== null) expect(await ingest("UNITS 6 OF 2026-03-01 IN a")).toMatchObject({ warnings: [] });
  });

  it("what is odd about a file is answered and told", async () => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    const { warnings } = await world.dataFeeds.ingest(world.operator, { letter_id: id }, file("UNITS 010"));
    expect(warnings).toEqual([{ place: "line 1, column 7", message: "a zero that says nothing" }]);
    const traced = { ...world.operator, trace_id: "e".repeat(32) };
    await failure(world.dataFeeds.ingest(traced, { letter_id: id }, file("nonsense")));
    expect(world.files.map(({ outcome, warnings, trace_id }) => [outcome, warnings, trace_id])).toEqual([
      ["ingested", 1, world.operator.trace_id],
      ["refused", 0, traced.trace_id],
    ]);
  });

  it.each(["connection", "letter"])("a folder that is named by the id of a %s says enough", async (kind) => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    const first = await world.dataFeeds.ingest(world.operator, { connection_or_letter_id: id }, file("UNITS 1"));
    const place = kind === "letter" ? id.toUpperCase() : first.connection_id;
    const again = world.dataFeeds.ingest(world.operator, { connection_or_letter_id: place }, file("UNITS 2"));
    expect(await again).toMatchObject({ status: "ingested", connection_id: first.connection_id });
  });

  it.each(["", "..", "no-uuid", "01990000-0000-7000-8000-ffffffffffff"])("no folder %j is known", async (folder) => {
    const target = { connection_or_letter_id: folder };
    expect(await failure(world.dataFeeds.ingest(world.operator, target, file("UNITS 1")))).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  describe("silence of a custodian", () => {
    const days = (n: number) => world.runtime.advance(n * 24 * 60 * 60 * 1000);
    const statusOf = async (id: Uuid) => {
      const { connection_id, status } = await world.letterOperations.show(id);
      const token = connection_id ?? "";
      const relogin = await world.credentials.needsRelogin(world.alice, token);
      const { blocked } = await world.credentials.status(world.alice, token);
      return { status, blocked, reasons: relogin.reasons.map(({ code }) => code) };
    };
    const well = { status: "Connected", blocked: false, reasons: [] };
    const blocked = { status: "Blocked", blocked: true, reasons: ["blocked"] };
    const ingest = (id: string, text: string) => world.dataFeeds.ingest(world.operator, { letter_id: id }, file(text));
    const connected = async () => {
      const id = await submit();
      await advanceTo(id, "WaitingForData");
      await ingest(id, "UNITS 1");
      return id;
    };

    it("[S2-3.11] a letter without a file for seven days is Blocked and says why; its next good file resolves it", async () => {
      const id = await connected();
      days(6);
      expect(await world.feedSilence.blockSilent()).toEqual([]);
      expect(await statusOf(id)).toEqual(well);
      days(1.1);
      expect(await world.feedSilence.blockSilent()).toEqual([id]);
      expect(await world.feedSilence.blockSilent()).toEqual([]);
      expect(await statusOf(id)).toEqual(blocked);
      expect(await ingest(id, "UNITS 1")).toMatchObject({ status: "duplicate" });
      await failure(ingest(id, "nonsense"));
      expect(await statusOf(id)).toEqual(blocked);
      await ingest(id, "UNITS 2");
      expect(await statusOf(id)).toEqual(well);
      const { history } = await world.letterOperations.show(id);
      expect(history.slice(-2)).toMatchObject([
        { event: "block", actor: "system", note: "no file of the custodian for 7 days" },
        { event: "resolve", actor: "system", note: "the custodian's files arrive again" },
      ]);
    });

    it("what an operator has blocked stays blocked, and its data are kept up to date", async () => {
      const id = await connected();
      await world.letterOperations.block(world.operator, id, { note: "dispute" });
      expect(await statusOf(id)).toEqual(blocked);
      expect(await ingest(id, "UNITS 2")).toMatchObject({ status: "ingested" });
      expect(await statusOf(id)).toEqual(blocked);
      await world.letterOperations.resolve(world.operator, id, undefined);
      expect(await statusOf(id)).toEqual(well);
    });

    it("an operator who blocks after the feed has, or resolves by hand, is left alone", async () => {
      const id = await connected();
      days(8);
      await world.feedSilence.blockSilent();
      await world.letterOperations.resolve(world.operator, id, { note: "they are on holiday" });
      expect(await world.feedSilence.blockSilent()).toEqual([]);
      expect(await statusOf(id)).toEqual(well);
      await world.letterOperations.block(world.operator, id, { note: "now it is me" });
      await ingest(id, "UNITS 3");
      expect(await statusOf(id)).toEqual(blocked);
    });

    it("0 days switch it off", async () => {
      await connected();
      days(1_000);
      const off = createFeedSilence({ storage: world.storage, runtime: world.runtime, silentDays: 0 });
      expect(await off.blockSilent()).toEqual([]);
    });
  });

  it("a file that cannot be read is refused with the place, and nothing moves", async () => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    expect(await failure(world.dataFeeds.ingest(world.operator, { letter_id: id }, file("nonsense")))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("line 1, column 1"),
      fields: [["file", "InvalidValue"]],
    });
    expect(await world.letterOperations.show(id)).toMatchObject({ status: "WaitingForData", connection_id: null });
  });
});
