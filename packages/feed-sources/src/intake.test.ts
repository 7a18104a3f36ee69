import { randomUUID } from "node:crypto";
import { FeedRefusal } from "@org/provider-kit";
import { expect, it } from "vitest";
import { createIntake, type IntakeDeps } from "./intake.js";
import { createMemorySourceStores } from "./testing/index.js";

const at = new Date("2026-11-22T06:00:00Z");

/** Whatever comes is no file that can be read, when it is read. */
function intakeOver(stores: ReturnType<typeof createMemorySourceStores>, whileRead: () => Promise<void>) {
  const outcomes: string[] = [];
  const vault = {
    sealBytes: async (ciphertext: Uint8Array) => ({ key: "k", ciphertext }),
    openBytes: async ({ ciphertext }: { ciphertext: Uint8Array }) => ciphertext,
    seal: async (text: string) => text,
  };
  const intake = createIntake({
    stores,
    runtime: { clock: () => at, newId: randomUUID, vault } as unknown as IntakeDeps["runtime"],
    feeds: {
      ingest: () => Promise.reject(new Error("nothing is delivered")),
      ingestRead: () => Promise.reject(new Error("nothing is delivered")),
    },
    async readParts() {
      await whileRead();
      throw new FeedRefusal("file", "cannot be read");
    },
    lettersOf: async () => [],
    holding: { days: 30, maxBytes: 1e6 },
    onFile: ({ outcome }) => outcomes.push(outcome),
  });
  return { ...intake, outcomes };
}

it("[C-9.209] of a file that is sent several times at once one is new, and the others are that one", async () => {
  const { receive, outcomes } = intakeOver(createMemorySourceStores(), async () => {});
  const file = { name: "a.xml", bytes: Buffer.from("<a/>"), modified_at: null };
  const arrivals = await Promise.all([1, 2, 3].map(() => receive("s", file)));
  expect(new Set(arrivals.map(({ file: { file_id } }) => file_id)).size).toBe(1);
  expect(outcomes.toSorted()).toEqual(["duplicate", "duplicate", "held"]);
});

it("[C-9.201] a file of the drop folder that is held again, because a server was killed before it could remove it, is a duplicate", async () => {
  const stores = createMemorySourceStores();
  const { hold, outcomes } = intakeOver(stores, async () => {});
  const file = { bytes: Buffer.from("<a/>"), modified_at: null };
  await hold("folder/a.xml", file, { reason: "cannot be read" });
  await hold("folder/a.xml", file, { reason: "cannot be read" });
  expect(outcomes).toEqual(["held", "duplicate"]);
  expect(await stores.files.heldTotals()).toMatchObject({ files: 1 });
});

it("[C-9.205] a held file that is dropped while it is tried again is gone, and told so", async () => {
  const stores = createMemorySourceStores();
  let whileRead = async () => {};
  const intake = intakeOver(stores, () => whileRead());
  const { file } = await intake.receive("s", { name: "a.xml", bytes: Buffer.from("<a/>"), modified_at: null });
  expect(await intake.retry(file.file_id)).toMatchObject({ outcome: "held" });
  const entry = { actor: "operator", action: "source.drop-held", object_type: "source", object_id: "s", facts: {} };
  whileRead = async () => {
    const noted = { ...entry, audit_id: randomUUID(), at, trace_id: null, address: null };
    expect(await stores.files.drop(file.file_id, at, noted)).toBe(true);
  };
  await expect(intake.retry(file.file_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await stores.files.find("s", file)).toMatchObject({ state: "dropped" });
  expect(await stores.files.heldTotals()).toEqual({ files: 0, bytes: 0 });
});
