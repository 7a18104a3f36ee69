import type { Browser } from "@org/pages/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StateAnswer } from "../src/presenter.js";
import type { BanksAnswer } from "../src/widget-pages.js";
import { startWidget } from "./widget-host.js";

let host: Awaited<ReturnType<typeof startWidget>>;
let browser: Browser;

beforeAll(async () => {
  host = await startWidget();
});
afterAll(() => host.stop());
beforeEach(() => {
  browser = host.browser();
});

const json = { Accept: "application/json" };

async function stateOf(path: string, from = browser) {
  const { status, html, headers } = await from.request(`${path}/state`, { headers: json });
  return { status, headers, ...(JSON.parse(html) as StateAnswer) };
}

/** Sends a form like the client, with the latest token unless another one is given. */
async function send(path: string, step: string, fields: Record<string, string> = {}, token?: string) {
  const csrf_token = token ?? (await stateOf(path)).csrf_token;
  const body = new URLSearchParams({ ...fields, csrf_token });
  const answer = await browser.request(`${path}/${step}`, { method: "POST", body, headers: json });
  return {
    status: answer.status,
    headers: answer.headers,
    text: answer.html,
    ...(JSON.parse(answer.html) as StateAnswer),
  };
}

async function begin(configuration?: Record<string, unknown>) {
  const session = await host.openSession(configuration);
  await send(session.path, "continue");
  return session;
}

describe("the state", () => {
  it("[C-5.10] looking never claims: another browser can still continue", async () => {
    const { path } = await host.openSession();
    const first = await stateOf(path, host.browser());
    expect(first).toMatchObject({ status: 200, state: { screen: "landing", bank: "Banco Sol", privacy_notice: null } });
    expect((await send(path, "continue")).state).toMatchObject({ screen: "credentials", bank: { name: "Banco Sol" } });
  });

  it("[C-5.11] of another browser's session is that it is taken, with no token to send anything", async () => {
    const { path } = await begin();
    expect(await stateOf(path, host.browser())).toMatchObject({
      status: 403,
      csrf_token: "",
      state: { screen: "notice", notice: "taken" },
    });
  });

  it("is never kept by the browser or a proxy, and is not a page", async () => {
    const { path } = await host.openSession();
    const { headers } = await stateOf(path);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  it("is drawn as the page has it, and not again for who has it already", async () => {
    const { path } = await begin();
    const { drawing, state } = await stateOf(path);
    expect((await browser.open(path)).html).toContain(drawing?.html);
    const version = /data-version="([\w-]+)"/.exec(drawing?.html ?? "")?.[1];
    const again = await browser.request(`${path}/state?seen=${version}`, { headers: json });
    expect(JSON.parse(again.html)).toMatchObject({ drawing: null, state });
    await send(path, "credentials", { username: "ana", password: "wrong" });
    await host.settle();
    const later = await browser.request(`${path}/state?seen=${version}`, { headers: json });
    expect(JSON.parse(later.html).drawing.html).toContain("2 attempts");
  });

  it("of an unknown link is 404, in the browser's language", async () => {
    const answer = await browser.request("/connect/nothing/state", { headers: { "Accept-Language": "de" } });
    expect([answer.status, JSON.parse(answer.html)]).toMatchObject([
      404,
      { language: "de", state: { screen: "notice", notice: "unknownLink" } },
    ]);
  });
});

describe("a form sent by the client", () => {
  it("[S1-3.1] goes through the same steps as the pages, and ends with the address to return to", async () => {
    const { path, id } = await begin({ connector_id: "esp:banco", redirect_url: host.returnUrl });
    expect((await send(path, "credentials", { username: "ana", password: "qr" })).state.screen).toBe("processing");
    await host.settle();
    const asked = (await stateOf(path)).state;
    expect(asked).toMatchObject({
      screen: "challenge",
      kind: "qr",
      qr: { text: "https://bank.example/approve?<b>&1" },
    });
    await send(path, "answer", { answer: "approve" });
    await host.settle();
    expect((await stateOf(path)).state).toEqual({
      screen: "outcome",
      bank: "Banco Sol",
      relogin: false,
      status: "Finished:OK",
      error_code: null,
      remark: null,
      return_url: `${host.returnUrl}&session_id=${id}`,
    });
  });

  it("with a field left empty is 400 and names it; nothing that was typed comes back", async () => {
    const { path } = await begin();
    const answer = await send(path, "credentials", { username: "", password: "very-secret" });
    expect(answer).toMatchObject({ status: 400, faults: [{ field: "username", missing: true }] });
    expect(answer.text).not.toContain("very-secret");
  });

  it("[C-9.20] that the bank refuses says how many attempts are left", async () => {
    const { path } = await begin();
    await send(path, "credentials", { username: "ana", password: "wrong" });
    await host.settle();
    expect((await stateOf(path)).state).toMatchObject({ screen: "credentials", refused: { attempts_left: 2 } });
  });

  it.each(["", "x".repeat(43)])("with the token %j is 403 and changes nothing", async (token) => {
    const { path, id } = await begin();
    const answer = await send(path, "cancel", {}, token);
    expect(answer).toMatchObject({ status: 403, state: { screen: "notice", notice: "forbidden" } });
    expect((await host.status(id)).status).toBe("Waiting:ProvideCredentials");
  });

  it("that is too large is 413, as JSON too", async () => {
    const { path } = await begin();
    expect(await send(path, "answer", { answer: "x".repeat(70_000) })).toMatchObject({
      status: 413,
      state: { screen: "notice", notice: "tooLarge" },
    });
  });

  it("asks for what the bank asks for, and for nothing else", async () => {
    const { path } = await begin({ connector_id: "usa:bank-0" });
    const fields = [
      { name: "username", label: { en: "Customer number" }, hint: { en: "Eight digits, on your bank card." } },
    ];
    expect((await stateOf(path)).state).toMatchObject({ screen: "credentials", fields });
    expect((await send(path, "credentials", { username: "12345678" })).state.screen).toBe("processing");
    await host.settle();
  });
});

describe("a challenge that the bank changes or ends by itself", () => {
  async function challenged(password: string) {
    const session = await begin();
    await send(session.path, "credentials", { username: `customer of ${session.path}`, password });
    await host.settle();
    return session;
  }

  it("shows the bank's next code at the next look, without a form", async () => {
    const { path } = await challenged("turning qr");
    expect((await stateOf(path)).state).toMatchObject({ qr: { text: "https://bank.example/approve/1" } });
    host.bank.turn();
    host.advance(3_000);
    expect((await stateOf(path)).state).toMatchObject({
      screen: "challenge",
      follows_bank: true,
      qr: { text: "https://bank.example/approve/2" },
    });
  });

  it("[S1-3.1] goes on by itself once it was approved elsewhere", async () => {
    const { path, id } = await challenged("app");
    expect((await stateOf(path)).state.screen).toBe("challenge");
    host.bank.approve();
    host.advance(3_000);
    await stateOf(path);
    await host.settle();
    expect((await stateOf(path)).state).toMatchObject({ screen: "outcome", status: "Finished:OK" });
    expect((await host.status(id)).status).toBe("Finished:OK");
  });

  it("[C-5.11] is not for another browser, which makes nobody ask the bank", async () => {
    const { path } = await challenged("turning qr");
    const before = host.bank.polls();
    expect((await stateOf(path, host.browser())).state).toMatchObject({ notice: "taken" });
    expect(host.bank.polls()).toBe(before);
  });
});

describe("the list of banks", () => {
  async function banksOf(path: string, search: string) {
    const { status, html } = await browser.request(`${path}/banks?${search}`, { headers: json });
    return { status, ...(JSON.parse(html) as BanksAnswer) };
  }

  it("comes in pages, with places by name", async () => {
    const { path } = await begin({});
    const [first, second] = [await banksOf(path, "page=1"), await banksOf(path, "page=2")];
    expect(first).toMatchObject({ status: 200, total: 64, page: 1, pages: 2 });
    expect([first.items.length, second.items.length]).toEqual([50, 14]);
    expect(first.countries).toEqual([
      { code: "fra", name: "France" },
      { code: "deu", name: "Germany" },
      { code: "esp", name: "Spain" },
      { code: "usa", name: "United States" },
    ]);
    expect(first.items.slice(0, 2)).toMatchObject([
      { name: "Depotfeed", detail: "Germany · By letter", ways: [{ id: "deu:feed", by_letter: true }] },
      { name: "Banco Sol", detail: "Spain", ways: [{ id: "esp:banco", by_letter: false }] },
    ]);
  });

  it("[C-5.12] holds what the filter allows, by name and country, in the session's language", async () => {
    const rules = [{ action: "exclude", field: "countries", value: "usa" }];
    const { path } = await begin({ connector_filter: { rules }, language: "es" });
    expect((await banksOf(path, "name=BANQUE&country=fra")).items).toMatchObject([
      { name: "Banque Bleue", detail: "Francia", ways: [{ id: "fra:banque", by_letter: false }] },
    ]);
    expect((await banksOf(path, "name=prairie")).total).toBe(0);
    expect((await send(path, "bank", { connector_id: "usa:bank-1" })).faults).toEqual([
      { field: "connector_id", missing: false },
    ]);
  });

  it("[C-5.31] begins with the country where the customer may be, in the list and among the countries", async () => {
    const { path } = await begin({});
    const read = async (languages: string) => {
      const { html } = await browser.request(`${path}/banks`, { headers: { ...json, "Accept-Language": languages } });
      const { items, countries } = JSON.parse(html) as BanksAnswer;
      return [items[0]?.ways[0]?.id, countries[0]?.code];
    };
    expect(await read("fr-FR, en;q=0.5")).toEqual(["fra:banque", "fra"]);
    expect(await read("es")).toEqual(["esp:banco", "esp"]);
    expect(await read("en")).toEqual(["deu:feed", "fra"]);
    expect(await read("x".repeat(20))).toEqual(["deu:feed", "fra"]);
  });

  it("is for the session's own browser only", async () => {
    const { path } = await begin({});
    expect((await host.browser().request(`${path}/banks`)).status).toBe(403);
  });
});
