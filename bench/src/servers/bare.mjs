// The baseline: node:http and the read, without token, session, request checks or log. CONTENT=objects parses the items and serialises them again,
// like a server that answers the rows of its driver.
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
  const json = `${JSON.stringify(rest).slice(0, -1)},"items":${itemsJson()}}`;
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}}`;
}

function ofObjects(id, page) {
  return JSON.stringify({ jsonrpc: "2.0", id, result: toolResult(page) });
}
