import { EICAR, startClamd } from "@org/installation/testing";
import { plainPdf } from "@org/letter-documents/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";

describe("virus scan of letters", () => {
  let server: TestServer;
  let clamd: Awaited<ReturnType<typeof startClamd>>;
  beforeAll(async () => {
    clamd = await startClamd();
    server = await startTestServer({
      backend: oneBackend("a document is scanned before anything is stored"),
      environment: { CLAMD_URL: clamd.url, METRICS: "true" },
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await clamd?.close();
  });
  const base64 = async (text?: string) => (await plainPdf(text)).toString("base64");
  /** A sound PDF with the test file after a comment sign. */
  const infected = async () =>
    Buffer.from((await plainPdf()).toString("latin1").replace("%%EOF", `%${EICAR}\n%%EOF`), "latin1").toString(
      "base64",
    );
  const submit = (body: object) =>
    server.demo.post("/letters/v1/create-signed", { connector_id: sandboxBanks.datafeed, ...body });
  /** Records arrive a moment after the response. */
  const logged = (record: object) =>
    expect.poll(() => server.process.log()).toContainEqual(expect.objectContaining(record));
  const total = async () => (await server.demo.post("/letters/v1/search-letters", { query: {} })).body.total;

  it("a clean letter is taken, and both its documents were scanned as they are", async () => {
    const [data, annex] = [await base64("the letter"), await base64("its annex")];
    const before = clamd.received.length;
    expect((await submit({ data, annex })).status).toBe(200);
    expect(clamd.received.slice(before).map((bytes) => bytes.toString("base64"))).toEqual([data, annex]);
  });

  it.each(["data", "annex"])("what was found is a fault of %s, beside all others", async (field) => {
    const before = await total();
    const sound = { data: await base64(), annex: await base64() };
    const body = { ...sound, [field]: await infected(), labels: { "no spaces": "x" } };
    const { status, body: refusal } = await submit(body);
    expect(status).toBe(400);
    expect(refusal.error.code).toBe("VALIDATION_ERROR");
    expect(refusal.error.details.map((fault: { field: string }) => fault.field).sort()).toEqual(
      [field, "labels.no spaces"].sort(),
    );
    expect(refusal.error.details.find((fault: { field: string }) => fault.field === field)).toEqual({
      field,
      error_type: "InvalidValue",
      rule: "must not hold malicious content: Eicar-Test-Signature was found",
    });
    expect(await total()).toBe(before);
    await logged({
      msg: "malicious document refused",
      signature: "Eicar-Test-Signature",
      trace_id: refusal.trace_id,
    });
  });

  it("without a verdict no letter is taken: 503, what to do, and nothing kept; other faults are told first", async () => {
    const before = await total();
    clamd.behaviour.reply = null;
    const refused = await submit({ data: await base64() });
    const faulty = await submit({ data: await base64(), labels: { "no spaces": "x" } });
    clamd.behaviour.reply = undefined;
    expect([refused.status, refused.headers.get("retry-after"), refused.body]).toEqual([
      503,
      "60",
      {
        success: false,
        error: { code: "UNAVAILABLE", message: expect.stringContaining("cannot be scanned") },
        trace_id: expect.any(String),
      },
    ]);
    expect([faulty.status, faulty.body.error.details]).toMatchObject([400, [{ field: "labels.no spaces" }]]);
    expect(await total()).toBe(before);
    await logged({ level: "error", trace_id: refused.body.trace_id });
    expect((await submit({ data: await base64() })).status).toBe(200);
  });

  it("scans are counted by what they came to", async () => {
    const { text } = await send(`${server.url}/metrics`);
    for (const outcome of ["clean", "infected", "failed"])
      expect(text).toMatch(new RegExp(`wealth_connect_virus_scan_seconds_count\\{outcome="${outcome}"\\} [1-9]`));
  });
});
