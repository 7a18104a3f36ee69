import {
  type CatalogueConnector,
  createConnectors,
  createCredentials,
  createCustomerSessions,
  createInvestmentData,
  createLetterAdmin,
  createLetterOperations,
  createLetters,
  createMailDelivery,
  createMails,
  createRefreshes,
  createRevocations,
  createSessions,
  createTenantClients,
  createTenants,
  type DocumentBucket,
  type LetterText,
  type MailMessage,
  type MailOutcome,
  type MailReport,
  type MailTransport,
  type RefreshReport,
  type TenantActor,
  type UndoReport,
} from "@org/core";
import {
  createMemoryStorage,
  createMemoryTenantAccess,
  createTestRuntime,
  directoryOf,
  type MemoryStorage,
} from "@org/core/testing";
import type { BankProvider, FetchRequest, FetchResult, LoginStep, LookStep, SnapshotData } from "@org/provider-kit";

/** Checks that every document passes. */
const passingChecks: Parameters<typeof createLetters>[0]["checks"] = {
  inspect: async (bytes) => ({ bytes, signature: "none" }),
  scan: null,
  maxBytes: 5_000,
};

/** The services over memory storage, a scripted bank and two tenants. */
export async function createWorld({
  storageOf = (storage) => storage,
  revoke,
  ...more
}: {
  storageOf?: (storage: MemoryStorage) => MemoryStorage;
  /** Left out: the bank takes no access back. */
  revoke?: BankProvider["revoke"];
  bucket?: DocumentBucket;
} = {}) {
  const storage = storageOf(createMemoryStorage());
  const runtime = { ...createTestRuntime(), ...more };
  const faults: unknown[] = [];
  const connectors = createConnectors({
    catalogue: storage.catalogue,
    mac: runtime.mac,
    defaultProvider: "scripted",
  });
  await storage.catalogue.importAll(catalogue);
  const bank: ScriptedBank = { login: null, poll: null, first: null, refresh: null };
  const providers = directoryOf({ ...scriptedBank(bank), ...(revoke && { revoke }) });
  const reports: RefreshReport[] = [];
  const sleepers: { milliseconds: number; wake: () => void }[] = [];
  const access = createMemoryTenantAccess();
  const bankOf = async (id: string) => (await connectors.find(id))?.name ?? null;
  const operated = { storage, runtime, bankOf, sendsMail: true };
  const mailServer = scriptedMailServer();
  const mailReports: MailReport[] = [];
  const undone: UndoReport[] = [];
  const tenants = createTenants({ storage, runtime, access });
  const operator = { application_id: "operator", trace_id: null, address: null };
  const alice = await actorOf("Alice & Co");
  const bob = await actorOf("Bob GmbH");

  return {
    storage,
    /** The catalogue of a server that has only these providers. */
    servedBy: (...names: string[]) => ({
      catalogue: storage.catalogue,
      connectors: createConnectors({
        catalogue: storage.catalogue,
        mac: runtime.mac,
        defaultProvider: "scripted",
        providers: directoryOf(...names.map((name) => ({ ...scriptedBank(bank), name }))),
      }),
    }),
    runtime,
    faults,
    reports,
    /** Ends the waits of this length; all others never end. */
    wake: (milliseconds: number) => {
      for (const sleeper of sleepers) if (sleeper.milliseconds === milliseconds) sleeper.wake();
    },
    bank,
    operator,
    alice,
    bob,
    connectors,
    bankOf,
    tenants,
    sessions: createSessions({
      storage,
      runtime,
      connectors,
      redirectUrls: async () => ["https://app.example/done?from=bank"],
      publicUrl: "https://wealth.example",
      ttlSeconds: 1800,
    }),
    customer: createCustomerSessions({
      publicUrl: "https://wealth.example",
      storage,
      runtime,
      connectors,
      providers,
      revocations: createRevocations({ runtime, providers, connectors }),
      onProviderFault: (fault) => faults.push(fault.error),
    }),
    refreshes: createRefreshes({
      storage,
      runtime,
      providers,
      connectors,
      access,
      onRefresh: (report) => reports.push(report),
      sleep: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          sleepers.push({ milliseconds, wake: resolve });
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    }),
    credentials: createCredentials({ storage, runtime }),
    tenantClients: createTenantClients({ storage, runtime }),
    data: createInvestmentData({ reader: storage.reader, runtime }),
    letters: createLetters({
      storage,
      runtime,
      connectors,
      checks: passingChecks,
    }),
    letterAdmin: createLetterAdmin({ storage, runtime, connectors, sendsMail: true }),
    /** Letter operations whose mails wait, as installations have it by default. */
    patientOperations: createLetterOperations({
      ...operated,
      mailDelayMs: 30_000,
      onUndo: (report) => undone.push(report),
      template: printedLetter,
      connectors,
      checks: passingChecks,
    }),
    undone,
    /** What ends letters and sends mails again, with mails that wait. */
    patient: {
      letters: createLetters({ storage, runtime, connectors, checks: passingChecks, mailDelayMs: 30_000 }),
      credentials: createCredentials({ storage, runtime, mailDelayMs: 30_000 }),
      tenantClients: createTenantClients({ storage, runtime, mailDelayMs: 30_000 }),
      mails: createMails({ storage, runtime, mailDelayMs: 30_000 }),
    },
    letterOperations: createLetterOperations({
      ...operated,
      namesOf: async (_tenantId, ids) => new Map(ids.map((id) => [id, `the name of ${id}`])),
      template: printedLetter,
      connectors,
      checks: passingChecks,
    }),
    mails: createMails({ storage, runtime }),
    mailServer,
    mailReports,
    delivery: createMailDelivery({
      storage,
      runtime,
      access,
      transport: mailServer,
      bankOf,
      onMail: (report) => mailReports.push(report),
    }),
  };

  async function actorOf(name: string): Promise<TenantActor> {
    const { tenant_id } = await tenants.create(operator, name);
    return { tenant_id, application_id: `application of ${name}`, trace_id: null, address: null };
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>;

const entry = (id: string, name: string, type = "e-banking", available = true): CatalogueConnector => ({
  id,
  name,
  type,
  countries: [id.slice(0, 3)],
  available,
  provider: type === "datafeed" ? "datafeed" : "scripted",
  provider_ref: null,
  metadata: {},
});

export const catalogue = [
  entry("deu:rhein", "Rheinbank"),
  entry("esp:norte", "Banco del Norte"),
  entry("esp:sur", "Banco del Sur", "psd2"),
  entry("fra:closed", "Banque fermée", "e-banking", false),
  entry("fra:custody", "Banque de dépôt", "datafeed"),
];

/** A mail server that records what it accepts. Each entry of `next` determines the outcome of one message. */
function scriptedMailServer(): MailTransport & {
  readonly accepted: MailMessage[];
  readonly next: (
    | MailOutcome
    | "dies while the message leaves"
    | ((message: MailMessage, beforeLast: () => Promise<boolean>) => Promise<MailOutcome>)
  )[];
} {
  const accepted: MailMessage[] = [];
  const next: ReturnType<typeof scriptedMailServer>["next"] = [];
  return {
    accepted,
    next,
    async send(message, beforeLast) {
      const outcome = next.shift() ?? { kind: "accepted" };
      if (typeof outcome === "function") return outcome(message, beforeLast);
      if (outcome !== "dies while the message leaves" && outcome.kind === "refused") return outcome;
      if (!(await beforeLast())) return { kind: "refused", permanent: false, reason: "withdrawn" };
      if (outcome === "dies while the message leaves") return new Promise(() => undefined);
      if (outcome.kind === "accepted") accepted.push(message);
      return outcome;
    },
  };
}

/** Prints a letter in a form that tests can read. */
async function printedLetter({ letter_id, bank, authorized, details }: LetterText): Promise<Uint8Array> {
  return Buffer.from(`%PDF-1.7 ${letter_id} ${bank} ${JSON.stringify(authorized)} ${JSON.stringify(details)} %%EOF`);
}

/** What a test can make the bank do. */
export interface ScriptedBank {
  /** Answers logins; null = the password decides. */
  login: ((signal: AbortSignal) => Promise<LoginStep>) | null;
  /** Answers polls of challenges; null = they keep waiting. */
  poll: ((state: unknown, signal: AbortSignal) => Promise<LookStep>) | null;
  /** Answers the fetch of a login; null = the password decides. */
  first: ((request: FetchRequest) => Promise<FetchResult>) | null;
  /** Answers refreshes; null = the same data as at the login. */
  refresh: ((signal: AbortSignal, request: FetchRequest) => Promise<FetchResult>) | null;
}

export function snapshotOf(units: string): SnapshotData {
  return {
    as_of: new Date("2026-03-01T18:00:00.000Z"),
    portfolios: [{ key: "p1", name: "Depot", balance: "1500.0000", currency: "EUR", ref_account: "DE01", type: "S" }],
    holdings: [
      {
        key: "h1",
        portfolio_key: "p1",
        name: "Share A",
        isin: null,
        amount: units,
        balance: "1000.0000",
        currency: "EUR",
        valuation_date: "2026-02-27",
        type: "VI",
        subtype: null,
      },
      {
        key: "h1",
        portfolio_key: "p1",
        name: "Share A",
        isin: null,
        amount: "1",
        balance: "500.00",
        currency: "EUR",
        valuation_date: null,
        type: "VI",
        subtype: null,
      },
    ],
    transactions: [
      {
        key: "t1",
        portfolio_key: "p1",
        holding_key: "h1",
        operation_date: "2026-02-01",
        description: "Buy",
        amount: units,
        balance: "-1000.00",
        currency: "EUR",
        unit_price: "100",
      },
    ],
  };
}

/** A provider where the password determines the outcome (`challenge` asks for a code) and the user name identifies the customer. */
export const scriptedBank = (script: ScriptedBank): BankProvider => ({
  name: "scripted",
  async login({ fields: { username = "", password = "" }, signal }) {
    if (script.login) return script.login(signal);
    if (password === "wrong") return { kind: "rejected" };
    if (password === "broken") throw new Error("the bank's computer burns");
    if (password === "refused") return { kind: "failed", error_code: "UserInteractionNeeded" };
    if (password === "challenge")
      return { kind: "challenge", challenge: { kind: "sms", message: "Type the code" }, state: { username } };
    return { kind: "authenticated", user_key: username, access: { username, password } };
  },
  async answer({ state, answer }) {
    if (answer !== "123456") return { kind: "rejected" };
    return { kind: "authenticated", user_key: (state as { username: string }).username, access: state };
  },
  look: async ({ state, signal }) => script.poll?.(state, signal) ?? { kind: "waiting" },
  async fetch(request) {
    const { access, refresh, signal } = request;
    if (refresh && script.refresh) return script.refresh(signal, request);
    if (!refresh && script.first) return script.first(request);
    const { password } = access as { password?: string };
    if (password === "data blocked") return { refused: "blocked" };
    if (password === "data rejected") return { refused: "rejected" };
    if (password === "no-data") throw new Error("no data");
    const snapshot = {
      ...snapshotOf(password === "more" ? "20.5" : "10.5"),
      ...(password === "empty" && { portfolios: [], holdings: [], transactions: [] }),
    };
    return {
      snapshot: password === "no-transactions" ? { ...snapshot, transactions: null } : snapshot,
      consent_expires_at: null,
    };
  },
});

/** Returns the secret of a widget_url. */
export function linkOf(widgetUrl: string): string {
  return widgetUrl.slice("https://wealth.example/connect/".length);
}

/** Connects a bank the way a customer does and returns the finished session. */
export async function connect(
  world: World,
  actor: TenantActor,
  password = "good",
  username = "user-1",
  connectorId = "esp:norte",
) {
  const { session, widget_url } = await world.sessions.createFor(actor, { connector_id: connectorId });
  const link = linkOf(widget_url);
  const claimed = await world.customer.claim(link, null);
  await world.customer.submitCredentials(link, claimed?.owner ?? null, { username, password });
  await world.customer.drain();
  return world.sessions.status(actor, session.session_id);
}

/** Returns how many connections a tenant has. */
export async function connectionsOf(world: World, actor: TenantActor): Promise<number> {
  const all = { bank: null, ready_only: false, include_status: false, page: 1, page_size: 9 };
  return (await world.credentials.list(actor, all)).total;
}
