import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createByteBudget } from "@org/admission";
import { createEdge } from "@org/http";
import { expect, it, onTestFinished } from "vitest";
import { receiveFile } from "./receive-file.js";

const MEBIBYTE = 1024 * 1024;

it("[C-9.511] a complete file that waits for memory is removed when its sender leaves, and counts until it is", async () => {
  const bodies = createByteBudget({ maxBytes: 8 * MEBIBYTE });
  const spooled = createByteBudget({ maxBytes: 16 * MEBIBYTE, name: "spooled_bytes" });
  bodies.take({ network: "127.0.0.0/24", tenant: null }, 4 * MEBIBYTE);
  const edge = createEdge({ bodies, spooled });
  let onDisk = 0;
  const removed = deferred();
  const arrived = deferred();
  const gone = deferred();
  const spool = {
    begin: async () => ({
      write: async ({ length }: Uint8Array) => {
        onDisk += length;
      },
      readInto: async () => {},
      remove: () => removed.promise,
    }),
  };
  let outcome: unknown;
  const server = createServer(async (request, response) => {
    edge.begin(request, response);
    request.once("end", arrived.resolve);
    response.once("close", gone.resolve);
    outcome = await receiveFile(request, { spool, maxBytes: 4 * MEBIBYTE }).catch((error: unknown) => error);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${MEBIBYTE}\r\n\r\n`);
  socket.write(Buffer.alloc(MEBIBYTE));
  await arrived.promise;
  socket.destroy();
  await gone.promise;
  expect(onDisk).toBeGreaterThan(MEBIBYTE / 2);
  expect(spooled.held).toBe(onDisk);
  removed.resolve();
  await expect.poll(() => outcome).toMatchObject({ code: "broken_off" });
  expect(spooled.held).toBe(0);
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
