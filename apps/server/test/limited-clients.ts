import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { sandboxBanks, type TestTenant } from "./harness.js";
import type { Answer } from "./http-client.js";
import { submitLetter } from "./letters.js";
import { toolCall } from "./mcp-clients.js";

/** What a client of the tests of limits has, with every kind of id. */
export interface Furniture {
  readonly connection: string;
  readonly session: string;
  readonly letter: string;
  readonly portfolio: string;
  readonly investment: string;
  readonly transaction: string;
  readonly all: readonly string[];
}

/** Calls that name what a client has, by tool. `inside` is what the caller may have. */
export const byTool: readonly (readonly [string, (own: Furniture, inside: Furniture) => object])[] = [
  ["svc-create-connect-session", ({ connection }) => ({ connection_id: connection })],
  ["svc-session-status", ({ session }) => ({ session_id: session })],
  ["svc-credentials", () => ({ client_ref: "OUT" })],
  ["svc-credential-status", ({ connection }) => ({ credentials_token: connection })],
  ["svc-needs-relogin", ({ connection }) => ({ credentials_token: connection })],
  ["svc-delete-credentials", ({ connection }) => ({ credentials_token: connection, confirm: true })],
  ["svc-delete-credentials", ({ connection }) => ({ credentials_token: connection })],
  ["svc-portfolios", ({ connection }) => ({ credentials_token: connection })],
  ["svc-portfolios", ({ connection }, inside) => ({ credentials_token: [inside.connection, connection] })],
  ["svc-portfolios", () => ({ client_ref: ["IN", "OUT"] })],
  ["svc-investments", ({ connection }) => ({ credentials_token: connection })],
  ["svc-investments", ({ portfolio }) => ({ portfolio_id: portfolio })],
  ["svc-investment-transactions", ({ connection }) => ({ credentials_token: connection })],
  ["svc-investment-transactions", ({ investment }) => ({ investment_id: investment })],
];

const period = { from: "2026-01-01", to: "2026-11-01" };
/** Endpoints of figures, each with the arguments that it requires. */
export const figures = {
  "list-history": { ...period, interval: "month" },
  "holdings-at": {},
  summary: { by: "client" },
  performance: { ...period, allow_gaps: true },
  income: { ...period, by: "month" },
  gains: {},
} as const;

/** The same by endpoint. */
export const byEndpoint: readonly (readonly [string, (own: Furniture) => object])[] = [
  ...Object.entries(figures).flatMap(([name, args]) => [
    [`/data/v1/${name}`, ({ connection }: Furniture) => ({ ...args, credentials_token: connection })] as const,
    [`/data/v1/${name}`, ({ portfolio }: Furniture) => ({ ...args, portfolio_id: portfolio })] as const,
  ]),
  ["/data/v1/show-connection", ({ connection }) => ({ credentials_token: connection })],
  ["/data/v1/delete-connection", ({ connection }) => ({ credentials_token: connection, confirm: true })],
  ["/data/v1/list-portfolios", ({ connection }) => ({ credentials_token: connection })],
  ["/data/v1/list-investments", ({ portfolio }) => ({ portfolio_id: portfolio })],
  ["/data/v1/list-transactions", ({ investment }) => ({ investment_id: investment })],
  [
    "/data/v1/show-transaction",
    ({ connection, transaction }) => ({ credentials_token: connection, transaction_id: transaction }),
  ],
  ["/data/v1/why", ({ portfolio }) => ({ id: portfolio })],
  ["/data/v1/why", ({ investment }) => ({ id: investment })],
  ["/data/v1/why", ({ transaction }) => ({ id: transaction })],
  ["/data/v1/search-connections", ({ connection }) => ({ query: { connection_id: connection } })],
  ["/connect/v2/connections/refresh", ({ connection }) => ({ connection_id: connection })],
  ["/connect/v2/sessions/end-session", ({ session }) => ({ session_id: session })],
  ["/connect/v2/sessions/renew-link", ({ session }) => ({ session_id: session })],
  ["/connect/v2/sessions/create-session", ({ connection }) => ({ configuration: { connection_id: connection } })],
  ["/connect/v2/sessions/list-sessions", ({ session }) => ({ query: { session_id_in: [session] } })],
  ["/connect/v2/sessions/list-sessions", ({ connection }) => ({ query: { connection_id_in: [connection] } })],
  ["/letters/v1/show-letter", ({ letter }) => ({ letter_id: letter })],
  ["/letters/v1/discontinue-letter", ({ letter }) => ({ letter_id: letter })],
  ["/letters/v1/search-letters", ({ letter }) => ({ query: { id_in: [letter] } })],
  ["/events/v1/list-events", ({ connection }) => ({ query: { object_id: connection } })],
];

/** The endpoints that are of all clients. */
export const ofAllClients = [
  "/clients/v1/assign",
  "/clients/v1/create",
  "/clients/v1/delete",
  "/clients/v1/preview-deletion",
  "/clients/v1/update",
  "/events/v1/create-endpoint",
  "/events/v1/delete-endpoint",
  "/events/v1/hand-over-work",
  "/events/v1/list-deliveries",
  "/events/v1/list-endpoints",
  "/events/v1/list-work",
  "/events/v1/replay",
  "/events/v1/rotate-secret",
  "/events/v1/snooze-work",
  "/events/v1/take-work",
  "/events/v1/test-endpoint",
  "/events/v1/update-endpoint",
  "/events/v1/wake-work",
];

/** What does not exist. */
const unknown = (): Furniture => ({
  connection: randomUUID(),
  session: randomUUID(),
  letter: randomUUID(),
  portfolio: randomUUID(),
  investment: randomUUID(),
  transaction: randomUUID(),
  all: [],
});

/** A connection, its session and a letter of a client. */
export async function furnish(
  tenant: TestTenant,
  client_ref: string | undefined,
  username: string,
): Promise<Furniture> {
  const { id: session, widgetUrl } = await tenant.openSession({
    connector_id: sandboxBanks.eBanking,
    ...(client_ref !== undefined && { client_ref }),
  });
  await connectBank(widgetUrl, { username, password: "the same password" });
  const { connection_id: connection } = await tenant.tools.call("svc-session-status", { session_id: session });
  const letter = await submitLetter(tenant, sandboxBanks.datafeed, { client_ref });
  const ids = async (tool: string): Promise<string[]> => {
    const { items } = await tenant.tools.call(tool, { page_size: 500, credentials_token: connection });
    return items.map(({ id }: { id: string }) => id);
  };
  const [portfolios = [], investments = [], transactions = []] = await Promise.all(
    ["svc-portfolios", "svc-investments", "svc-investment-transactions"].map(ids),
  );
  return {
    connection,
    session,
    letter,
    portfolio: String(portfolios[0]),
    investment: String(investments[0]),
    transaction: String(transactions[0]),
    all: [connection, session, letter, ...portfolios, ...investments, ...transactions],
  };
}

/** An answer without the parts that differ from request to request. */
function blurred({ status, text }: Answer, { all: _, ...ids }: Furniture) {
  let plain = text.replace(/[0-9a-f]{32}/g, "<trace id>");
  for (const id of Object.values(ids)) plain = plain.replaceAll(id, "<the id>");
  return { status, text: plain };
}

/** Tests that whoever is limited gets the answer of what does not exist for what is outside, by every tool and endpoint. */
export function testRefusals(
  rule: string,
  given: () => { readonly limited: TestTenant; readonly inside: Furniture; readonly outside: Furniture },
): void {
  it.each(byTool)(`${rule} %s answers what is outside like what does not exist`, async (tool, args) => {
    const { limited, inside, outside } = given();
    const none = unknown();
    const call = (own: Furniture) => limited.tools.request(toolCall(tool, args(own, inside)));
    const told = blurred(await call(outside), outside);
    expect(told.text).toContain("NOT_FOUND");
    expect(told.text).not.toContain(outside.connection);
    if (Object.keys(args(none, inside))[0] !== "client_ref") expect(told).toEqual(blurred(await call(none), none));
  });

  it.each(byEndpoint)(`${rule} %s answers what is outside like what does not exist`, async (path, body) => {
    const { limited, outside } = given();
    const none = unknown();
    expect(blurred(await limited.post(path, body(outside)), outside)).toEqual(
      blurred(await limited.post(path, body(none)), none),
    );
  });
}
