import type { Storage } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import { FeedRefusal, type ReadFeed } from "@org/provider-kit";
import { expect, it } from "vitest";
import { createDataFeeds } from "../data-feeds.js";
import type { FeedOrigin } from "../feed-delivery.js";
import { createFeedWaiting, type WaitingReport } from "../feed-pages.js";
import { readPart } from "../feed-parts.js";

const { newId, newTenant, portfolioQuery, transactionQuery } = samples;

/** Cases of statements whose pages come in separate files, and of files that state movements only. */
export function feedPageCases(storage: () => Storage): void {
  const waits = (page: string) => ({
    place: page,
    message: `is page ${page[1]} of a statement whose other pages are still to come; it waits for them for a week`,
  });

  it("pages in files of their own wait for one another, in whatever order they come", async () => {
    const { send, shown } = await feedOf(storage());
    expect(await send("a2")).toMatchObject({ status: "ingested", portfolios: 0, warnings: [waits("a2")] });
    expect(await send("b1")).toMatchObject({ status: "ingested", portfolios: 0, warnings: [waits("b1")] });
    expect(await send("a3!")).toMatchObject({ status: "ingested", portfolios: 0, warnings: [waits("a3!")] });
    expect(await shown()).toEqual([]);
    expect(await send("a1")).toMatchObject({ status: "ingested", portfolios: 1, warnings: [] });
    expect(await shown()).toEqual(["a 3"]);
    expect(await send("b2!")).toMatchObject({ status: "ingested", portfolios: 1, warnings: [] });
    expect(await shown()).toEqual(["a 3", "b 2"]);
  });

  it("pages that are here are told without what they hold, by statement and number, with how much waits for the connection", async () => {
    const { tenant, connection_id, runtime } = await feedOf(storage());
    const page = { statement: "a", title: "a", number: 3, is_last: true, place: "", text: "zwölf" };
    const came = { now: runtime.clock(), arrival: 1, finish_at: runtime.clock() };
    const keep = (...pages: readonly (typeof page)[]) =>
      tenant.run(({ feedPages }) => feedPages.keep(connection_id, pages, came));
    await keep({ ...page, statement: "b", number: 2, text: "x" });
    await keep(page);
    expect(await keep({ ...page, number: 2, is_last: false, text: "" })).toEqual({
      here: [
        { statement: "a", number: 2, is_last: false, bytes: 0 },
        { statement: "a", number: 3, is_last: true, bytes: 6 },
      ],
      kept: { pages: 3, bytes: 7 },
    });
  });

  it("a page that comes twice counts once, and takes the place of another of its number", async () => {
    const { send, shown } = await feedOf(storage());
    await send("a2!");
    expect(await send("a2!")).toMatchObject({ status: "duplicate" });
    await send("a2!#");
    expect(await send("a1")).toMatchObject({ status: "ingested", portfolios: 1 });
    expect(await shown()).toEqual(["a 2.5"]);
    expect(await send("a1")).toMatchObject({ status: "duplicate" });
    expect(await shown()).toEqual(["a 2.5"]);
  });

  it("pages that two replicas take at the same time are one statement", async () => {
    const { send, shown } = await feedOf(storage());
    const taken = await Promise.all([send("a1"), send("a2"), send("a3"), send("a4!")]);
    expect(taken.map(({ status }) => status)).toEqual(Array(4).fill("ingested"));
    expect(await shown()).toEqual(["a 4"]);
  });

  it("a replica that died with the last page leaves a statement that the repetition brings", async () => {
    const { send, shown } = await feedOf(storage());
    await send("a1");
    await expect(send("a2!", { diesAt: "a1\na2!" })).rejects.toThrow("died");
    expect(await shown()).toEqual([]);
    expect(await send("a2!")).toMatchObject({ status: "ingested", portfolios: 1 });
    expect(await shown()).toEqual(["a 2"]);
  });

  it("[C-9.291] a replica that died with the last page leaves a statement that another one finishes, once, as old as that page", async () => {
    const { send, shown, finish, runtime } = await feedOf(storage());
    await send("b1");
    await send("a1");
    await expect(send("a2!", { diesAt: "a1\na2!" })).rejects.toThrow("died");
    expect(await finish()).toBe(0);
    // A file of the same moment that came later: finishing the statement afterwards changes nothing.
    await send("c1");
    await expect(send("c2!", { diesAt: "c1\nc2!" })).rejects.toThrow("died");
    await send("c1!#");
    expect(await shown()).toEqual(["c 1.5"]);
    runtime.advance(5 * 60_000);
    await Promise.all([finish(), finish()]);
    expect(await shown()).toEqual(["a 2", "c 1.5"]);
    runtime.advance(5 * 60_000);
    expect(await finish()).toBe(0);
  });

  it("[C-9.291] what whole pages make is refused once, until another page comes", async () => {
    const { send, shown, finish, runtime } = await feedOf(storage());
    await send("a1");
    await expect(send("a2!", { refusedAt: "a1\na2!" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    runtime.advance(5 * 60_000);
    expect(await finish({ refusedAt: "a1\na2!" })).toBe(0);
    await expect(send("a2!#", { diesAt: "a1\na2!#" })).rejects.toThrow("died");
    runtime.advance(5 * 60_000);
    expect(await finish({ refusedAt: "a1\na2!#" })).toBe(1);
    runtime.advance(5 * 60_000);
    expect(await finish()).toBe(0);
    expect(await shown()).toEqual([]);
  });

  it("[C-9.437] accounts that are refused when the pages of a statement are together are in the answer", async () => {
    const { send } = await feedOf(storage());
    expect(await send("a1")).toMatchObject({ refused_accounts: [] });
    expect(await send("a2!?")).toMatchObject({ status: "ingested", portfolios: 1, refused_accounts: ["Z"] });
  });

  it("pages go with their connection", async () => {
    const { send, tenant, connection_id } = await feedOf(storage());
    await send("a1");
    expect(await tenant.run(({ connections }) => connections.remove(connection_id))).toBe(true);
  });

  it("[C-9.212] a statement without a further page for a week is reported once, and a late page still completes it", async () => {
    const feed = await feedOf(storage());
    await feed.send("a1");
    await feed.send("a3!");
    feed.runtime.advance(1);
    await feed.send("b2");
    const { reports, service } = feed.waiting(30);
    const own = async () =>
      (await service.list(1_000)).items.filter(({ connection_id }) => connection_id === feed.connection_id);
    const told = () => reports.splice(0).filter(({ connection_id }) => connection_id === feed.connection_id);
    await service.expireWaiting();
    expect(told()).toEqual([]);
    expect(await own()).toMatchObject([
      { title: "a", pages: [1, 3], missing: [2], last_page: 3, state: "incomplete", letter_id: null },
      { title: "b", pages: [2], missing: [1], last_page: null, state: "incomplete" },
    ]);
    feed.runtime.advance(8 * DAY_MS);
    await service.expireWaiting();
    await service.expireWaiting();
    expect(told()).toEqual([
      expect.objectContaining({ outcome: "overdue", pages: 2, missing: [2] }),
      expect.objectContaining({ outcome: "overdue", pages: 1, missing: [1] }),
    ]);
    expect((await own()).map(({ state }) => state)).toEqual(["overdue", "overdue"]);
    expect(await feed.send("a2")).toMatchObject({ status: "ingested", portfolios: 1 });
    expect(await feed.shown()).toEqual(["a 3"]);
    feed.runtime.advance(31 * DAY_MS);
    await service.expireWaiting();
    expect(told()).toEqual([expect.objectContaining({ outcome: "deleted", pages: 1 })]);
    expect(await own()).toEqual([]);
  });

  it("[C-9.212] an operator drops a statement that nobody waits for any more", async () => {
    const feed = await feedOf(storage());
    await feed.send("a1");
    const { service } = feed.waiting(30);
    const [found] = (await service.list(1_000)).items.filter((one) => one.connection_id === feed.connection_id);
    const { connection_id, statement } = found ?? { connection_id: newId(), statement: "" };
    await service.drop(operator, { connection_id, statement });
    await expect(service.drop(operator, { connection_id, statement })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await feed.send("a2!")).toMatchObject({ portfolios: 0 });
  });

  it("a file of movements only leaves what is known of the portfolio, and lists one that is not known", async () => {
    const { send, shown, movements } = await feedOf(storage());
    expect(await send("a~")).toMatchObject({ status: "ingested", transactions: 1, warnings: [] });
    expect(await shown()).toEqual(["a null"]);
    // Older than the movements, and the first file that states holdings.
    expect(await send("a1!")).toMatchObject({ portfolios: 1, warnings: [] });
    expect(await shown()).toEqual(["a 1"]);
    expect(await send("a~2")).toMatchObject({ status: "ingested", transactions: 1, warnings: [] });
    expect(await shown()).toEqual(["a 1"]);
    expect(await movements()).toBe(2);
  });
}

const DAY_MS = 86_400_000;
const operator = { application_id: "operator", trace_id: null, address: null };

/** Texts at which a reader dies, or which it refuses. */
interface Reading {
  readonly diesAt?: string;
  readonly refusedAt?: string;
}

/** A connection, and replicas that read its files with {@link readLines}. */
async function feedOf(storage: Storage) {
  const tenant = await newTenant(storage);
  const { connection_id } = await tenant.connect();
  const runtime = createTestRuntime();
  const feedsOf = ({ diesAt, refusedAt }: Reading, onRead?: (origin: FeedOrigin) => void) =>
    createDataFeeds({
      storage,
      // Ids in the audit log must be unique across all cases.
      runtime: { ...runtime, newId },
      bankOf: async () => "Bank",
      readParts: ({ name, bytes }, origin) => {
        onRead?.(origin);
        const lines = Buffer.from(bytes).toString();
        if (lines === diesAt) throw new Error("died");
        if (lines === refusedAt) throw new FeedRefusal("line 1", "is odd");
        return [readPart(name, bytes, () => readLines(lines.split("\n")))];
      },
    });
  return {
    tenant,
    connection_id,
    runtime,
    waiting(keptDays: number) {
      const reports: WaitingReport[] = [];
      const onReport = (report: WaitingReport) => reports.push(report);
      return { reports, service: createFeedWaiting({ storage, runtime: { ...runtime, newId }, keptDays, onReport }) };
    },
    send(text: string, reading: Reading = {}) {
      const file = { name: "file", bytes: Buffer.from(text) };
      return feedsOf(reading).ingest(operator, { connection_id }, file);
    },
    /** Returns how many statements of this connection were completed or refused. */
    async finish(reading: Reading = {}): Promise<number> {
      let read = 0;
      const onRead = (origin: FeedOrigin) => {
        if (origin.feed_id === connection_id) read += 1;
      };
      await feedsOf(reading, onRead).finishStatements();
      return read;
    },
    async shown(): Promise<string[]> {
      const page = await storage.reader.portfolios(tenant.tenant_id, portfolioQuery({ fields: ["name", "balance"] }));
      const items = JSON.parse((page as { items_json: string }).items_json) as { name: string; balance: string }[];
      return items.map(({ name, balance }) => `${name} ${balance}`).sort();
    },
    async movements(): Promise<number> {
      const page = await storage.reader.transactions(tenant.tenant_id, transactionQuery({}));
      return (page as { total: number }).total;
    },
  };
}

/**
 * Reads a file of one statement: `a1` is its first page, `a2!` its last, `a~` has movements only. The portfolio is named after the statement. Its
 * balance is the number of pages, plus a half if the last page is marked with `#`; where it is marked with `?`, an account is refused.
 */
function readLines(lines: readonly string[]): ReadFeed {
  const name = lines[0]?.[0] ?? "";
  const day = new Date("2024-01-31T00:00:00Z");
  const depot = { key: name, name, balance: null, currency: "EUR", ref_account: null, type: "S" as const };
  const snapshot = { as_of: day, portfolios: [depot], holdings: [], transactions: [] };
  if (lines[0]?.includes("~")) {
    const movement = {
      key: lines[0],
      portfolio_key: name,
      holding_key: null,
      operation_date: "2024-01-31",
      description: "Deposit",
      amount: null,
      balance: "1",
      currency: "EUR",
      unit_price: null,
    };
    const unknown = { ...depot, holdings_unknown: true };
    return { format: "test", snapshot: { ...snapshot, portfolios: [unknown], transactions: [movement] }, warnings: [] };
  }
  const pages = lines.map((line) => ({
    statement: name,
    number: Number(line[1]),
    is_last: line.includes("!"),
    text: line,
    place: line,
  }));
  if (!pages.every(({ number }, index) => number === index + 1) || !pages.at(-1)?.is_last) {
    return { format: "test", snapshot: { ...snapshot, as_of: new Date(0), portfolios: [] }, warnings: [], pages };
  }
  const balance = `${pages.length}${lines.at(-1)?.includes("#") ? ".5" : ""}`;
  return {
    format: "test",
    snapshot: { ...snapshot, as_of: new Date("2023-12-31T00:00:00Z"), portfolios: [{ ...depot, balance }] },
    warnings: [],
    ...(lines.at(-1)?.includes("?") && { refused_accounts: ["Z"] }),
  };
}
