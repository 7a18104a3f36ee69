// Loaded by vitest before each test file. What tests leave open (a server, a timer) keeps a worker alive when vitest has given it up: then it
// ends with vitest.
const ends = Symbol.for("a worker that ends with vitest");
if (!process[ends]) {
  process[ends] = true;
  process.once("disconnect", () => process.exit());
}
