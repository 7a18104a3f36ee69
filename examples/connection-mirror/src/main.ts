// Keeps the state of every connection of a tenant in a file. The server is asked when this starts; from then on it tells.
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

// Before the log is read: what is delivered meanwhile is taken, and neither comes too late nor is missed.
createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length > MAX_BYTES) return request.destroy();
    }
    const event = await verifier.verify(Buffer.concat(chunks), request.headers);
    // On disk before it is answered: an event that was answered does not come again.
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

/** Event first, list second: what changes in between is told again, and the sequence shows that it is no news. */
async function begin({ newestEvent, connections }: WealthConnect): Promise<Mirror> {
  const newest = await newestEvent();
  const begun_at = newest?.sequence ?? 0;
  const listed = (await connections()).map(({ id, status }) => [id, { status, sequence: begun_at }] as const);
  return { begun_at, read_up_to: newest?.id ?? null, connections: Object.fromEntries(listed) };
}

/** What has happened since the log was last read. A mirror that runs is told by deliveries. */
async function catchUp({ eventsAfter }: WealthConnect): Promise<void> {
  for await (const events of eventsAfter(mirror.read_up_to)) {
    const read_up_to = events.at(-1)?.id ?? mirror.read_up_to;
    save({ ...events.reduce(apply, mirror), read_up_to });
  }
}

/** Whole or not at all: a process that is killed leaves the file that was there, or the new one. */
function save(next: Mirror): void {
  mirror = next;
  writeFileSync(`${file}.part`, JSON.stringify(mirror));
  renameSync(`${file}.part`, file);
}
