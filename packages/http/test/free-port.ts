import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Ports below those that systems give to programs that ask for any, so that none of these is given the port before it is used. */
const [FIRST, END] = [20_000, 32_000];

/** Returns a port on which nothing listens at the moment, for a server that cannot report its own port. */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = randomInt(FIRST, END);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") continue;
      throw error;
    }
    server.close();
    await once(server, "close");
    return String(port);
  }
}
