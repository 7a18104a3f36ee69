// The process of an attack, so that what it does keeps nobody waiting who measures the honest tenant.
import { stageOf } from "./stage.mjs";

process.once("message", async ({ name, facts }) => {
  const over = new AbortController();
  process.once("message", () => over.abort());
  const { attack } = await import(`./${name}.mjs`);
  process.send("begun");
  const stage = stageOf(facts, over.signal);
  process.send(await attack(stage), () => process.exit());
});
