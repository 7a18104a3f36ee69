import { freePort } from "../../../packages/http/test/free-port.js";
import type { Schedule } from "../src/schedule.js";
import type { TestServer } from "./harness.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** A second process on a server's installation, under the same PUBLIC_URL; on a free port unless `environment` has one. */
export async function startReplica(
  server: TestServer,
  more: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly nodeOptions?: readonly string[];
    readonly schedule?: Partial<Schedule>;
  } = {},
): Promise<{ url: string; process: ServerProcess }> {
  const port = more.environment?.PORT ?? (await freePort());
  const process = await startProcess(
    { ...server.installation.environment, PUBLIC_URL: server.url, ...more.environment, PORT: port },
    more.nodeOptions,
    more.schedule,
  );
  await process.ready();
  return { url: `http://localhost:${port}`, process };
}
