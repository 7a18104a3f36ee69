// Loaded by vitest before each test file of a run that decides (`.ci/run`): properties are tested with the same values each time, so that a run does
// not fail by chance. Runs by hand and `.ci/nightly` draw new ones.
import fc from "fast-check";

fc.configureGlobal({ seed: 20_261_129 });
