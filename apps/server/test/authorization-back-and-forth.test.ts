import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AuthorizationStage, startAuthorizationStage, titles } from "./authorization-stage.js";
import { clicker, press, sees, signIn, startChromium } from "./chromium-person.js";
import { START_TIMEOUT } from "./harness.js";

const executablePath = process.env.CHROMIUM_PATH;

describe.skipIf(!executablePath)(
  "clicking twice, going back and opening tabs at the authorization page, in Chromium",
  () => {
    let stage: AuthorizationStage;
    beforeAll(async () => {
      stage = await startAuthorizationStage(executablePath ?? "");
    }, START_TIMEOUT);
    afterAll(async () => {
      await stage?.close();
    });
    afterEach(async () => {
      expect(await stage?.everybodyLeaves()).toEqual([]);
    });

    describe.each([{ javaScriptEnabled: false }, { javaScriptEnabled: true }])("%j", (scripts) => {
      it("a double click on Approve gives one code, which works once", async () => {
        const { page } = await stage.somebody(scripts);
        const request = await stage.reachStep2(page);
        await page.getByRole("button", { name: "Approve" }).dblclick();
        await sees(page, titles.client);
        const codes = new Set(request.answers().map((answer) => answer.get("code") ?? ""));
        expect(codes.size).toBe(1);
        expect((await request.redeem()).status).toBe(200);
        expect((await request.redeem()).body.error).toBe("invalid_grant");
      });

      it.each([
        { has: "not yet redeemed the code", redeemsFirst: false, leadsTo: titles.client, answers: 2 },
        { has: "redeemed the code", redeemsFirst: true, leadsTo: titles.answered, answers: 1 },
      ])("a second click on Approve while the client, which has $has, loads: $leadsTo", async (given) => {
        const { page } = await stage.somebody(scripts);
        const request = await stage.reachStep2(page);
        stage.client.hold();
        const click = await clicker(page, "Approve");
        await click();
        await expect.poll(() => request.answers().length).toBe(1);
        const tokens = given.redeemsFirst ? await request.redeem() : null;
        await click();
        if (!given.redeemsFirst) {
          await expect.poll(() => request.answers().length).toBe(2);
          stage.client.release();
        }
        await sees(page, given.leadsTo);
        expect(request.answers().length).toBe(given.answers);
        expect(new Set(request.answers().map((answer) => answer.get("code"))).size).toBe(1);
        const { status, body } = tokens ?? (await request.redeem());
        expect(status).toBe(200);
        expect((await stage.client.refresh(body.refresh_token)).status).toBe(200);
      });

      it.each([
        { redeemed: false, leadsTo: titles.client },
        { redeemed: true, leadsTo: titles.answered },
      ])("Back after Approve and Approve again do no harm (redeemed: $redeemed)", async ({ redeemed, leadsTo }) => {
        const { page } = await stage.somebody(scripts);
        const request = await stage.reachStep2(page);
        await stage.approve(page);
        const tokens = redeemed ? await request.redeem() : null;
        await page.goBack();
        await sees(page, titles.step2);
        await press(page, "Approve");
        await sees(page, leadsTo);
        const { status, body } = tokens ?? (await request.redeem());
        expect(status).toBe(200);
        expect((await stage.client.refresh(body.refresh_token)).status).toBe(200);
      });
    });

    it("what was denied stays denied: Back and Approve give no code", async () => {
      const { page } = await stage.somebody();
      const request = await stage.reachStep2(page);
      await press(page, "Deny");
      await sees(page, titles.client);
      await page.goBack();
      await sees(page, titles.step2);
      await press(page, "Approve");
      await sees(page, titles.answered);
      expect(request.answers().map((answer) => answer.has("code"))).toEqual([false]);
    });

    it("step 2 can be reloaded and gone back from, and Approve still works", async () => {
      const { page } = await stage.somebody();
      const request = await stage.reachStep2(page);
      await page.reload();
      await sees(page, titles.step2);
      await page.goBack();
      await sees(page, titles.step2);
      await page.goForward();
      await sees(page, titles.step2);
      await page.goBack();
      await stage.approve(page);
      expect((await request.redeem()).status).toBe(200);
    });

    it.each([
      { order: "first, second", turns: [0, 1] },
      { order: "second, first", turns: [1, 0] },
    ])("two tabs with a request each are approved in any order ($order)", async ({ turns }) => {
      const { page, context } = await stage.somebody();
      const tabs = [page, await context.newPage()];
      const requests = [await stage.reachStep2(page), stage.client.ask()];
      await tabs[1]?.goto(requests[1]?.address ?? "");
      for (const turn of turns) {
        await tabs[turn]?.bringToFront();
        await stage.approve(tabs[turn] as Page);
      }
      for (const request of requests) expect((await request.redeem()).status).toBe(200);
    });

    it("what is approved is what was shown: after another tab's sign-in the page is shown again", async () => {
      const { page, context } = await stage.somebody();
      const tab = await context.newPage();
      const request = stage.client.ask();
      await tab.goto(request.address);
      const shown = await stage.reachStep2(page);
      await signIn(tab, stage.neighbours);
      await sees(tab, titles.step2);
      await press(page, "Approve");
      await page.getByText("Neighbours").waitFor();
      expect(shown.answers()).toEqual([]);
    });

    it("the address of step 2 is of no use in another browser", async () => {
      const { page } = await stage.somebody();
      await stage.reachStep2(page);
      const other = await stage.somebody();
      expect((await other.page.goto(page.url()))?.status()).toBe(403);
      await sees(other.page, titles.otherBrowser);
      expect(await other.page.getByRole("button").count()).toBe(0);
    });

    describe("with a browser that shows pages again as they were left", () => {
      let keeper: Browser;
      beforeAll(async () => {
        keeper = await startChromium(executablePath ?? "", true);
      });
      afterAll(async () => {
        await keeper?.close();
      });

      /** Goes back; `isKept` = the marked page was restored. */
      async function back(page: Page) {
        await page.evaluate("window.place = 'left'");
        // The page may be gone before it has answered.
        await page.evaluate("history.back()").catch(() => undefined);
        await expect.poll(() => page.evaluate("window.place").catch(() => "left")).not.toBe("left");
        return { isKept: (await page.evaluate("window.place")) === "marked" };
      }
      const mark = (page: Page) => page.evaluate("window.place = 'marked'");

      it("step 1 comes without the secret that was accepted, and step 2 can be approved again", async () => {
        const { page } = await stage.somebody({}, keeper);
        const request = stage.client.ask();
        await page.goto(request.address);
        await mark(page);
        await signIn(page, stage.household);
        await sees(page, titles.step2);
        expect(await back(page)).toEqual({ isKept: false });
        await sees(page, titles.step2);
        expect(await page.content()).not.toContain(stage.household.clientSecret);
        await mark(page);
        await stage.approve(page);
        expect(await back(page)).toEqual({ isKept: true });
        await stage.approve(page);
        expect(new Set(request.answers().map((answer) => answer.get("code"))).size).toBe(1);
        expect((await request.redeem()).status).toBe(200);
      });

      it("who has signed out of /grants does not see them again", async () => {
        const { page } = await stage.somebody({}, keeper);
        await page.goto(`${stage.server.url}/grants`);
        await signIn(page, stage.household);
        await sees(page, titles.grants);
        await mark(page);
        await press(page, "Sign out");
        await sees(page, titles.grantsSignIn);
        expect(await back(page)).toEqual({ isKept: false });
        await sees(page, titles.grantsSignIn);
      });
    });

    it("nothing went wrong on the way", () => {
      expect(stage.server.faults()).toEqual([]);
    });
  },
);
