// Keeps the state of every connection of a tenant in a file. Queries the server at start; after that, webhooks update the file.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createWebhookVerifier, WebhookVerificationError } from "@org/webhook-verifier";
import { apply, type Mirror } from "./mirror.js";
import { EventsGoneError, openWealthConnect, type WealthConnect } from "./wealth-connect.js";

const MAX_BYTES = 65_536;

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};
const file = setting("MIRROR_FILE");
const verifier = createWebhookVerifier({ secrets: setting("WEBHOOK_SECRET").split(" ") });
const server = await openWealthConnect({
  server: setting("SERVER"),
  clientId: setting("CLIENT_ID"),
  clientSecret: setting("CLIENT_SECRET"),
});

let mirror = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Mirror) : await begin(server);
save(mirror);

// Starts before the log is read, so that events delivered meanwhile are not missed.
createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length > MAX_BYTES) return request.destroy();
    }
    const event = await verifier.verify(Buffer.concat(chunks), request.headers);
    // Saved before it is acknowledged: an acknowledged event is not sent again.
    save(apply(mirror, event));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}).listen(Number(setting("PORT")), "127.0.0.1");

await catchUp(server).catch(async (error: unknown) => {
  if (!(error instanceof EventsGoneError)) throw error;
  save(await begin(server));
  await catchUp(server);
});
console.log("up to date");

/** Reads the newest event first and then the list. A change in between is delivered again, and its sequence shows that it is known. */
async function begin({ newestEvent, connections }: WealthConnect): Promise<Mirror> {
  const newest = await newestEvent();
  const begun_at = newest?.sequence ?? 0;
  const listed = (await connections()).map(({ id, status }) => [id, { status, sequence: begun_at }] as const);
  return { begun_at, read_up_to: newest?.id ?? null, connections: Object.fromEntries(listed) };
}

/** Reads the events since the log was last read. While the mirror runs, deliveries keep it up to date. */
async function catchUp({ eventsAfter }: WealthConnect): Promise<void> {
  for await (const events of eventsAfter(mirror.read_up_to)) {
    const read_up_to = events.at(-1)?.id ?? mirror.read_up_to;
    save({ ...events.reduce(apply, mirror), read_up_to });
  }
}

/** Writes the file atomically: after a crash it is either the old or the new one. */
function save(next: Mirror): void {
  mirror = next;
  writeFileSync(`${file}.part`, JSON.stringify(mirror));
  renameSync(`${file}.part`, file);
}
