// Loaded into a server whose live heap is asked for (node --expose-gc --import): tells it, and keeps nothing alive.
process.on("message", () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ live: heapUsed + external });
});
process.channel?.unref();
