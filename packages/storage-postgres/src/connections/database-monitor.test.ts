import { describe, expect, it, vi } from "vitest";
import { createDatabaseMonitor, type Probe } from "./database-monitor.js";

describe("a question that the database did not answer in time", () => {
  it("[C-9.605] ends no connection when its answer has come by the time that a new one is open", async () => {
    expect(await ended((answer) => answer())).toBe(0);
  });

  it("ends all connections when a new one is open at once and the answer has not come", async () => {
    expect(await ended(() => undefined)).toBe(1);
  });

  /** How often the monitor has ended the connections after a check. */
  async function ended(whileReconnecting: (answer: () => void) => void): Promise<number> {
    const onSilent = vi.fn();
    let answer: () => void = () => undefined;
    const slow: Probe = {
      ask: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      destroy: () => undefined,
    };
    const quick: Probe = { ask: async () => undefined, destroy: () => undefined };
    const connect = vi.fn(async () => quick).mockImplementationOnce(async () => slow);
    const monitor = createDatabaseMonitor({ connect, onSilent, onChange: () => undefined });
    await monitor.check();
    expect(connect).toHaveBeenCalledTimes(1);
    connect.mockImplementationOnce(async () => {
      whileReconnecting(answer);
      return quick;
    });
    await monitor.check();
    expect(connect).toHaveBeenCalledTimes(2);
    monitor.close();
    return onSilent.mock.calls.length;
  }
});
