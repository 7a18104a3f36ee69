import { conformanceCases, type StandIn } from "@org/provider-kit/testing";
import openWealth from "@org/provider-openwealth";
import { describe, it } from "vitest";
import { larkspurAtBank } from "./stand-in/larkspur-at-bank.js";
import { type OpenWealthBank, startOpenWealthBank } from "./stand-in/open-wealth-bank.js";

const clock = () => new Date("2026-11-20T06:00:00Z");
const callback = "https://wealth.example/connect/callback";

async function setup() {
  const bank = await startOpenWealthBank({
    clock,
    customers: [larkspurAtBank("2026-11-20")],
    redirect_uris: [callback],
  });
  const { base_url, authorize_url, token_url, revoke_url, client_id, client_secret } = bank;
  const auth = { type: "authorization_code", authorize_url, token_url, revoke_url, client_id, client_secret };
  return {
    definition: openWealth,
    settings: { banks: [{ id: "alpenrose", name: "Alpenrose", country: "che", base_url, auth }] },
    connector: { connector_id: "che:alpenrose", provider_ref: "alpenrose" },
    customer: { fields: {}, redirect: (url: string) => approve(bank, url) },
    clock,
    institution: standIn(bank),
    figures: ["9956.192", "0.123456789012345678", "1144962.080", "-180765.00"],
    close: () => bank.close(),
  };
}

/** A customer who approves on the bank's own page. */
async function approve({ institution }: OpenWealthBank, url: string): Promise<Record<string, string>> {
  const page = await (await fetch(url)).text();
  const request = /name="request" value="(\w+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ request, user: "larkspur", decision: "approve" });
  const answer = await fetch(`${institution.url}/oauth/decide`, { method: "POST", body, redirect: "manual" });
  return Object.fromEntries(new URL(answer.headers.get("location") ?? "").searchParams);
}

function standIn({ institution, authorization }: OpenWealthBank): StandIn {
  const always = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
    institution.fail(() => true, { kind: "instead", reply: { status, body, headers } }, 10_000);
  return {
    modes: ["well", "hangs", "down", "nonsense", "throttles", "withdrawn"],
    asked: () => institution.requests.length,
    set(mode) {
      institution.heal();
      if (mode === "hangs") institution.fail(() => true, { kind: "hang" }, 10_000);
      if (mode === "down") always(503, "<h1>Closed</h1>");
      if (mode === "nonsense") always(200, '{"nonsense": true}', { "content-type": "application/json" });
      if (mode === "throttles") always(429, "", { "retry-after": "60" });
      if (mode === "withdrawn") authorization.withdraw("larkspur");
    },
  };
}

describe("[C-10.22] a bank with OpenWealth Custody Services, by redirect", () => {
  for (const { name, run } of conformanceCases(setup))
    it(name, async () => {
      await run();
    });
});
