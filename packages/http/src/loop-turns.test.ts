import { describe, expect, it } from "vitest";
import { createLoopTurns } from "./loop-turns.js";

const nextTurn = () => new Promise<void>((turn) => setImmediate(turn));

describe("turns of the event loop", () => {
  it("lets go on at once who asks for little, and the rest in later turns", async () => {
    const turns = createLoopTurns(100);
    const done: string[] = [];
    const ask = (name: string, bytes: number) => {
      const turn = turns.wait("one", bytes);
      if (turn === null) done.push(name);
      else void turn.then(() => done.push(name));
    };
    ask("first", 60);
    ask("second", 60);
    ask("third", 60);
    ask("fourth", 60);
    ask("fifth", 60);
    expect(done).toEqual(["first", "second"]);
    await nextTurn();
    expect(done).toEqual(["first", "second", "third", "fourth"]);
    await nextTurn();
    expect(done).toEqual(["first", "second", "third", "fourth", "fifth"]);
    // Nothing is waiting and nothing is left over: a turn has its full size again.
    await nextTurn();
    await nextTurn();
    expect(turns.wait("one", 100)).toBeNull();
    expect(turns.wait("one", 1)).not.toBeNull();
  });

  it("gives shares turns, so that many pieces of one do not stand before the first of another", async () => {
    const turns = createLoopTurns(1);
    const done: string[] = [];
    expect(turns.wait("flood", 1)).toBeNull();
    for (let piece = 0; piece < 5; piece += 1) void turns.wait("flood", 1)?.then(() => done.push("flood"));
    void turns.wait("honest", 1)?.then(() => done.push("honest"));
    await nextTurn();
    await nextTurn();
    expect(done).toEqual(["flood", "honest"]);
    while (done.length < 6) await nextTurn();
    expect(done.slice(2)).toEqual(["flood", "flood", "flood", "flood"]);
  });
});
