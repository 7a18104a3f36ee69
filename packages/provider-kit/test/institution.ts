import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { generate } from "selfsigned";

/** A certificate authority and the certificates it signed. */
export interface Pki {
  readonly ca: string;
  /** For `localhost` and 127.0.0.1. */
  readonly server: Identity;
  readonly client: Identity;
}

interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** Creates a new authority, which trusts no certificates of another one. */
export async function createPki(): Promise<Pki> {
  const options = { keyType: "ec", algorithm: "sha256" } as const;
  const authority = await generate([{ name: "commonName", value: "Test authority" }], {
    ...options,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, digitalSignature: true },
    ],
  });
  const ca = { key: authority.private, cert: authority.cert };
  const signed = async (name: string): Promise<Identity> => {
    const made = await generate([{ name: "commonName", value: name }], {
      ...options,
      ca,
      extensions: [
        { name: "basicConstraints", cA: false },
        { name: "extKeyUsage", serverAuth: true, clientAuth: true },
        { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
      ],
    });
    return { cert: made.cert, key: made.private };
  };
  return { ca: ca.cert, server: await signed("server"), client: await signed("client") };
}

/** An institution on a free port of this machine. */
export interface Institution {
  /** `localhost:<port>` */
  readonly host: string;
  readonly url: string;
  stop(): Promise<void>;
}

export function startInstitution(listener: RequestListener, tls?: ServerOptions): Promise<Institution> {
  return listening(tls ? createHttpsServer(tls, listener) : createHttpServer(listener), tls ? "https" : "http");
}

/** A proxy that opens tunnels and records which. */
export async function startProxy() {
  const opened: string[] = [];
  const server = createHttpServer((_, response) => response.writeHead(405).end());
  server.on("connect", (request, socket, head) => {
    opened.push(request.url ?? "");
    const [, port] = (request.url ?? "").split(":");
    const beyond = connect(Number(port), "localhost", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      beyond.write(head);
      beyond.pipe(socket).pipe(beyond);
    });
    for (const end of [beyond, socket]) end.on("error", () => (end === beyond ? socket : beyond).destroy());
  });
  return { ...(await listening(server, "http")), opened };
}

async function listening(server: Server, scheme: string): Promise<Institution> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `${scheme}://${host}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
