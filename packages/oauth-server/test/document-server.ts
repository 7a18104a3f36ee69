import type { LookupAddress } from "node:dns";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { onTestFinished } from "vitest";
import type { DocumentFetchOptions } from "../src/clients/fetch-document.js";

/** An https server on a free port of 127.0.0.1 that stands in for hosts on the internet. */
export interface DocumentServer {
  readonly port: number;
  /** The requested paths, in order. */
  readonly asked: string[];
  /** The resolved names, in order. */
  readonly resolved: string[];
  /** The addresses that were connected to. */
  readonly reached: string[];
  /** The resolver's answer; by default every name resolves to 127.0.0.1. */
  addresses: (host: string) => readonly string[];
  /** Options for the real fetch, which treat only 127.0.0.1 as public. */
  readonly options: DocumentFetchOptions;
  url(path: string, host?: string): string;
}

const certificate = generate([{ name: "commonName", value: "client.example" }], {
  keyType: "ec",
  algorithm: "sha256",
  extensions: [
    {
      name: "subjectAltName",
      altNames: [
        { type: 2, value: "client.example" },
        { type: 2, value: "other.example" },
        { type: 2, value: "*.many.example" },
        { type: 7, ip: "127.0.0.1" },
      ],
    },
  ],
});

/** Starts a server for one test. */
export async function documentServer(answer: RequestListener): Promise<DocumentServer> {
  const { cert, private: key } = await certificate;
  const [asked, resolved, reached]: string[][] = [[], [], []];
  const listener = createServer({ cert, key }, (req, res) => {
    asked?.push(req.url ?? "");
    reached?.push(req.socket.localAddress ?? "");
    answer(req, res);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });
  const { port } = listener.address() as AddressInfo;
  const self: DocumentServer = {
    port,
    asked: asked ?? [],
    resolved: resolved ?? [],
    reached: reached ?? [],
    addresses: () => ["127.0.0.1"],
    options: {
      ca: cert,
      anyPort: true,
      isPublicAddress: (address) => address === "127.0.0.1",
      async lookup(host): Promise<LookupAddress[]> {
        self.resolved.push(host);
        return self.addresses(host).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
    },
    url: (path, host = "client.example") => `https://${host}:${port}${path}`,
  };
  return self;
}
