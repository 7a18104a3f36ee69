// Counts what a server creates and sends, for `call-budget.test.ts`:
//   CALL_COUNTS_SOCKET=<path> node --import call-counts.mjs <program>
// Each connection to the socket gets, as JSON, what was counted since the connection before it.
import { createHook } from "node:async_hooks";
import { ServerResponse } from "node:http";
import { createServer, Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

const FRAMES = 12;
const databasePort = Number(new URL(process.env.DATABASE_URL).port);
/** Messages by which a client has PostgreSQL carry out a statement: Query and Execute. */
const statementMessages = new Set([..."QE"].map((letter) => letter.charCodeAt(0)));

const nothing = () => ({ promises: [], timers: [], statements: [], listeners: [] });
/** The calls that led to each promise, timer, statement and listener of an answer's close; null until somebody asks. */
let counted = null;

createHook({
  init(_id, type) {
    if (type === "PROMISE") count("promises");
    else if (type === "Timeout") count("timers");
  },
}).enable();

const { write } = Socket.prototype;
Socket.prototype.write = function (...written) {
  const [message] = written;
  if (this.remotePort === databasePort && statementMessages.has(message[0])) count("statements");
  return write.apply(this, written);
};

// `once` calls it too.
const { on } = ServerResponse.prototype;
ServerResponse.prototype.on = function (event, listener) {
  if (event === "close") count("listeners");
  return on.call(this, event, listener);
};

function count(what) {
  if (counted === null) return;
  const stack = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(stack, count);
  Error.stackTraceLimit = limit;
  counted[what].push(stack);
}

function answer(socket) {
  const before = counted ?? nothing();
  counted = null;
  const read = Object.entries(before).map(([what, stacks]) => [what, stacks.map(({ stack }) => framesOf(stack))]);
  socket.end(JSON.stringify(Object.fromEntries(read)));
  counted = nothing();
}

// The server's threads load this module too.
if (isMainThread) createServer(answer).listen(process.env.CALL_COUNTS_SOCKET).unref();

/** The functions of a stack in the server's own code, innermost first. */
function framesOf(stack) {
  return stack
    .split("\n")
    .slice(1)
    .map((line) => line.trim().replace(/^at /, ""))
    .filter((line) => !line.includes("call-counts.mjs") && !line.includes("node:internal/async_hooks"));
}
