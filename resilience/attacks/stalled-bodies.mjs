import { connect } from "node:net";

export const title = "2,000 sockets at /token, each with a body of 1 MiB that never ends";

const SOCKETS = 2_000;
const DECLARED_BYTES = 1024 * 1024;
const head = `POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${DECLARED_BYTES}\r\n\r\n`;
const most = Buffer.alloc(DECLARED_BYTES - 1, "a");

export async function attack({ port, signal }) {
  const outcomes = {};
  const sockets = Array.from({ length: SOCKETS }, () => {
    const socket = connect(port, "127.0.0.1");
    let answer = "no answer";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      answer = bytes.toString("latin1").slice(9, 12);
    });
    socket.once("close", () => {
      outcomes[answer] = (outcomes[answer] ?? 0) + 1;
    });
    socket.write(head);
    socket.write(most);
    return socket;
  });
  await new Promise((over) => signal.addEventListener("abort", over, { once: true }));
  for (const socket of sockets) socket.destroy();
  await new Promise(setImmediate);
  return outcomes;
}
