import type { RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { isPublicAddress } from "@org/http";
import { describe, expect, it } from "vitest";
import { createDocumentFetch, type DocumentFetchOptions, fault } from "../src/clients/fetch-document.js";
import { createMetadataDocuments, isClientIdAddress } from "../src/clients/metadata-document.js";
import { authorization, codeOf } from "./authorization.js";
import { type DocumentServer, documentServer } from "./document-server.js";
import { install, noon } from "./harness.js";

const REDIRECT = "https://client.example/callback";

/** A server with one document at `/client.json`, and a directory that finds its client. */
async function published(change: Record<string, unknown> | ((server: DocumentServer) => unknown) = {}) {
  const answer: { serve: RequestListener } = { serve: (_req, res) => send(res, document()) };
  const server = await documentServer((req, res) => answer.serve(req, res));
  const id = server.url("/client.json");
  const document = () =>
    typeof change === "function"
      ? change(server)
      : { client_id: id, client_name: "Client", redirect_uris: [REDIRECT], ...change };
  const time = { now: noon };
  const documents = (options: DocumentFetchOptions = {}) => {
    const clock = () => time.now;
    const fetch = createDocumentFetch(clock, { ...server.options, ...options });
    const found = createMetadataDocuments({ fetch, clock, limit: async () => {} });
    return {
      find: (clientId: string, address = "203.0.113.7") => found.find(clientId, { address, at: time.now }),
    };
  };
  const advance = (seconds: number) => {
    time.now = new Date(time.now.getTime() + seconds * 1000);
  };
  return { server, id, documents, advance, answer };
}

function send(res: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200): void {
  res.writeHead(status, { "content-type": "application/json", ...headers });
  res.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

const unusable = (what: string) => ({ code: "invalid_client_metadata", message: expect.stringContaining(what) });

describe("[security.md] client ID metadata documents", () => {
  it("a client that was never registered goes all the way, from the page to tokens", async () => {
    const { server, id } = await published();
    const at = await install({ clientDocuments: server.options });
    const flow = await authorization(at, { client_id: id, client_name: "Client", redirect_uris: [REDIRECT] });
    const page = await flow.signIn(await at.application());
    expect(page.text).toContain("client.example");
    const { status, body } = await flow.exchange(codeOf(await flow.browser.submit("decision", {}, "approve")));
    expect([status, body.token_type]).toEqual([200, "bearer"]);
    expect(server.asked).toContain("/client.json");
  });

  it("the page says what is wrong with a document, without a redirect, and the token endpoint refuses the client", async () => {
    const { server, id } = await published({ client_id: "https://other.example/client.json" });
    const at = await install({ clientDocuments: server.options });
    const flow = await authorization(at, { client_id: id, client_name: "Client", redirect_uris: [REDIRECT] });
    const page = await fetch(flow.url(), { redirect: "manual" });
    expect([page.status, page.headers.has("location")]).toEqual([400, false]);
    expect(await page.text()).toContain("its client_id is not its address");
    const answer = await flow.exchange("wcc_x");
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect(answer.body.error_description).toContain("its client_id is not its address");
  });

  it("are no clients where they are switched off, and nothing is fetched", async () => {
    const { server, id } = await published();
    const at = await install({ clientDocuments: null });
    const flow = await authorization(at, { client_id: id, client_name: "Client", redirect_uris: [REDIRECT] });
    expect((await fetch(flow.url(), { redirect: "manual" })).status).toBe(400);
    expect(server.resolved).toEqual([]);
  });

  it("describe a public client unless they say otherwise", async () => {
    const { documents, id } = await published({ client_uri: "https://client.example", unknown: { a: 1 } });
    expect(await documents().find(id)).toEqual({
      client_id: id,
      kind: "metadata_document",
      client_name: "Client",
      client_uri: "https://client.example",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      secret_hash: null,
      jwks: null,
      jwks_uri: null,
      dpop_bound_access_tokens: false,
    });
  });

  it.each([
    "http://client.example/client.json",
    "https://client.example",
    "https://client.example/client.json#x",
    "https://user@client.example/client.json",
    "https://user:pw@client.example/client.json",
    "https://client.example/a/../client.json",
    "https://client.example/./client.json",
    "https://client.example/%2e%2e/client.json",
    "https://CLIENT.example/client.json",
    "https://client.example:443/client.json",
    "https://client.example\\client.json",
    "https://clïent.example/client.json",
    "https://client.example/client.json ",
    "https:client.example/client.json",
    "https://0x7f.1/client.json",
    `https://client.example/${"a".repeat(2048)}`,
    "https://",
  ])("%s cannot be a client id, and is not looked up", async (id) => {
    const { documents, server } = await published();
    expect(await documents().find(id)).toBeNull();
    expect(server.resolved).toEqual([]);
  });

  it.each(["https://client.example/client.json", "https://client.example:8443/a?b=c", "https://client.example/"])(
    "%s can",
    (id) => expect(isClientIdAddress(id)).toBe(true),
  );

  it.each([
    ["another client_id", { client_id: "https://other.example/client.json" }, "client_id"],
    ["no client_id", { client_id: undefined }, "client_id"],
    ["a client_secret", { client_secret: "x" }, "client_secret"],
    ["the end of a client_secret", { client_secret_expires_at: 0 }, "client_secret"],
    ["a secret method", { token_endpoint_auth_method: "client_secret_post" }, "token_endpoint_auth_method"],
    ["Basic", { token_endpoint_auth_method: "client_secret_basic" }, "token_endpoint_auth_method"],
    ["no redirect_uris", { redirect_uris: undefined }, "redirect_uris"],
    ["no name", { client_name: undefined }, "client_name"],
    ["a name of spaces", { client_name: " " }, "client_name"],
    ["a script to go back to", { redirect_uris: ["javascript:alert(1)"] }, "redirect_uris.0"],
    ["no keys for private_key_jwt", { token_endpoint_auth_method: "private_key_jwt" }, "jwks"],
    ["a private key", { jwks: { keys: [{ kty: "OKP", crv: "Ed25519", x: "a", d: "b" }] } }, "jwks.keys.0"],
  ])("a document with %s is refused", async (_, change, what) => {
    const { documents, id } = await published(change);
    await expect(documents().find(id)).rejects.toMatchObject(unusable(what));
  });
});

describe("[security.md] documents are fetched without reaching what only this server can reach", () => {
  it.each([
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "169.254.169.254",
    "192.0.0.8",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "4000::1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "fe80::1%eth0",
    "no address",
  ])("a name that leads to %s is not connected to", async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    const { documents, id, server } = await published();
    server.addresses = () => [address];
    await expect(documents({ isPublicAddress }).find(id)).rejects.toMatchObject(unusable("no public address"));
    expect(server.asked).toEqual([]);
  });

  it.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"])("%s is public", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it("one private address among public ones is enough to refuse", async () => {
    for (const addresses of [
      ["127.0.0.1", "10.0.0.1"],
      ["10.0.0.1", "127.0.0.1"],
      ["::1", "127.0.0.1"],
    ]) {
      const { documents, id, server } = await published();
      server.addresses = () => addresses;
      await expect(documents().find(id)).rejects.toMatchObject(unusable("no public address"));
      expect(server.asked).toEqual([]);
    }
  });

  it("a name that is not resolved is answered like one that leads to a private network", async () => {
    const { documents, id, server } = await published();
    const failing = { lookup: () => Promise.reject(new Error("ENOTFOUND client.example")) };
    const unresolved = await documents(failing).find(id).catch(String);
    server.addresses = () => ["10.0.0.1"];
    expect(await documents().find(id).catch(String)).toBe(unresolved);
    server.addresses = () => [];
    expect(await documents().find(id).catch(String)).toBe(unresolved);
  });

  it.each(["https://127.0.0.1:PORT/client.json", "https://[::1]:PORT/client.json", "https://169.254.169.254/latest"])(
    "%s, an address instead of a name, is held to the same",
    async (address) => {
      const { documents, server } = await published();
      const id = address.replace("PORT", String(server.port));
      await expect(documents({ isPublicAddress }).find(id)).rejects.toMatchObject(unusable("no public address"));
      expect([server.asked, server.resolved]).toEqual([[], []]);
    },
  );

  it("the connection goes to the address that was checked, whatever the name leads to a moment later", async () => {
    const { documents, id, server } = await published();
    server.addresses = () => (server.resolved.length === 1 ? ["127.0.0.1"] : ["127.0.0.2"]);
    expect(await documents().find(id)).toMatchObject({ client_id: id });
    expect(server.resolved).toEqual(["client.example"]);
    expect(server.reached).toEqual(["127.0.0.1"]);
  });

  it.each([301, 302, 303, 307, 308])("a redirect (%i) is not followed", async (status) => {
    const { documents, id, server, answer } = await published();
    answer.serve = (req, res) =>
      req.url === "/client.json"
        ? send(res, "", { location: server.url("/moved.json") }, status)
        : send(res, { client_id: id, client_name: "Client", redirect_uris: [REDIRECT] });
    await expect(documents().find(id)).rejects.toMatchObject(unusable("redirects are not followed"));
    expect(server.asked).toEqual(["/client.json"]);
  });

  it.each(["https://client.example/client.json", "https://client.example:8443/client.json"])(
    "%s has a port where web servers are expected",
    async (id) => {
      const { documents, server } = await published();
      server.addresses = () => [];
      await expect(documents({ anyPort: false }).find(id)).rejects.toMatchObject(unusable("no public address"));
      expect(server.resolved).toEqual(["client.example"]);
    },
  );

  it.each([22, 80, 5432, 8080, 9443])("port %i is not connected to, nor its host looked up", async (port) => {
    const { documents, server } = await published();
    const asked = documents({ anyPort: false }).find(`https://client.example:${port}/client.json`);
    await expect(asked).rejects.toMatchObject(unusable("its port is neither 443 nor 8443"));
    expect(server.resolved).toEqual([]);
  });

  it("the certificate has to be right", async () => {
    const { documents, server } = await published();
    const stranger = server.url("/client.json", "stranger.example");
    await expect(documents().find(stranger)).rejects.toMatchObject(unusable("cannot be fetched"));
    const { ca: _, ...untrusting } = server.options;
    const fetch = createDocumentFetch(() => noon, untrusting);
    await expect(fetch(server.url("/client.json"), "203.0.113.0/24")).rejects.toMatchObject(
      unusable("cannot be fetched"),
    );
    expect(server.asked).toEqual([]);
  });

  const valid = (id: string) => ({ client_id: id, client_name: "Client", redirect_uris: [REDIRECT] });
  const answers: [string, string, (id: string, res: ServerResponse) => void][] = [
    ["201", "status", (id, res) => send(res, valid(id), {}, 201)],
    ["404", "status", (id, res) => send(res, valid(id), {}, 404)],
    ["500", "status", (id, res) => send(res, valid(id), {}, 500)],
    ["HTML", "not served as JSON", (id, res) => send(res, valid(id), { "content-type": "text/html" })],
    ["no type", "not served as JSON", (id, res) => send(res, valid(id), { "content-type": "" })],
    ["what is no JSON", "JSON", (_, res) => send(res, "{")],
    ["an array", "JSON", (id, res) => send(res, [valid(id)])],
    ["what is no UTF-8", "UTF-8", (_, res) => send(res, Buffer.from([0x22, 0xff, 0x22]))],
    ["gzip", "compressed", (id, res) => send(res, gzipSync(JSON.stringify(valid(id))), { "content-encoding": "gzip" })],
    ["a length above 64 KiB", "larger", (id, res) => send(res, { ...valid(id), x: "a".repeat(65_536) })],
    [
      "an endless stream",
      "larger",
      (_, res) => {
        res.writeHead(200, { "content-type": "application/json" });
        const more = () => res.destroyed || res.write("a".repeat(16_384), more);
        more();
      },
    ],
    ["a broken connection", "cannot be fetched", (_, res) => void res.destroy()],
    [
      "half an answer",
      "cannot be fetched",
      (_, res) => {
        res.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        res.write("{", () => res.destroy());
      },
    ],
  ];
  it.each(answers)("an answer with %s is refused: %s", async (_, what, serve) => {
    const { documents, id, answer } = await published();
    answer.serve = (_req, res) => serve(id, res);
    await expect(documents().find(id)).rejects.toMatchObject(unusable(what));
  });

  it("takes a document of exactly 64 KiB, of a JSON type of its own, with a charset", async () => {
    const { documents, id, answer } = await published();
    const bare = JSON.stringify({ ...valid(id), x: "" }).length;
    const headers = { "content-type": "application/cimd+json; charset=utf-8" };
    answer.serve = (_req, res) => send(res, { ...valid(id), x: "a".repeat(65_536 - bare) }, headers);
    expect(await documents().find(id)).toMatchObject({ client_id: id });
  });

  it("asks for what it takes, and tells nothing about itself", async () => {
    const { documents, id, answer } = await published();
    const seen: object[] = [];
    answer.serve = (req, res) => {
      seen.push(req.headers);
      send(res, valid(id));
    };
    await documents().find(id);
    expect(seen).toEqual([
      { accept: "application/json", "accept-encoding": "identity", connection: "close", host: new URL(id).host },
    ]);
  });

  it("gives up on a slow answer, a slow body and a slow resolver", async () => {
    const { documents, id, answer, server } = await published();
    const refusal = unusable("cannot be fetched");
    answer.serve = () => {};
    await expect(documents({ maxSeconds: 0.1 }).find(id)).rejects.toMatchObject(refusal);
    answer.serve = (_req, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      res.write("{");
    };
    await expect(documents({ maxSeconds: 0.1 }).find(id)).rejects.toMatchObject(refusal);
    const asked = server.asked.length;
    const never = { lookup: () => new Promise<never>(() => {}) };
    await expect(documents({ ...never, maxSeconds: 0.02 }).find(id)).rejects.toMatchObject(refusal);
    expect(server.asked).toHaveLength(asked);
  });
});

describe("[security.md] documents are cached as their headers say", () => {
  const cases: [string, Record<string, string>, number][] = [
    ["max-age", { "cache-control": "max-age=60" }, 60],
    ["max-age less Age", { "cache-control": "max-age=60", age: "20" }, 40],
    ["s-maxage before max-age", { "cache-control": "max-age=60, s-maxage=30" }, 30],
    ["no longer while stale", { "cache-control": "max-age=60, stale-while-revalidate=600, stale-if-error=600" }, 60],
    ["a day at most", { "cache-control": "max-age=31536000, immutable" }, 24 * 3600],
    ["Expires", { date: "Thu, 15 Jan 2026 12:00:00 GMT", expires: "Thu, 15 Jan 2026 12:02:00 GMT" }, 120],
    ["five minutes when they say nothing", {}, 300],
    ["not at all with no-store", { "cache-control": "no-store" }, 0],
    ["not at all with no-cache", { "cache-control": "no-cache" }, 0],
    ["not at all with private", { "cache-control": "private, max-age=60" }, 0],
    ["not at all with max-age=0", { "cache-control": "max-age=0" }, 0],
    ["not at all when expired", { expires: "0" }, 0],
  ];
  it.each(cases)("%s: %j for %i s", async (_, headers, seconds) => {
    const { documents, id, server, advance, answer } = await published();
    answer.serve = (_req, res) =>
      send(res, { client_id: id, client_name: "Client", redirect_uris: [REDIRECT] }, headers);
    const found = documents();
    await found.find(id);
    if (seconds > 0) {
      advance(seconds - 1);
      await found.find(id);
      expect(server.asked).toHaveLength(1);
    }
    advance(1);
    await found.find(id);
    expect(server.asked).toHaveLength(2);
  });

  it("a changed document counts once the old one has expired", async () => {
    const { documents, id, advance, answer } = await published();
    const named =
      (client_name: string): RequestListener =>
      (_req, res) =>
        send(res, { client_id: id, client_name, redirect_uris: [REDIRECT] }, { "cache-control": "max-age=60" });
    const found = documents();
    answer.serve = named("Old");
    expect(await found.find(id)).toMatchObject({ client_name: "Old" });
    answer.serve = named("New");
    expect(await found.find(id)).toMatchObject({ client_name: "Old" });
    advance(60);
    expect(await found.find(id)).toMatchObject({ client_name: "New" });
  });

  it("a fault is remembered for ten seconds, whatever the headers say", async () => {
    const { documents, id, server, advance, answer } = await published();
    const good = answer.serve;
    answer.serve = (_req, res) => send(res, "", { "cache-control": "max-age=3600" }, 404);
    const found = documents();
    await expect(found.find(id)).rejects.toMatchObject(unusable("status"));
    answer.serve = good;
    advance(9);
    await expect(found.find(id)).rejects.toMatchObject(unusable("status"));
    expect(server.asked).toHaveLength(1);
    advance(1);
    expect(await found.find(id)).toMatchObject({ client_id: id });
  });

  it("requests for one document at the same time are one fetch, for two documents two", async () => {
    const { documents, server, answer } = await published();
    answer.serve = (req, res) =>
      send(
        res,
        { client_id: server.url(req.url ?? ""), client_name: "Client", redirect_uris: [REDIRECT] },
        { "cache-control": "no-store" },
      );
    const found = documents();
    const [a, b] = [server.url("/a.json"), server.url("/b.json")];
    const clients = await Promise.all([a, b, a, b, a, a].map((id) => found.find(id)));
    expect(clients.map((client) => client?.client_id)).toEqual([a, b, a, b, a, a]);
    expect([...server.asked].sort()).toEqual(["/a.json", "/b.json"]);
    await found.find(a);
    expect(server.asked).toHaveLength(3);
  });

  it("an expired document whose server is away is not used on", async () => {
    const { documents, id, advance, answer } = await published();
    const found = documents();
    await found.find(id);
    answer.serve = (_req, res) => send(res, "", {}, 503);
    advance(300);
    await expect(found.find(id)).rejects.toMatchObject(unusable("status"));
  });

  it("faults take no place of documents, however many there are", async () => {
    const fetched: string[] = [];
    const found = createMetadataDocuments({
      async fetch(address) {
        fetched.push(address);
        if (address.startsWith("https://bad.")) throw fault("its status is not 200");
        return {
          content: { client_id: address, client_name: "Client", redirect_uris: [REDIRECT] },
          bytes: 100,
          maxAgeSeconds: 300,
        };
      },
      limit: async () => {},
      clock: () => noon,
    });
    const from = { address: "203.0.113.7", at: noon };
    const good = "https://client.example/client.json";
    await found.find(good, from);
    for (let index = 0; index < 9_000; index++)
      await expect(found.find(`https://bad.example/${index}`, from)).rejects.toThrow();
    fetched.length = 0;
    await found.find(good, from);
    expect(fetched).toEqual([]);
  });
});

describe("[security.md] what is fetched for strangers has limits", () => {
  const busy = { code: "temporarily_unavailable", retryAfterSeconds: 5 };
  const faulty = { code: "invalid_client_metadata" };

  /** Documents whose server answers only after `go` is called. */
  async function held() {
    const site = await published();
    const waiting: (() => void)[] = [];
    const arrivals: (() => void)[] = [];
    site.answer.serve = (req, res) => {
      const client_id = `https://${req.headers.host}${req.url}`;
      waiting.push(() => send(res, { client_id, client_name: "Client", redirect_uris: [REDIRECT] }));
      for (const arrived of arrivals) arrived();
    };
    const arrived = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => waiting.length >= count && resolve();
        arrivals.push(look);
        look();
      });
    const go = () => {
      for (const answer of waiting) answer();
    };
    return { ...site, arrived, go, found: site.documents({ maxSeconds: 30 }) };
  }

  it("[C-9.515] a hundred at once, half of them of one network, then temporarily_unavailable, which is not remembered", async () => {
    const { server, found, arrived, go, answer } = await held();
    const id = (index: number) => server.url("/client.json", `h${index}.many.example`);
    const fetches = Array.from({ length: 50 }, (_, index) => found.find(id(index)));
    await arrived(50);
    await expect(found.find(id(100))).rejects.toMatchObject(busy);
    for (let index = 50; index < 100; index += 1) fetches.push(found.find(id(index), `198.51.${index}.1`));
    await arrived(100);
    await expect(found.find(id(100), "192.0.2.1")).rejects.toMatchObject(busy);
    go();
    expect(await Promise.all(fetches)).toHaveLength(100);
    answer.serve = (req, res) =>
      send(res, {
        client_id: `https://${req.headers.host}${req.url}`,
        client_name: "Client",
        redirect_uris: [REDIRECT],
      });
    expect(await found.find(id(100))).toMatchObject({ client_id: id(100) });
  });

  it("four of one host at once, whatever the port, while others go on", async () => {
    const { server, found, arrived, go } = await held();
    const fetches = [0, 1, 2, 3].map((index) => found.find(server.url(`/${index}.json`)));
    await arrived(4);
    await expect(found.find(server.url("/4.json"))).rejects.toMatchObject(busy);
    await expect(found.find("https://client.example:1/4.json")).rejects.toMatchObject(busy);
    const other = found.find(server.url("/4.json", "other.example"));
    await arrived(5);
    go();
    expect(await Promise.all([...fetches, other])).toHaveLength(5);
  });

  it("what waits for a fetch that is under way takes no place", async () => {
    const { server, found, arrived, go } = await held();
    const fetches = Array.from({ length: 20 }, () => found.find(server.url("/client.json")));
    await arrived(1);
    go();
    expect(await Promise.all(fetches)).toHaveLength(20);
  });

  it.each([
    ["has no address", () => [] as string[]],
    ["leads to a private network", () => ["10.0.0.1"]],
  ])("a host that %s is not looked up again for ten seconds, for any document", async (_, addresses) => {
    const { documents, server, advance } = await published();
    server.addresses = addresses;
    const found = documents();
    for (const path of ["/a.json", "/b.json", "/a.json"])
      await expect(found.find(server.url(path))).rejects.toMatchObject(faulty);
    expect(server.resolved).toHaveLength(1);
    await expect(found.find(server.url("/a.json", "other.example"))).rejects.toMatchObject(faulty);
    expect(server.resolved).toHaveLength(2);
    advance(10);
    await expect(found.find(server.url("/b.json"))).rejects.toMatchObject(faulty);
    expect(server.resolved).toHaveLength(3);
  });

  it("a closed port is remembered alike, and makes no other port of the host unreachable", async () => {
    const { documents, id, server } = await published();
    const found = documents();
    for (const path of ["a", "b"])
      await expect(found.find(`https://client.example:1/${path}`)).rejects.toMatchObject(faulty);
    expect(server.resolved).toHaveLength(1);
    expect(await found.find(id)).toMatchObject({ client_id: id });
  });

  it("a slow page of a host makes no other page of it unreachable", async () => {
    const { documents, id, server, answer } = await published();
    const good = answer.serve;
    answer.serve = (req, res) => void (req.url === "/client.json" && good(req, res));
    const found = documents({ maxSeconds: 0.3 });
    await expect(found.find(server.url("/slow.json"))).rejects.toMatchObject(faulty);
    expect(server.asked).toEqual(["/slow.json"]);
    expect(await found.find(id)).toMatchObject({ client_id: id });
  });

  it("thirty a minute and network, over replicas, apart from what is in the cache", async () => {
    const server = await documentServer((req, res) => {
      send(res, {
        client_id: `https://${req.headers.host}${req.url}`,
        client_name: "Client",
        redirect_uris: [REDIRECT],
      });
    });
    const at = await install({ clientDocuments: server.options });
    const { url: replica } = await at.replica();
    const flow = await authorization(at);
    const open = (path: string, { from = "203.0.113.7", to = at.issuer } = {}) =>
      fetch(flow.url({ client_id: server.url(path) }).replace(at.issuer, to), {
        headers: { "x-test-address": from },
        redirect: "manual",
      });
    for (let index = 0; index < 30; index++)
      expect((await open(`/${index}.json`, { to: index % 2 ? replica : at.issuer })).status).toBe(200);
    at.advance(20);
    for (const to of [at.issuer, replica]) {
      const page = await open("/30.json", { from: "203.0.113.200", to });
      expect([page.status, page.headers.get("retry-after"), page.headers.has("location")]).toEqual([429, "40", false]);
      expect(await page.text()).toContain("Wait a minute");
    }
    const refused = await flow.exchange("wcc_x", { client_id: server.url("/30.json") });
    expect(refused).toMatchObject({ status: 429, body: { error: "temporarily_unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(server.asked).not.toContain("/30.json");

    expect((await open("/0.json")).status).toBe(200);
    expect((await open("/30.json", { from: "198.51.100.1" })).status).toBe(200);
    at.advance(40);
    expect((await open("/31.json")).status).toBe(200);
    // A whole IPv6 /56 does not get 256 times as many.
    for (let network = 0; network < 4; network++)
      for (let index = 0; index < 30; index++)
        expect((await open(`/${network}-${index}.json`, { from: `2001:db8:0:${network}::1` })).status).toBe(200);
    expect((await open("/32.json", { from: "2001:db8:0:4::1" })).status).toBe(429);
    expect(at.events.filter(({ detail }) => detail === "busy")).toHaveLength(3);
    expect(at.log).toEqual([]);
  });
});

describe("[security.md] the page shows the host of the client_id, which is all that is proven", () => {
  it.each(["http://127.0.0.1:5/cb", "cursor://host/cb", "https://elsewhere.example/cb"])(
    "also when control returns to %s",
    async (redirect) => {
      const { server, id } = await published({ redirect_uris: [redirect] });
      const at = await install({ clientDocuments: server.options });
      const flow = await authorization(at, { client_id: id, redirect_uris: [redirect] });
      const page = await flow.browser.open(flow.url());
      expect(page.text).toContain(new URL(id).host);
      expect(page.text).toContain("Name not verified");
      expect(page.text).not.toMatch(/on this computer|An app that opens/);
    },
  );

  it("a document that went bad between two steps is told, and is no defect", async () => {
    const { server, id, answer } = await published();
    const at = await install({ clientDocuments: server.options });
    const flow = await authorization(at, { client_id: id, client_name: "Client", redirect_uris: [REDIRECT] });
    await flow.browser.open(flow.url());
    answer.serve = (_req, res) => send(res, "", {}, 404);
    at.advance(301);
    const page = await flow.browser.submit("cancel");
    expect(page.status).toBe(400);
    expect(page.text).toContain("its status is not 200");
    expect(at.log).toEqual([]);
  });
});
