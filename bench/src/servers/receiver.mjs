// A webhook receiver in its own thread: accepts everything, immediately.
import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

let deliveries = 0;
const ids = new Set();
const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    deliveries += 1;
    const id = request.headers["webhook-id"];
    if (id !== undefined) ids.add(id);
    response.writeHead(204).end();
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage({ port: server.address().port }));
parentPort.on("message", () => parentPort.postMessage({ deliveries, events: ids.size }));
