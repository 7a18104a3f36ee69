import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);

/** An account statement with a balance of a day. */
const statement = (account: string, day: string) =>
  Buffer.from(`<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>POFICHBE<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM>
<LEDGERBAL><BALAMT>115.00<DTASOF>${day.replaceAll("-", "")}</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`);

let server: TestServer;
beforeAll(async () => {
  const backend = oneBackend("what is deleted is in the stores' conformance suites; this is about whose days count");
  server = await startTestServer({ backend, schedule: { cleanUp: 200 } });
}, START_TIMEOUT);
afterAll(() => server?.remove());

it("[C-8.211] [C-8.214] a tenant's values are kept for its own history_days, those of others for HISTORY_DAYS; the last one stays", async () => {
  const [short, other] = [await server.createTenant("Short memory"), await server.createTenant("Other")];
  const files = [
    ["1001", ago(800)],
    ["1001", ago(400)],
    ["1001", ago(10)],
    ["1002", ago(800)],
  ] as const;
  for (const tenant of [short, other]) {
    const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
    for (const [account, day] of files) {
      const { status } = await ingest(server, { letter_id }, statement(account, day), `${account} ${day}.ofx`);
      expect([account, day, status]).toEqual([account, day, 200]);
    }
  }
  /** How many of the two accounts have a value at the close of a day, at most a year old. */
  const valued = async (tenant: TestTenant, date: string, stale_after = 365) => {
    const { body } = await tenant.post("/data/v1/summary", { date, by: "currency", stale_after });
    return body.coverage.valued + body.coverage.carried;
  };
  expect([await valued(short, ago(800)), await valued(short, ago(400))]).toEqual([2, 1]);
  const limits = (path: string, body: object) => server.operate(`/operator/v1/tenants/${path}`, body);
  const tenant_id = short.tenantId;
  const shown = ({ items }: { items: readonly { name: string }[] }) =>
    items.find(({ name }) => name === "history_days");
  expect(shown(await limits("limits", { tenant_id }))).toMatchObject({ value: 3_660, source: "default", used: null });
  for (const history_days of [0, 36_501]) {
    const set = { tenant_id, set: { history_days } };
    const { status, body } = await server.operator.post("/operator/v1/tenants/change-limits", set);
    const rule = "must be 1 to 36500";
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: "set.history_days", error_type: "InvalidValue", rule }],
    ]);
  }
  const changed = await limits("change-limits", { tenant_id, set: { history_days: 365 } });
  expect(shown(changed)).toMatchObject({ value: 365, source: "tenant", used: null });
  await eventually(async () => (await valued(short, ago(400))) === 0, "the clean-up");
  expect([await valued(short, ago(800)), await valued(short, ago(10))]).toEqual([1, 1]);
  expect([await valued(other, ago(800)), await valued(other, ago(400))]).toEqual([2, 1]);
});
