import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startS3 } from "@org/installation/testing";
import { plainPdf } from "@org/letter-documents/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../../cli/test/command-line.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";

const DATABASE = oneBackend("what a letter's row says of its documents is in the stores' conformance suite, on both");

describe("[C-7.6] letters whose documents are in a bucket", () => {
  let server: TestServer;
  let s3: Awaited<ReturnType<typeof startS3>>;
  let folder: string;
  let bucket: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bucket-"));
    s3 = await startS3(folder, ["letters"]);
    bucket = {
      DOCUMENTS_URL: `s3://letters/prod?region=us-east-1&endpoint=${s3.endpoint}`,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    };
    server = await startTestServer({ backend: DATABASE, schedule: { cleanUp: 200 } });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await s3?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Files of the bucket with an object's bytes. */
  const objects = async () =>
    (await readdir(join(folder, "letters"), { recursive: true })).filter((name) => name.endsWith("._S3rver_object"));
  const submit = (data: Buffer, headers = {}) =>
    server.demo.post(
      "/letters/v1/create-signed",
      { connector_id: sandboxBanks.datafeed, data: data.toString("base64") },
      { headers },
    );
  const download = (letter_id: string) =>
    server.operator.post("/operator/v1/letters/document", { letter_id, kind: "letter" });
  const finding = async () => {
    const { items } = await server.operate("/operator/v1/doctor/examine", {});
    return items.find(({ check }: { check: string }) => check === "documents");
  };

  it("[C-8.86] move there from the database by command, while they are read", { timeout: START_TIMEOUT }, async () => {
    const pdfs = await Promise.all(["one", "two", "three"].map((text) => plainPdf(text)));
    const letters: string[] = [];
    for (const pdf of pdfs) letters.push((await submit(pdf)).body.letter_id);
    await server.start(bucket);
    // One server at a time has an embedded database.
    if (DATABASE === "embedded") await server.stop();
    const cli = commandLine();
    const env = { ...server.installation.environment, ...bucket };
    const keys = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey };
    const before = Object.keys(keys).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, keys);
    try {
      const { code, stderr } = await cli.run(["documents", "move"], { env: server.installation.environment });
      expect([code, stderr]).toEqual([1, expect.stringContaining("DOCUMENTS_URL is not set")]);
      const found = { documents: 3, bytes: pdfs.reduce((sum, { length }) => sum + length, 0) };
      const planned = await cli.json(["documents", "move", "--dry-run"], { env });
      expect(planned.document).toMatchObject({
        dry_run: true,
        bucket: "s3://letters/prod",
        found,
        moved: 0,
        left: found,
      });
      expect(await objects()).toEqual([]);
      let isOver = false;
      const reading = (async () => {
        for (let turn = 0; !isOver && DATABASE === "postgres"; turn += 1)
          expect((await download(letters[turn % 3] as string)).status).toBe(200);
      })();
      const done = await cli.json(["documents", "move"], { env });
      isOver = true;
      await reading;
      expect(done.document).toMatchObject({ found, moved: 3, unreadable: [], left: { documents: 0, bytes: 0 } });
      expect((await cli.json(["documents", "move"], { env })).document).toMatchObject({ moved: 0 });
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      cli.remove();
    }
    if (DATABASE === "embedded") await server.start(bucket);
    expect(await objects()).toHaveLength(3);
    for (const [index, letter_id] of letters.entries()) {
      const found = await download(letter_id);
      expect(Buffer.from(found.body.data, "base64").equals(pdfs[index] as Buffer)).toBe(true);
      await server.demo.post("/letters/v1/discontinue-letter", { letter_id });
    }
    await expect.poll(objects, { timeout: 5_000 }).toEqual([]);
  });

  it("are kept there encrypted, come back as they were, and go when the letter ends", async () => {
    const pdf = await plainPdf("very private");
    const { status, body } = await submit(pdf);
    expect(status).toBe(200);
    const [name] = await objects();
    expect(name).toContain(`prod/${server.demo.tenantId}/${body.letter_id}/`);
    const stored = await readFile(join(folder, "letters", name as string));
    expect([stored.length, stored.includes("PDF")]).toEqual([pdf.length, false]);
    const found = await download(body.letter_id);
    expect(Buffer.from(found.body.data, "base64").equals(pdf)).toBe(true);
    expect(await finding()).toMatchObject({ state: "ok" });

    const { body: ended } = await server.demo.post("/letters/v1/discontinue-letter", { letter_id: body.letter_id });
    expect(ended.error).toBeUndefined();
    await expect.poll(objects, { timeout: 5_000 }).toEqual([]);
  });

  it("leave nothing there where no letter is made of them: by a retry, or beyond the tenant's limit", async () => {
    const [pdf, headers] = [await plainPdf("once"), { "Idempotency-Key": "once" }];
    const { body } = await submit(pdf, headers);
    const first = await objects();
    for (const status of [200, 200]) expect(await submit(pdf, headers)).toMatchObject({ status, body });
    expect((await submit(await plainPdf("another"), headers)).status).toBe(422);
    await expect.poll(objects, { timeout: 5_000 }).toEqual(first);
    const limit = (change: object) =>
      server.operate("/operator/v1/tenants/change-limits", { tenant_id: server.demo.tenantId, ...change });
    await limit({ set: { letters: 1 } });
    await expect.poll(async () => (await submit(pdf)).status, { timeout: 10_000 }).toBe(429);
    await limit({ reset: ["letters"] });
    await expect.poll(objects, { timeout: 5_000 }).toEqual(first);
  });

  it("are refused with 503 while it is away, and nothing is kept; what is there is read once it is back", async () => {
    const { body: kept } = await submit(await plainPdf("kept"));
    const total = async () => (await server.demo.post("/letters/v1/search-letters", { query: {} })).body.total;
    const before = await total();
    const { port } = new URL(s3.endpoint);
    await s3.close();
    const refused = await submit(await plainPdf("refused"));
    expect([refused.status, refused.headers.get("retry-after"), refused.body.error]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      { code: "UNAVAILABLE", message: expect.stringContaining("nothing was kept") },
    ]);
    expect((await download(kept.letter_id)).status).toBe(503);
    expect(await finding()).toMatchObject({ state: "fail" });
    expect(await total()).toBe(before);
    expect((await send(`${server.url}/readyz`)).status).toBe(200);
    s3 = await startS3(folder, ["letters"], Number(port));
    expect((await download(kept.letter_id)).status).toBe(200);
  });
});
