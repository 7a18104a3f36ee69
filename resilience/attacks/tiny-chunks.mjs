import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { OTHER_NETWORK } from "./closed-loop.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title = "bodies in tiny chunks, each connection opened anew once it is closed";

/** Endless bodies in chunks of a byte, or of as many as a body may consist of; `held`: so many chunks of a byte, then nothing. */
export const variants = {
  "token-1": { connections: 1, path: "/token", size: 1 },
  "token-8": { connections: 8, path: "/token", size: 1 },
  "token-50": { connections: 50, path: "/token", size: 1 },
  "token-8-allowed": { connections: 8, path: "/token", size: 32 },
  "front-8": { connections: 8, path: "/", size: 1 },
  "front-8-allowed": { connections: 8, path: "/", size: 32 },
  "held-1000": { connections: 1_000, path: "/token", size: 1, held: 15_000 },
};

/** What is written at a time. */
const WRITTEN_BYTES = 64 * 1024;
const AGAIN_MS = 5;

export async function attack({ port, signal, begun, variant }) {
  const { connections, path, size, held } = variants[variant];
  const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
  const chunks = Buffer.from(chunk.repeat(held ?? Math.floor(WRITTEN_BYTES / chunk.length)));
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const outcomes = {};
  const count = (outcome) => {
    if (!signal.aborted) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const open = new Set();
  signal.addEventListener("abort", () => {
    for (const socket of open) socket.destroy();
  });
  const send = () =>
    new Promise((closed) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: OTHER_NETWORK });
      open.add(socket);
      const pump = () => {
        while (!signal.aborted && socket.write(chunks) && held === undefined) {}
      };
      socket.once("connect", () => {
        socket.write(head);
        pump();
      });
      if (held === undefined) socket.on("drain", pump);
      socket.on("data", (bytes) => count(bytes.toString("latin1").slice(9, 12)));
      socket.on("error", ({ code }) => count(code));
      socket.once("close", () => {
        open.delete(socket);
        closed();
      });
    });
  const repeat = async () => {
    while (!signal.aborted) {
      await send();
      await delay(AGAIN_MS);
    }
  };
  begun();
  await Promise.all(Array.from({ length: connections }, repeat));
  return { outcomes };
}
