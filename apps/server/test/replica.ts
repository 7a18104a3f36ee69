import { freePort } from "./free-port.js";
import type { TestServer } from "./harness.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** A second process on the installation of a server, under the same PUBLIC_URL. */
export async function startReplica(server: TestServer): Promise<{ url: string; process: ServerProcess }> {
  const port = await freePort();
  const process = await startProcess({ ...server.installation.environment, PUBLIC_URL: server.url, PORT: port });
  await process.ready();
  return { url: `http://localhost:${port}`, process };
}
