import { once } from "node:events";
import { createServer } from "node:net";

/** A port on which nothing listens at this moment, for a server that cannot tell which one it has. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return String(port);
}
