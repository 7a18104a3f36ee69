import {
  CoreError,
  createConnectors,
  createLetterOperations,
  createLetters,
  type DocumentChecks,
  letterDetailsSchema,
  type TenantActor,
  type Uuid,
} from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import { createDataFeeds, readPart } from "@org/data-feeds";
import {
  isTerminal,
  type LetterEvent,
  type LetterState,
  LetterTransitionError,
  letterEvents,
  mainLineEvent,
  nextStatus,
} from "@org/letter-lifecycle";
import type { SnapshotData } from "@org/provider-kit";
import { createPostgresStorage, createTransactions } from "@org/storage-postgres";
import { type TestDatabase, testBackends } from "@org/storage-postgres/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const actions = ["advance", "block", "resolve", "cancel", "discontinue", "observe", "file"] as const;
type Action = (typeof actions)[number];
/** What lead to one status, and do nothing to a letter that has it. */
const repeatable: readonly Action[] = ["block", "resolve", "cancel"];

describe.each(testBackends)("[C-7.12] [C-7.15] letters and their table, on $name", ({ create }) => {
  let database: TestDatabase;
  let world: Awaited<ReturnType<typeof createWorld>>;
  beforeAll(async () => {
    database = await create();
    world = await createWorld(database);
  });
  afterAll(() => database?.close());

  it("agree after any sequence of events, several at once included", { timeout: 120_000 }, async () => {
    const round = fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 12 }), async (rounds) => {
        const id = await world.submit();
        let model: LetterState = { status: "Signed", previous_status: null, ever_connected: false };
        let known = 1;
        for (const together of rounds) {
          const before = model;
          const outcomes = await Promise.all(together.map((action) => world.act(id, action)));
          const { history, ...letter } = await world.letterOperations.show(id);
          // Every entry of the history is a move that the table allows from the status before it.
          for (const { event, from, to } of history.slice(known)) {
            expect(from).toBe(model.status);
            model = event === "observe" ? model : after(model, event as LetterEvent);
            expect(to).toBe(model.status);
          }
          // Every action that succeeded made exactly one entry, unless the letter had the status already; no other action did. A file moves
          // a letter only if it waits.
          const done = (which: (action: Action) => boolean) =>
            outcomes.filter((outcome, index) => outcome === "done" && which(together[index] as Action)).length;
          const files = done((action) => action === "file");
          const entries = history.length - known;
          expect(entries).toBeGreaterThanOrEqual(done((action) => action !== "file" && !repeatable.includes(action)));
          expect(entries).toBeLessThanOrEqual(done((action) => action !== "file") + Math.min(files, 1));
          const last = history[known - 1]?.event;
          known = history.length;
          // On its own, an action is refused exactly where the table refuses it.
          if (together.length === 1) expect(outcomes).toEqual([expected(before, together[0] as Action, last)]);
          expect(letter.status).toBe(model.status);
          expect(letter.documents.length).toBe(isTerminal(model.status) || model.status === "Discontinued" ? 0 : 1);
          expect(letter.connection_id !== null).toBe(isFed(model));
          expect(await world.connections()).toBe(isFed(model) ? world.fed(id, true) : world.fed(id, false));
        }
      }),
      { numRuns: 25 },
    );
    const { totals, counted } = await world.counts();
    expect(counted).toEqual(totals);
  });
});

describe.each(testBackends)("[C-7.15] of several operators at once, on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());

  it("one generates, one sends, one attaches the signed letter; the others see it or are told", {
    timeout: 60_000,
  }, async () => {
    const { letterOperations, actor, operator, pdf } = await createWorld(database);
    for (let round = 0; round < 5; round += 1) {
      const request = { connector_id: "fra:custody", labels: {}, contact_info: {} };
      const { id } = await letterOperations.request(actor, request);
      const details = letterDetailsSchema.parse({ full_name: "Ana", address: ["Calle Mayor 1"] });
      await letterOperations.collectDetails(operator, id, details);
      const together = async (work: () => Promise<unknown>) => {
        const outcomes = await Promise.allSettled([work(), work(), work()]);
        return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
      };
      for (const to of ["Generated", "SentToUser"])
        expect(await together(() => letterOperations.advance(operator, id, { to }))).toEqual([]);
      const signed = () => letterOperations.attachSigned(operator, { letter_id: id, data: pdf });
      for (const code of await together(signed)) expect(code).toBe("CONFLICT");
      // Sent again after that, the same document is known.
      await signed();
      const { status, documents, history } = await letterOperations.show(id);
      expect([status, documents.map(({ kind }) => kind)]).toEqual(["Signed", ["letter", "generated"]]);
      expect(history.map(({ event }) => event)).toEqual([
        "request",
        "collect_details",
        "generate",
        "send_to_user",
        "sign",
      ]);
    }
  });
});

/** Whether a letter in this state has a connection. */
function isFed({ status, previous_status }: LetterState): boolean {
  return status === "Connected" || (status === "Blocked" && previous_status === "Connected");
}

function after(state: LetterState, event: LetterEvent): LetterState {
  expect(letterEvents).toContain(event);
  const status = nextStatus(state, event);
  return {
    status,
    previous_status: event === "block" ? state.status : null,
    ever_connected: state.ever_connected || status === "Connected",
  };
}

/** What an action alone does to a letter in this state. */
function expected(state: LetterState, action: Action, last: string | undefined): "done" | "refused" {
  if (action === "resolve" && last === "resolve") return "done";
  if (action === "observe") return "done";
  if (action === "file") return state.status === "WaitingForData" || isFed(state) ? "done" : "refused";
  const event = action === "advance" ? mainLineEvent(state.status) : action === "cancel" ? "discontinue" : action;
  if (event === null) return "refused";
  if ((event === "block" && state.status === "Blocked") || (action === "cancel" && state.status === "Cancelled"))
    return "done";
  try {
    const to = nextStatus(state, event);
    return action === "cancel" && to !== "Cancelled" ? "refused" : "done";
  } catch (error) {
    if (error instanceof LetterTransitionError) return "refused";
    throw error;
  }
}

async function createWorld({ pool }: TestDatabase) {
  const storage = createPostgresStorage(createTransactions(pool));
  const runtime = createTestRuntime();
  const connectors = createConnectors({ catalogue: storage.catalogue, mac: runtime.mac, defaultProvider: null });
  await storage.catalogue.importAll([
    {
      id: "fra:custody",
      name: "Banque de dépôt",
      type: "datafeed",
      countries: ["fra"],
      available: true,
      provider: "datafeed",
      provider_ref: null,
      metadata: {},
    },
  ]);
  const { tenant_id } = await samples.newTenant(storage);
  const actor: TenantActor = { tenant_id, application_id: "application", trace_id: null, address: null };
  const operator = { application_id: "operator", trace_id: null, address: null };
  const deps = { storage, runtime, bankOf: async () => "Banque de dépôt" };
  const checks: DocumentChecks = {
    inspect: async (bytes) => ({ bytes, signature: "none" }),
    scan: null,
    maxBytes: 1_000,
  };
  const letters = createLetters({ ...deps, connectors, checks });
  const pdf = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
  const letterOperations = createLetterOperations({
    ...deps,
    connectors,
    checks,
    sendsMail: false,
    template: async () => new Uint8Array(),
  });
  const snapshot: SnapshotData = { as_of: runtime.clock(), portfolios: [], holdings: [], transactions: [] };
  const dataFeeds = createDataFeeds({
    ...deps,
    readParts: ({ name, bytes }) => [readPart(name, bytes, () => ({ format: "test", snapshot, warnings: [] }))],
  });
  let files = 0;
  const fed = new Set<string>();

  const perform: Record<Action, (id: Uuid) => Promise<unknown>> = {
    advance: (id) => letterOperations.advance(operator, id, {}),
    block: (id) => letterOperations.block(operator, id, undefined),
    resolve: (id) => letterOperations.resolve(operator, id, undefined),
    cancel: (id) => letterOperations.cancel(operator, id, undefined),
    observe: (id) => letterOperations.observe(operator, id, "seen"),
    discontinue: (letter_id) => letters.discontinue(actor, { letter_id }),
    file: (letter_id) => {
      files += 1;
      const file = { name: `${files}.txt`, bytes: Buffer.from(`file ${files}`) };
      return dataFeeds.ingest(operator, { letter_id }, file);
    },
  };
  return {
    letterOperations,
    actor,
    operator,
    pdf,
    async submit() {
      return (await letters.createSigned(actor, { connector_id: "fra:custody", data: pdf }, null)).letter_id;
    },
    act: (id: Uuid, action: Action) =>
      perform[action](id).then(
        () => "done" as const,
        (error: unknown) => {
          if (error instanceof CoreError) return "refused" as const;
          throw error;
        },
      ),
    /** Records whether a letter has a connection; returns how many letters have one. */
    fed(id: string, has: boolean) {
      if (has) fed.add(id);
      else fed.delete(id);
      return fed.size;
    },
    connections: async () =>
      (
        await storage.connectionFinder.page(tenant_id, {
          bank: null,
          client_refs: null,
          ready_only: false,
          attention_at: null,
          with_accounts: false,
          page: 1,
          page_size: 1,
        })
      ).total,
    async counts() {
      const { rows: totals } = await pool.query(
        "select status, count(*)::integer as letters from letters where tenant_id = $1 group by 1 order by 1",
        [tenant_id],
      );
      const { rows: counted } = await pool.query(
        "select status, sum(letters)::integer as letters from letter_counts where tenant_id = $1 group by 1 having sum(letters) <> 0 order by 1",
        [tenant_id],
      );
      return { totals, counted };
    },
  };
}
