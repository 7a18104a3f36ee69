import { expect, it } from "vitest";
import { startAuthorizationStage, titles } from "./authorization-stage.js";
import { press, sees, signIn, startChromium } from "./chromium-person.js";
it("probe", async () => {
  const stage = await startAuthorizationStage(process.env.CHROMIUM_PATH ?? "");
  try {
    const { page, context } = await stage.somebody();
    let request = await stage.reachStep2(page);
    await page.getByRole("checkbox", { name: /^Delete/ }).focus();
    await page.keyboard.press("Enter");
    await sees(page, titles.client).then(() => console.log("PROBE enter on checkbox approved", page.url().includes("code=")), () => console.log("PROBE enter on checkbox: stays", page.url()));
    await context.clearCookies();
    const tab = await context.newPage();
    await tab.goto(stage.client.ask().address);
    request = await stage.reachStep2(page);
    await signIn(tab, stage.household);
    await sees(tab, titles.step2);
    await page.getByRole("checkbox", { name: /^Delete/ }).uncheck();
    await press(page, "Approve");
    await sees(page, titles.step2).catch(() => {});
    console.log("PROBE after same-credentials second tab:", page.url(), await page.title(), "delete ticked:", await page.getByRole("checkbox", { name: /^Delete/ }).isChecked().catch(String), "alert", await page.getByRole("alert").count(), "answers", request.answers().length);
    await context.close();
    // bfcache
    const keeper = await startChromium(process.env.CHROMIUM_PATH ?? "", true);
    const p = await stage.somebody({}, keeper);
    const kept = async () => {
      await p.page.evaluate("window.left = 1");
      await p.page.goto("about:blank");
      await p.page.goto(stage.server.url + "/grants");
      await p.page.goBack({ timeout: 5000 }).catch((e) => console.log("PROBE goBack1", String(e).slice(0, 80)));
      await p.page.goBack({ timeout: 5000 }).catch((e) => console.log("PROBE goBack2", String(e).slice(0, 80)));
      return [p.page.url().slice(0, 60), await p.page.evaluate("window.left === 1")];
    };
    const r = stage.client.ask();
    await p.page.goto(r.address);
    console.log("PROBE step 1 kept", await kept());
    await p.page.goto(r.address);
    await signIn(p.page, stage.household);
    await sees(p.page, titles.step2);
    console.log("PROBE step 2 kept", await kept());
    await p.page.goto(r.address);
    await stage.approve(p.page);
    console.log("PROBE client page kept", await kept());
    const t0 = Date.now();
    await stage.server.stop();
    console.log("PROBE stop ms", Date.now() - t0);
    await stage.server.start();
    console.log("PROBE start ms", Date.now() - t0);
    await keeper.close();
    expect(1).toBe(1);
  } finally {
    await stage.close();
  }
});
