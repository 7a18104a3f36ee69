import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type BucketAddress, openBucket, parseBucketUrl } from "./document-bucket.js";
import { startS3 } from "./testing/index.js";

describe("DOCUMENTS_URL", () => {
  const none = { prefix: "", region: undefined, endpoint: undefined };
  it.each<[string, BucketAddress | null]>([
    ["s3://letters", { ...none, bucket: "letters" }],
    ["s3://letters/", { ...none, bucket: "letters" }],
    [
      "s3://my.letters/a/b/?region=eu-central-1",
      { ...none, bucket: "my.letters", prefix: "a/b/", region: "eu-central-1" },
    ],
    ["s3://letters?endpoint=http://127.0.0.1:9000", { ...none, bucket: "letters", endpoint: "http://127.0.0.1:9000" }],
    ["letters", null],
    ["https://letters.s3.amazonaws.com", null],
    ["s3://", null],
    ["s3://Letters_1", null],
    ["s3://a", null],
    ["s3://10.0.0.1", null],
    ["s3://key:secret@letters", null],
    ["s3://letters#x", null],
    ["s3://letters/a%20b", null],
    ["s3://letters?endpoint=ftp://x", null],
    ["s3://letters?endpoint=x", null],
    ["s3://letters?region=EU central", null],
    ["s3://letters?region=a&region=b", null],
    ["s3://letters?acl=public", null],
  ])("%s", (text, address) => {
    expect(parseBucketUrl(text)).toEqual(address);
  });
});

describe("a bucket of an S3 server", () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof startS3>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bucket-"));
    server = await startS3(folder, ["letters"]);
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => void vi.unstubAllEnvs());

  const open = (more: Partial<BucketAddress> = {}, accessKeyId = server.accessKeyId) => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", server.secretAccessKey);
    const { endpoint } = server;
    return openBucket({ bucket: "letters", prefix: "prod/", region: "us-east-1", endpoint, ...more });
  };

  it("gives back what it was given, under its prefix, and nothing of another size or once it is removed", async () => {
    const bucket = open();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
    await bucket.put("tenant/letter/1", bytes);
    expect(Buffer.from((await bucket.get("tenant/letter/1", bytes.length)) ?? []).equals(bytes)).toBe(true);
    expect(await bucket.get("tenant/letter/1", 5)).toBeNull();
    expect(await bucket.get("tenant/letter/2", 5)).toBeNull();
    expect((await readdir(join(folder, "letters"), { recursive: true })).join(" ")).toContain("prod/tenant/letter/1");

    await bucket.put("tenant/letter/3", new Uint8Array());
    expect(await bucket.get("tenant/letter/3", 0)).toHaveLength(0);
    await bucket.remove(["tenant/letter/1", "tenant/letter/3", "never there"]);
    expect(await bucket.get("tenant/letter/1", bytes.length)).toBeNull();
    await bucket.remove([]);
  });

  it("says what is wrong: another's key, a bucket that is not there", async () => {
    await expect(open({}, "wrong").put("x", Uint8Array.of(1))).rejects.toThrow(/access key/i);
    await expect(open({ bucket: "other" }).put("x", Uint8Array.of(1))).rejects.toThrow(/bucket/i);
  });

  it("gives up on a server that never answers", { timeout: 20_000 }, async () => {
    const deaf: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
    const { port } = deaf.address() as { port: number };
    vi.stubEnv("AWS_ACCESS_KEY_ID", "a");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "b");
    const address = { bucket: "letters", prefix: "", region: "us-east-1", endpoint: `http://127.0.0.1:${port}` };
    await expect(openBucket(address, { answerMs: 50 }).get("x", 1)).rejects.toThrow(/time/i);
    deaf.close();
  });

  it.each([
    ["an error", 500, "get"],
    ["an error", 500, "put"],
    ["an error", 500, "remove"],
    ["a stored object", 200, "put"],
    ["a removed object", 200, "remove"],
    ["a larger object", 200, "get"],
  ] as const)(
    "[C-8.86] gives up on a server that answers %s without end, %i to %s",
    { timeout: 60_000 },
    async (_what, status, call) => {
      let sent = 0;
      const endless = createHttpServer((request, response) => {
        request.resume();
        response.on("error", () => undefined);
        response.writeHead(status);
        const goOn = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, "x"))) sent += 65_536;
          if (!response.destroyed) response.once("drain", goOn);
        };
        goOn();
      });
      await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
      const { port } = endless.address() as { port: number };
      vi.stubEnv("AWS_ACCESS_KEY_ID", "a");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "b");
      const bucket = openBucket(
        { bucket: "letters", prefix: "", region: "us-east-1", endpoint: `http://127.0.0.1:${port}` },
        { answerMs: 2_000 },
      );
      const asked = {
        get: () => bucket.get("x", 10),
        put: () => bucket.put("x", Uint8Array.of(1)),
        remove: () => bucket.remove(["x"]),
      }[call]();
      // An object of another length counts as missing; nothing of it is read.
      if (status === 200 && call === "get") expect(await asked).toBeNull();
      else await expect(asked).rejects.toThrow();
      endless.closeAllConnections();
      await new Promise((resolve) => endless.close(resolve));
      // For each attempt, including what is buffered in sockets.
      expect(sent).toBeLessThan(40_000_000);
    },
  );

  it("gives up on a server that stops in the middle of an object", { timeout: 20_000 }, async () => {
    const stuck = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"));
    });
    await new Promise<void>((resolve) => stuck.listen(0, "127.0.0.1", resolve));
    const { port } = stuck.address() as { port: number };
    vi.stubEnv("AWS_ACCESS_KEY_ID", "a");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "b");
    const address = { bucket: "letters", prefix: "", region: "us-east-1", endpoint: `http://127.0.0.1:${port}` };
    await expect(openBucket(address, { answerMs: 200 }).get("x", 10)).rejects.toThrow(/time|abort/i);
    stuck.close();
  });
});
