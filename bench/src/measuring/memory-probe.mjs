// Loaded into a server whose live heap is asked for (node --expose-gc --import): tells it, and keeps nothing alive. What has a
// finaliser or is held weakly goes only when the event loop has turned between collections.
import { setTimeout as delay } from "node:timers/promises";

process.on("message", async () => {
  for (let time = 0; time < 4; time += 1) {
    globalThis.gc();
    await delay(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ live: heapUsed + external });
});
process.channel?.unref();
