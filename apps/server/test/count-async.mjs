// Preloaded (`--import`) into a server under test: counts what each request costs and writes it to stderr as one line of JSON when its
// answer has been sent. Requests must come one at a time.
import { createHook } from "node:async_hooks";
import { writeSync } from "node:fs";
import { Server } from "node:http";
import { Socket } from "node:net";

/** Since the process began: promises and timers as async hooks see them, and statements sent to PostgreSQL. */
const started = { promises: 0, timers: 0, statements: 0 };
const kinds = { PROMISE: "promises", Timeout: "timers" };

createHook({
  init(_id, type) {
    const kind = kinds[type];
    if (kind !== undefined) started[kind] += 1;
  },
}).enable();

const databasePort = Number(new URL(process.env.DATABASE_URL ?? "postgres://none").port || 5432);
const write = Socket.prototype.write;
Socket.prototype.write = function (chunk, ...rest) {
  if (this.remotePort === databasePort && Buffer.isBuffer(chunk)) started.statements += statementsIn(chunk);
  return write.call(this, chunk, ...rest);
};

/** Counts the `Query` and `Execute` messages among those of PostgreSQL's protocol: a type, the length of the rest, the rest. */
function statementsIn(messages) {
  let count = 0;
  for (let at = 0; at + 5 <= messages.length; at += 1 + messages.readUInt32BE(at + 1))
    if (messages[at] === 0x51 || messages[at] === 0x45) count += 1;
  return count;
}

const emit = Server.prototype.emit;
Server.prototype.emit = function (event, ...values) {
  if (event === "request") {
    const [request, response] = values;
    const before = { ...started };
    // One tick later, when all listeners of `close` have run.
    response.once("close", () =>
      process.nextTick(() => {
        const cost = Object.entries(started).map(([kind, count]) => [kind, count - before[kind]]);
        writeSync(2, `${JSON.stringify({ cost_of: request.url, ...Object.fromEntries(cost) })}\n`);
      }),
    );
  }
  return emit.call(this, event, ...values);
};
