import { connect } from "node:net";

export const title = "100 letters of 20 MiB that stop before their end";

const LETTERS = 100;
const DOCUMENT = "A".repeat(13 * 1024 * 1024);

export async function attack({ port, attacker, signal }) {
  const outcomes = {};
  const body = Buffer.from(`{"data":"${DOCUMENT}","annex":"${DOCUMENT}`);
  const head = `POST /letters/v1/create-signed HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 2}\r\n\r\n`;
  const closed = [];
  const sockets = Array.from({ length: LETTERS }, () => {
    const socket = connect(port, "127.0.0.1");
    closed.push(new Promise((resolve) => socket.once("close", resolve)));
    let answer = "no answer";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      answer = bytes.toString("latin1").slice(9, 12);
    });
    socket.once("close", () => {
      outcomes[answer] = (outcomes[answer] ?? 0) + 1;
    });
    socket.write(head);
    socket.write(body);
    return socket;
  });
  await new Promise((over) => signal.addEventListener("abort", over, { once: true }));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  return outcomes;
}
