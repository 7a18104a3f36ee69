import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDocumentFetch } from "../src/clients/fetch-document.js";
import { authorization, codeOf, REDIRECT } from "./authorization.js";
import { documentServer } from "./document-server.js";
import { install, noon } from "./harness.js";

/** A proxy that leads every host to this machine, and answers with `status` otherwise. */
async function startProxy(status = 200) {
  const asked: { target: string | undefined; credentials: string | undefined }[] = [];
  const proxy = createServer();
  proxy.on("connect", ({ url, headers }, socket) => {
    asked.push({ target: url, credentials: headers["proxy-authorization"] });
    socket.on("error", () => {});
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const upstream = connect(Number(url?.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { asked, url: `http://${host}`, withCredentials: `http://ada:s3cr%40t@${host}` };
}

/** A client's document behind name servers that know no host on the internet. */
async function withoutInternet() {
  const server = await documentServer((_req, res) => {
    res.writeHead(200, { "content-type": "application/json" });
    res.end(JSON.stringify({ client_id: id, client_name: "Client", redirect_uris: [REDIRECT] }));
  });
  const id = server.url("/client.json");
  const lookup = async () => {
    throw new Error("queryA ENOTFOUND");
  };
  return { server, id, options: { ...server.options, lookup } };
}

async function offersDocuments(issuer: string): Promise<unknown> {
  const answer = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
  return ((await answer.json()) as Record<string, unknown>).client_id_metadata_document_supported;
}

describe("[C-3.40] a server without direct internet", () => {
  it("fetches clients' documents through the proxy, over TLS that ends at the client's host", async () => {
    const { server, id, options } = await withoutInternet();
    const { asked, withCredentials } = await startProxy();
    const at = await install({ clientDocuments: { ...options, proxy: { url: withCredentials, noProxy: "" } } });
    const flow = await authorization(at, { client_id: id, redirect_uris: [REDIRECT] });
    await flow.signIn(await at.application());
    const { status } = await flow.exchange(codeOf(await flow.browser.submit("decision", {}, "approve")));
    expect(status).toBe(200);
    const credentials = `Basic ${Buffer.from("ada:s3cr@t").toString("base64")}`;
    expect(asked).toEqual([{ target: `client.example:${server.port}`, credentials }]);
    expect(at.log).toEqual([]);
  });

  it("asks the proxy for no private address and no name of an own network, and trusts no certificate of another host", async () => {
    const { server, options } = await withoutInternet();
    const { asked, url } = await startProxy();
    const proxy = { url, noProxy: "" };
    const fetchDocument = createDocumentFetch(() => noon, { ...options, proxy });
    await expect(fetchDocument("https://10.0.0.1/client.json", "")).rejects.toThrow("no public address");
    const lookup = async () => [{ address: "10.0.0.1", family: 4 }];
    const inside = createDocumentFetch(() => noon, { ...options, proxy, lookup });
    await expect(inside("https://intranet.example/client.json", "")).rejects.toThrow("no public address");
    for (const host of ["localhost", "a.localhost", "intranet", "printer.local.", "metadata.google.internal"])
      await expect(fetchDocument(`https://${host}/client.json`, "")).rejects.toThrow("no public address");
    expect(asked).toEqual([]);
    await expect(fetchDocument(server.url("/client.json", "stranger.example"), "")).rejects.toThrow(
      "cannot be fetched",
    );
  });

  it("says so on the page and in the log, and its metadata offer what works, until a document was reached", async () => {
    const { id, options } = await withoutInternet();
    const { url } = await startProxy(403);
    const at = await install({ clientDocuments: { ...options, proxy: { url, noProxy: "" } } });
    const offered = () => offersDocuments(at.issuer);
    expect(await offered()).toBe(true);
    const flow = await authorization(at, { client_id: id, redirect_uris: [REDIRECT] });
    for (const _ of [1, 2]) {
      const page = await fetch(flow.url(), { redirect: "manual" });
      const text = await page.text();
      expect([page.status, text.includes("Tell whoever runs this server"), text.includes("add it again")]).toEqual([
        400,
        true,
        false,
      ]);
    }
    const cause = expect.objectContaining({ message: "the proxy answered CONNECT with 403" });
    expect(at.log).toEqual([
      [{ err: cause, trace_id: null, client_document: id }, "a client's document could not be reached"],
    ]);
    expect(await offered()).toBe(false);
    at.advance(86_400);
    expect(await offered()).toBe(true);
  });

  it("goes on offering documents where clients may not register, or where one was reached within a day", async () => {
    const { id, options } = await withoutInternet();
    const { url } = await startProxy();
    const at = await install({ clientDocuments: { ...options, proxy: { url, noProxy: "gone.example" } } });
    const open = async (client_id: string) =>
      fetch((await authorization(at, { client_id, redirect_uris: [REDIRECT] })).url(), { redirect: "manual" });
    expect((await open(id)).status).toBe(200);
    expect((await open("https://gone.example/client.json")).status).toBe(400);
    expect(await offersDocuments(at.issuer)).toBe(true);
    const closed = await install({ clientDocuments: options, registration: "off" });
    await fetch((await authorization(closed, { client_id: id, redirect_uris: [REDIRECT] })).url());
    expect(await offersDocuments(closed.issuer)).toBe(true);
  });
});
