// The floor: node:http, the read, and nothing else. No token, no session, no check of the request, no log.
// CONTENT=objects turns the items into objects and back, as a server does that answers what its driver gives it.
import { createServer } from "node:http";
import { openHoldings, toolResult } from "./holdings-page.mjs";

const read = openHoldings(process.env);
const answer = process.env.CONTENT === "objects" ? ofObjects : ofText;

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", async () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks));
    const body = Buffer.from(answer(id, await read(params.arguments)));
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");

function ofText(id, { itemsJson, rest }) {
  const json = `{"items":${itemsJson()},${JSON.stringify(rest).slice(1)}`;
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}}`;
}

function ofObjects(id, page) {
  return JSON.stringify({ jsonrpc: "2.0", id, result: toolResult(page) });
}
