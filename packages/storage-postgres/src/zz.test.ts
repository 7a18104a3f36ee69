import { it } from "vitest";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { openEmbedded } from "./embedded/open-embedded.js";
import { createTemplate } from "./embedded/create-template.js";
import { migrate } from "./migrate.js";
it("t", async () => {
  let t = performance.now(); const lap = (n: string) => { const u = performance.now(); console.log(n, Math.round(u - t)); t = u; };
  const d = await openEmbedded(); lap("open mem"); await migrate(d.pool); lap("migrate mem"); await d.close(); lap("close");
  const tpl = await createTemplate(); lap("template " + tpl.length);
  const dir = mkdtempSync("/tmp/pgwc/e"); writeFileSync(dir + "/t.tgz", tpl);
  const e = await openEmbedded({ templateFile: dir + "/t.tgz" }); lap("open mem from template"); await e.pool.query("select 1"); await migrate(e.pool); lap("migrate none"); await e.close();
  t = performance.now();
  const f = await openEmbedded({ dataDir: dir + "/a", templateFile: dir + "/t.tgz" }); lap("open dir from template"); await migrate(f.pool); lap("migrate none"); await f.close(); t = performance.now();
  const g = await openEmbedded({ dataDir: dir + "/a" }); await g.pool.query("select 1"); lap("reopen"); await g.close(); lap("close");
  const h = await openEmbedded({ dataDir: dir + "/b" }); lap("open dir without template"); await migrate(h.pool); lap("migrate"); await h.close();
  rmSync(dir, { recursive: true });
}, 200000);
