import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands in front of a server on loopback and adds a token to each request; Host, Origin and everything else stay as sent. */
export async function startTokenProxy(target: string, token: string): Promise<{ url: string; close(): void }> {
  const { port } = new URL(target);
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = httpRequest(
      { host: "127.0.0.1", port, method, path, headers: { ...headers, authorization: `Bearer ${token}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
