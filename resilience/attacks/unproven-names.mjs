import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { requestBytes } from "@org/bench/measuring/load.mjs";
import { closedLoop, variantsOf } from "./closed-loop.mjs";
import { answerOf } from "./console-sign-ins.mjs";
import { expectOk } from "./stage.mjs";

export { holdings, honest } from "./everyday.mjs";

export const title = "made-up cookies, passkeys, invitations, tokens and addresses that name the honest tenant";

/** Its provider takes notifications. */
export const environment = {
  PROVIDERS: fileURLToPath(new URL("../../apps/server/test/providers/odd-bank.mjs", import.meta.url)),
};
const PROVIDER = "odd-bank";
/** Settings are in force after 5 s at the latest. */
const SETTINGS_MS = 6_000;

const secret = () => randomBytes(32).toString("base64url");
/** As sessions and invitations of the console's people are made. */
const bearer = (prefix, { tenant }) =>
  `${prefix}${Buffer.from(tenant.replaceAll("-", ""), "hex").toString("base64url")}${secret()}`;
const atConsole = ({ origin }, path, body, headers = {}) =>
  requestBytes(
    "POST",
    `/console/api/${path}`,
    { "content-type": "application/json", origin, ...headers },
    JSON.stringify(body),
  );

/** The bytes of the next request by what it makes up, given the connection's last answer. */
const targets = {
  cookie(stage) {
    const prefix = stage.origin.startsWith("https:") ? "__Host-" : "";
    const cookie = `${prefix}wc-person=${bearer("wcp_", stage.honest)}`;
    return atConsole(stage, "session", {}, { cookie });
  },
  "user-handle"(stage, last) {
    const cookie = /^set-cookie: *((?:__Host-)?wc-sign-in=[^;\s]+)/im.exec(last?.head ?? "")?.[1];
    if (!cookie) return atConsole(stage, "sign-in/begin", {});
    return atConsole(stage, "sign-in/finish", { answer: answerOf(stage.honest.tenant) }, { cookie });
  },
  invitation: (stage) => atConsole(stage, "join/show", { invitation: bearer("wci_", stage.honest) }),
  "upload-token": () => requestBytes("PUT", `/feeds/v1/wcf_${secret()}/positions.csv`, {}, "x"),
  notification: ({ honest: { tenant } }) =>
    requestBytes("POST", `/providers/${PROVIDER}/notifications?tenant=${tenant}`, { "x-odd-key": "made up" }, "x"),
  link: () => requestBytes("GET", `/connect/${secret()}`, {}),
};

export const variants = variantsOf(Object.keys(targets), 200);

/** Gives the honest tenant settings of its own for the provider, so that its notification address exists. */
export async function prepare({ variant, operator, honest, post }) {
  if (variants[variant].target !== "notification") return;
  const settings = { behaviour: "works", key: "a long enough key" };
  await expectOk(post(operator, "/operator/v1/providers/set", { name: PROVIDER, tenant_id: honest.tenant, settings }));
  await delay(SETTINGS_MS);
}

export function attack(stage) {
  const { target, ...loop } = variants[stage.variant];
  return closedLoop(stage, loop, (_index, last) => targets[target](stage, last));
}
