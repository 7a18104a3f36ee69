import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createByteBudget } from "./byte-budget.js";

const one = { network: "198.51.100.0/24", tenant: null };
const other = { network: "203.0.113.0/24", tenant: null };
const third = { network: "192.0.2.0/24", tenant: null };
const fourth = { network: "2001:db8:1::/48", tenant: null };

describe("the memory for bodies", () => {
  it("one network gets half of it, whoever is left the rest", () => {
    const budget = createByteBudget({ maxBytes: 100 });
    expect(budget.take(one, 50)).toBeNull();
    expect(budget.take(one, 1)).toMatchObject({ name: "body_bytes_of_network", value: 50, isOwnShare: true });
    expect(budget.take(other, 49)).toBeNull();
    expect(budget.take(other, 1)).toBeNull();
    expect(budget.held).toBe(100);
  });

  it("[C-9.510] whoever has no more than is left then gets some beyond all of it, up to half as much again", () => {
    const budget = createByteBudget({ maxBytes: 100 });
    budget.take(one, 49);
    budget.take(other, 50);
    const full = { name: "body_bytes_in_flight", value: 100, isOwnShare: false };
    expect(budget.take(one, 2)).toMatchObject({ name: "body_bytes_of_network" });
    expect(budget.take(third, 26)).toMatchObject(full);
    expect(budget.take(third, 25)).toBeNull();
    expect(budget.take(third, 1)).toMatchObject(full);
    expect(budget.take({ ...fourth, tenant: "t" }, 13)).toBeNull();
    expect(budget.take({ ...fourth, tenant: "u" }, 6)).toBeNull();
    expect(budget.held).toBe(143);
  });

  it("one tenant gets a quarter of it, from however many networks", () => {
    const budget = createByteBudget({ maxBytes: 100 });
    expect(budget.take({ ...one, tenant: "t" }, 20)).toBeNull();
    expect(budget.take({ ...other, tenant: "t" }, 6)).toMatchObject({ name: "body_bytes_of_tenant", value: 25 });
    expect(budget.take({ ...other, tenant: "u" }, 6)).toBeNull();
  });

  it("is given back whole", () => {
    const budget = createByteBudget({ maxBytes: 100 });
    budget.take({ ...one, tenant: "t" }, 20);
    budget.release({ ...one, tenant: "t" }, 20);
    expect(budget.held).toBe(0);
    expect(budget.take({ ...one, tenant: "t" }, 25)).toBeNull();
  });

  it("somebody who can wait gets it when there is room, and the limit when there is none in time", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const budget = createByteBudget({ maxBytes: 100 });
    budget.take(one, 50);
    const first = budget.wait(one, 20, 1_000);
    const second = budget.wait(one, 50, 1_000);
    budget.release(one, 20);
    expect(await first).toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(await second).toMatchObject({ name: "body_bytes_of_network" });
    budget.release(one, 50);
    expect(budget.held).toBe(0);
    expect(await budget.wait(one, 51, 1_000)).toMatchObject({ name: "body_bytes_of_network" });
  });

  it("[C-9.511] somebody who leaves waits no longer, and gets nothing", async () => {
    const budget = createByteBudget({ maxBytes: 100 });
    budget.take(one, 50);
    const leaving = new AbortController();
    const waiting = budget.wait(one, 20, 60_000, leaving.signal);
    leaving.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(budget.wait(one, 20, 60_000, leaving.signal)).rejects.toThrow("gone");
    budget.release(one, 50);
    expect(budget.held).toBe(0);
  });
});
