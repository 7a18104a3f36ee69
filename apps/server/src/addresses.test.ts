import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { listenPublicly } from "./addresses.js";

const CONNECTIONS = 1_000;
const bound = "/proc/sys/net/core/somaxconn";
const hasRoom = existsSync(bound) && Number(readFileSync(bound, "utf8")) > CONNECTIONS;

/** Opens connections and counts the established ones. */
const clients = `
  const { connect } = require("node:net");
  const { workerData: { port, count, connections } } = require("node:worker_threads");
  const connected = new Int32Array(count);
  for (let n = 0; n < connections; n += 1)
    connect(port, "127.0.0.1", () => {
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    }).on("error", () => undefined);`;

it.skipIf(!hasRoom)(
  "[C-9.77] a thousand clients connect at once while the server is busy with something else",
  async () => {
    const server = createServer();
    await listenPublicly(server, { host: "127.0.0.1", port: 0 });
    const { port } = server.address() as AddressInfo;
    const count = new SharedArrayBuffer(4);
    const connected = new Int32Array(count);
    const worker = new Worker(clients, { eval: true, workerData: { port, count, connections: CONNECTIONS } });
    // This thread accepts no connections meanwhile.
    const giveUp = performance.now() + 20_000;
    for (let now = 0; now < CONNECTIONS && performance.now() < giveUp; now = Atomics.load(connected, 0))
      Atomics.wait(connected, 0, now, 100);
    expect(connected[0]).toBe(CONNECTIONS);
    await worker.terminate();
    await new Promise((closed) => server.close(closed));
  },
);
