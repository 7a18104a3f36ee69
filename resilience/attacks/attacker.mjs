// The process of an attack, so that what it does keeps nobody waiting who measures the honest tenant.
import { stageOf } from "./stage.mjs";

process.once("disconnect", () => process.exit());
process.once("message", async ({ name, facts }) => {
  const over = new AbortController();
  process.once("message", () => over.abort());
  const { attack, variants } = await import(`./${name}.mjs`);
  const begun = () => process.send("begun");
  const stage = { ...stageOf(facts, over.signal), begun };
  // The others are attacks by `closedLoop`, which calls it.
  if (!variants) begun();
  process.send(await attack(stage), () => process.exit());
});
