// Loaded into a server whose memory is asked for (node --expose-gc --import): tells it, and keeps nothing alive. What has a
// finaliser or is held weakly goes only when the event loop has turned between collections.
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

/** Buffers are part of `external`. */
function accounted() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
