// Loaded into a server to report its memory (node --expose-gc --import) without keeping anything alive. Objects with finalisers or weak references
// are freed only if the event loop turns between collections.
import { setTimeout as delay } from "node:timers/promises";

let peak = 0;
let watch;

process.on("message", async (question) => {
  if (question === "peak") {
    look();
    clearInterval(watch);
    return process.send({ accounted: peak });
  }
  for (let time = 0; time < 4; time += 1) {
    globalThis.gc();
    await delay(50);
  }
  const live = accounted();
  if (question === "watch") {
    peak = live;
    watch = setInterval(look, 1);
  }
  process.send({ live });
});
process.channel?.unref();

function look() {
  peak = Math.max(peak, accounted());
}

/** `external` includes buffers. */
function accounted() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
