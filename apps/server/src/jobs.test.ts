import { expect, it } from "vitest";
import { createAlarm, leaseJob, startJob } from "./jobs.js";
import { schedule } from "./schedule.js";

const log = { debug: () => undefined, error: () => undefined } as never;

it("[C-11.53] a job that is woken in the middle of a run runs once more behind it, however often it was woken", async () => {
  const alarm = createAlarm();
  const ends: (() => void)[] = [];
  const run = () => new Promise<void>((resolve) => void ends.push(resolve));
  const job = startJob({ name: "events", failure: "", run, wakes: alarm.onRing }, { log, schedule });
  expect(ends).toHaveLength(1);
  alarm.ring();
  alarm.ring();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toHaveLength(2);
  alarm.ring();
  expect(ends).toHaveLength(3);
  alarm.ring();
  ends[2]?.();
  await job.stop();
  expect(ends).toHaveLength(3);
});

it("[C-11.53] work that ends while more is being claimed has the job look once more behind that", async () => {
  const claims: ((leases: readonly string[]) => void)[] = [];
  const ends: (() => void)[] = [];
  const job = startJob(
    leaseJob({
      name: "webhooks",
      claim: () => new Promise<readonly string[]>((resolve) => void claims.push(resolve)),
      work: () => new Promise<void>((resolve) => void ends.push(resolve)),
      parallel: 16,
    }),
    { log, schedule },
  );
  claims[0]?.(["one", "another"]);
  await expect.poll(() => ends.length).toBe(2);
  ends[0]?.();
  await expect.poll(() => claims.length).toBe(2);
  // Its endpoint may have been released too late for the current claim.
  ends[1]?.();
  await new Promise((resolve) => setImmediate(resolve));
  claims[1]?.([]);
  await expect.poll(() => claims.length).toBe(3);
  claims[2]?.([]);
  await job.stop();
  expect(claims).toHaveLength(3);
});
