import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { generate } from "selfsigned";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWebhookClient } from "./webhook-client.js";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

async function listening(server: Server, host = "127.0.0.1"): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A receiver with the given request listener. */
const receiver = async (answer: RequestListener) => `http://127.0.0.1:${await listening(createServer(answer))}/hooks`;
/** A receiver that does not speak HTTP, or speaks it badly. */
const rawReceiver = async (speak: (socket: Socket) => void) =>
  `http://127.0.0.1:${await listening(createTcpServer(speak))}/`;

function clientOf(options: Partial<Parameters<typeof createWebhookClient>[0]> = {}) {
  const client = createWebhookClient({ privateNetworks: LOOPBACK, clock: () => new Date(), maxMs: 30_000, ...options });
  onTestFinished(client.close);
  return (url: string, signal = new AbortController().signal) =>
    client.post({ url, headers: { "webhook-id": "1" }, body: '{"a":"ü"}', signal });
}
const found = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("[C-11.61] an answer", () => {
  it("of 2xx says what the receiver said; the connection is kept for the next delivery", async () => {
    const [bodies, sockets]: [string[], Set<unknown>] = [[], new Set()];
    const url = await receiver(async (request, response) => {
      sockets.add(request.socket);
      let body = "";
      for await (const chunk of request) body += chunk;
      bodies.push(`${request.method} ${request.headers["webhook-id"]} ${request.headers["content-length"]} ${body}`);
      response.end("taken\u001b[31m\u0000");
    });
    const post = clientOf();
    for (let count = 0; count < 3; count++)
      expect(await post(url)).toMatchObject({ status: 200, error: null, answer: "taken[31m", retry_after_ms: null });
    expect(bodies).toEqual(Array(3).fill('POST 1 10 {"a":"ü"}'));
    expect(sockets.size).toBe(1);
  });

  it("with a kept connection that the receiver has closed meanwhile is asked for again", async () => {
    let count = 0;
    const url = await rawReceiver((socket) => {
      socket.once("data", () => {
        count += 1;
        socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        // It answers one request, and resets the connection at the second.
        socket.once("data", () => socket.resetAndDestroy());
      });
    });
    const post = clientOf();
    for (let tries = 0; tries < 3; tries++) expect(await post(url)).toMatchObject({ status: 204, error: null });
    expect(count).toBe(3);
  });

  it.each([
    ["seconds", "120", 120_000],
    ["a date that is over", "Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["no time", "soon", null],
    ["a number like a year", "-5", null],
  ])("Retry-After: %s", async (_, header, retry_after_ms) => {
    const url = await receiver((_request, response) => response.writeHead(503, { "retry-after": header }).end());
    expect(await clientOf()(url)).toMatchObject({ status: 503, error: null, retry_after_ms });
  });

  it("of more than a kilobyte is read to one, and the connection ended", async () => {
    let written = 0;
    const url = await receiver((_request, response) => {
      response.writeHead(500);
      const more = () => {
        written += 65_536;
        if (written < 64 * 1_048_576 && response.write("é".repeat(32_768))) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    });
    const { status, answer } = await clientOf()(url);
    expect([status, Buffer.byteLength(answer ?? "")]).toEqual([500, 1_024]);
    expect(written).toBeLessThan(16 * 1_048_576);
  });

  it("is what its status says, however long the body takes to come", async () => {
    const url = await rawReceiver((socket) =>
      socket.once("data", () => drip(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")),
    );
    expect(await clientOf({ maxBodyMs: 100 })(url)).toMatchObject({ status: 200, error: null });
  });

  it("of bytes that are no text is text all the same, of a kilobyte at most", async () => {
    const url = await receiver((_request, response) => response.end(Buffer.alloc(1_024, 0xff)));
    const { answer } = await clientOf()(url);
    expect(Buffer.byteLength(answer ?? "")).toBeLessThanOrEqual(1_024);
  });
});

describe("[C-11.69] a hostile receiver", () => {
  it.each([
    ["never answers", () => undefined, "timeout"],
    ["sends headers drop by drop", (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\nx: "), "timeout"],
    ["promises an answer without end", (socket: Socket) => drip(socket, "", HINTS.repeat(200)), "timeout"],
    ["resets", (socket: Socket) => socket.resetAndDestroy(), "connection_lost"],
    ["closes without a word", (socket: Socket) => socket.end(), "connection_lost"],
    ["speaks no HTTP", (socket: Socket) => socket.end("220 smtp.example ESMTP\r\n"), "invalid_answer"],
    ["sends headers without end", bomb, "invalid_answer"],
    ["wants another protocol", (socket: Socket) => socket.end(UPGRADE), "connection_lost"],
  ] as const)("that %s is a try that failed", async (_, behave, error) => {
    const url = await rawReceiver((socket) => socket.once("data", () => behave(socket)));
    // The timeout is short only where it is the expected error.
    const client = clientOf(error === "timeout" ? { maxMs: 300 } : {});
    expect(await client(url)).toMatchObject({ status: null, error, answer: null });
  });

  it("that redirects is not followed", async () => {
    const asked: string[] = [];
    const url = await receiver((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await clientOf()(url)).toMatchObject({ status: 307, error: "redirect" });
    expect(asked).toEqual(["/hooks"]);
  });

  it("is cut off when the server stops", async () => {
    const stop = new AbortController();
    const url = await receiver(() => stop.abort());
    expect(await clientOf()(url, stop.signal)).toMatchObject({ status: null, error: "cut_off" });
    expect(await clientOf()(url, stop.signal)).toMatchObject({ error: "cut_off" });
  });
});

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";

const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";

function drip(socket: Socket, text: string, drop = "x"): void {
  socket.write(text);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.once("close", () => clearInterval(timer));
}

function bomb(socket: Socket): void {
  socket.write(`HTTP/1.1 200 OK\r\n${`x-header: ${"y".repeat(1_000)}\r\n`.repeat(64)}`);
}

describe("[C-11.63] addresses", () => {
  it.each([
    "http://127.0.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f.1:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://localhost:PORT/",
    "http://sub.localhost:PORT/",
    "http://0.0.0.0:PORT/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.100.100.200/",
    "https://168.63.129.16/",
    "https://192.168.1.1/",
    "https://224.0.0.1/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://0251.0376.0251.0376/",
    "https://2852039166/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://[fd00:ec2::254]/latest/meta-data",
    "https://①②⑦.⓪.⓪.①/",
    "https://%31%32%37.0.0.1/",
    "https://127.0.0.1./",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[2001:0:7f00:1::]/",
    "https://[2001:db8::1]/",
    "https://[::]/",
    "https://192.0.0.192/",
    "https://198.18.0.1/",
    "https://255.255.255.255/",
  ])("%s is not connected to unless its network is named", async (url) => {
    let connections = 0;
    const port = await listening(createTcpServer(() => (connections += 1)));
    const post = clientOf({ privateNetworks: [] });
    expect(await post(url.replace("PORT", String(port)))).toMatchObject({ error: "address_not_allowed" });
    expect(connections).toBe(0);
  });

  it("a name is looked up once for each connection, and what was checked is what is connected to", async () => {
    const port = await listening(createServer((_request, response) => response.end()));
    const names: string[] = [];
    // The second look-up returns another address, as with DNS rebinding.
    const lookup = async (host: string) => {
      names.push(host);
      return names.length === 1 ? found("127.0.0.1") : found("127.0.0.2");
    };
    const post = clientOf({ privateNetworks: ["127.0.0.1/32"], lookup });
    expect(await post(`http://rebound.example:${port}/`)).toMatchObject({ status: 200 });
    expect(names).toEqual(["rebound.example"]);
    expect(
      await clientOf({ privateNetworks: ["127.0.0.1/32"], lookup })(`http://rebound.example:${port}/`),
    ).toMatchObject({
      error: "address_not_allowed",
    });
  });

  it.each([
    ["one private address among public ones refuses them all", ["8.8.8.8", "10.0.0.1"], "address_not_allowed"],
    ["a mapped address is what it maps to", ["::ffff:10.0.0.1"], "address_not_allowed"],
    ["a name without addresses", [], "host_not_found"],
  ])("%s", async (_, addresses, error) => {
    const post = clientOf({ lookup: async () => found(...addresses) });
    expect(await post("https://receiver.example/")).toMatchObject({ error });
  });

  it("without TLS only this machine is spoken to, whatever networks are named", async () => {
    const post = clientOf({ privateNetworks: ["0.0.0.0/0"], lookup: async () => found("10.0.0.1") });
    expect(await post("http://receiver.example/")).toMatchObject({ error: "address_not_allowed" });
    expect(await post("http://8.8.8.8/")).toMatchObject({ error: "address_not_allowed" });
  });

  it.each(["ftp://127.0.0.1/", "https://user:password@127.0.0.1/", "nowhere"])("%s is no address", async (url) =>
    expect(await clientOf()(url)).toMatchObject({ error: "invalid_url" }),
  );

  it("a port where nobody listens is a refused connection", async () => {
    const port = await listening(createTcpServer());
    const server = createTcpServer();
    const free = await listening(server);
    server.close();
    expect(port).not.toBe(free);
    expect(await clientOf()(`http://127.0.0.1:${free}/`)).toMatchObject({ error: "connection_refused" });
  });
});

describe("[C-11.63] TLS", () => {
  it("the receiver has to prove its name to an authority that is trusted", async () => {
    const altNames = [{ type: 2, value: "receiver.example" }] as const;
    const { cert, private: key } = await generate([{ name: "commonName", value: "receiver.example" }], {
      keyType: "ec",
      algorithm: "sha256",
      extensions: [{ name: "subjectAltName", altNames: [...altNames] }],
    });
    const port = await listening(createTlsServer({ cert, key }, (_request, response) => response.end()));
    const lookup = async () => found("127.0.0.1");
    const at = (host: string) => `https://${host}:${port}/`;
    expect(await clientOf({ lookup, ca: cert })(at("receiver.example"))).toMatchObject({ status: 200 });
    expect(await clientOf({ lookup, ca: cert })(at("other.example"))).toMatchObject({ status: null, error: "tls" });
    expect(await clientOf({ lookup })(at("receiver.example"))).toMatchObject({ status: null, error: "tls" });
  });
});
