// Loaded by vitest before each test file. A server or timer that a test leaves open keeps a worker alive after vitest has given it up; this ends
// the worker together with vitest.
const ends = Symbol.for("a worker that ends with vitest");
if (!process[ends]) {
  process[ends] = true;
  process.once("disconnect", () => process.exit());
}
