import { once } from "node:events";
import { createServer } from "node:net";

/** Returns a port on which nothing listens at the moment, for a server that cannot report its own port. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return String(port);
}
