import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { startSnapTrade } from "./snaptrade.js";
import type { SnapTradePartner, SnapTradeUser } from "./snaptrade-book.js";

interface Call {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly timestamp?: string;
  readonly consumerKey?: string;
  /** Of the address, and of what is signed. */
  readonly prefix?: string;
  readonly signedPrefix?: string;
}

/** SnapTrade with a clock of the test's own, and somebody who calls it as its page on signatures says. */
export async function openSnapTrade() {
  let now = Date.parse("2026-11-20T15:00:00.123Z");
  const stand = await startSnapTrade({ clock: () => new Date(now) });
  onTestFinished(() => stand.close());
  let url = stand.base_url;

  /** What is signed has its members in order, what is sent not. */
  async function call(partner: SnapTradePartner, path: string, options: Call = {}) {
    const { method = "GET", body, prefix = "", signedPrefix = prefix } = options;
    const timestamp = options.timestamp ?? String(Math.floor(now / 1000));
    const query = String(new URLSearchParams({ clientId: partner.client_id, timestamp, ...options.query }));
    const content = typeof body === "object" ? JSON.stringify(body) : body;
    const canonical = typeof body === "object" ? JSON.stringify(body, Object.keys(body).sort()) : body;
    const signed = `{"content":${canonical ?? "null"},"path":${JSON.stringify(signedPrefix + path)},"query":${JSON.stringify(query)}}`;
    const answer = await fetch(`${url}${prefix}${path}?${query}`, {
      method,
      headers: {
        Signature: createHmac("sha256", options.consumerKey ?? partner.consumer_key)
          .update(signed)
          .digest("base64"),
        ...(content !== undefined && { "content-type": "application/json" }),
      },
      ...(content !== undefined && { body: content }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  const as =
    (user: SnapTradeUser) =>
    (path: string, { query, ...more }: Call = {}) =>
      call(user.partner, path, {
        ...more,
        query: { ...(!user.partner.isPersonal && { userId: user.id, userSecret: user.secret }), ...query },
      });

  /** A user, registered by call. */
  async function register(partner: SnapTradePartner, userId = "wealthly-17") {
    const { body } = await call(partner, "/snapTrade/registerUser", { method: "POST", body: { userId } });
    const user = partner.users.get(userId);
    if (user?.secret !== body.userSecret || !user) throw new Error("not registered");
    return user;
  }

  /** A person in front of the portal, who follows what the pages say. */
  function personAt(link: string) {
    let page = { url: link, status: 0, text: "" };
    async function go(target: string, form?: Readonly<Record<string, string>>): Promise<string> {
      const address = new URL(target.replaceAll("&amp;", "&"), page.url);
      if (address.origin !== new URL(stand.base_url).origin) return address.href;
      const post = form && { method: "POST", body: new URLSearchParams(form) };
      const answer = await fetch(address, { redirect: "manual", ...post });
      page = { url: address.href, status: answer.status, text: await answer.text() };
      const next = answer.headers.get("location");
      return next === null ? address.href : go(next);
    }
    /** The heading. */
    const heading = () => /<h1>(.*?)<\/h1>/.exec(page.text)?.[1];
    /** Fills in and sends the form of this action; its hidden fields go along. */
    function send(action: string, fields: Readonly<Record<string, string>> = {}) {
      const found = new RegExp(`action="([^"]*/${action})">([\\s\\S]*?)</form>`).exec(page.text);
      if (!found) throw new Error(`no form ${action} on ${page.text}`);
      const hidden = [...(found[2] ?? "").matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
      return go(found[1] ?? "", { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...fields });
    }
    const follow = (label: string) => {
      const found = new RegExp(`href="([^"]*)">${label}</a>`).exec(page.text);
      if (!found) throw new Error(`no link ${label} on ${page.text}`);
      return go(found[1] ?? "");
    };
    return { open: () => go(link), go: (target: string) => go(target), send, follow, heading, page: () => page };
  }

  return {
    ...stand,
    call,
    as,
    register,
    personAt,
    later: (seconds: number) => {
      now += seconds * 1000;
    },
    now: () => now,
    /** From now on all calls go through Prism, which judges them and their answers by the published description. */
    async judge() {
      const prism = await startPrism(stand.base_url);
      url = prism.url;
      onTestFinished(() => prism.close());
    },
  };
}

async function startPrism(upstream: string) {
  const { resolve } = createRequire(new URL("../../../../packages/provider-openwealth/package.json", import.meta.url));
  const file = fileURLToPath(new URL("./description/snaptrade.json", import.meta.url));
  const main = resolve("@stoplight/prism-cli/dist/index.js");
  const options = ["proxy", "--host", "127.0.0.1", "--port", "0", file, upstream];
  const prism: ChildProcess = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  if (prism.stdout === null) throw new Error("prism says nothing");
  let url = "";
  for await (const line of createInterface(prism.stdout)) {
    url = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
    if (url !== "") break;
  }
  prism.stdout.resume();
  return {
    url,
    async close() {
      prism.kill();
      await once(prism, "exit");
    },
  };
}
