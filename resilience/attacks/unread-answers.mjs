import { connect } from "node:net";
import { fillHoldings } from "./stage.mjs";

export const title = "pages of 500 holdings and API documents, 800 asked for on each of 60 connections, and none read";

const HOLDINGS = 20_000;
const CONNECTIONS = 60;
const EACH = 800;

export async function prepare(stage) {
  await fillHoldings(stage, stage.attacker.tenant, HOLDINGS);
}

export async function attack({ port, attacker, signal }) {
  const params = { name: "svc-investments", arguments: { page_size: 500 } };
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const page = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.token}\r\nContent-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n${call}`;
  const document = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const sockets = Array.from({ length: CONNECTIONS }, (_, index) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write((index % 2 ? document : page).repeat(EACH));
    return socket;
  });
  await new Promise((over) => signal.addEventListener("abort", over, { once: true }));
  for (const socket of sockets) socket.destroy();
  return { asked_for: CONNECTIONS * EACH };
}
