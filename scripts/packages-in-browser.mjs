// Runs installed packages in Chromium, bundled for a browser by esbuild without Node built-ins.
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { chromiumArguments, chromiumPath } from "./chromium.mjs";
import { root } from "./step.mjs";

/** What each package computes in a page, and the expected result. */
const pages = {
  "@org/connector-filter": {
    source: `
      import { applyConnectorFilter, parseConnectorFilter } from "@org/connector-filter";
      const catalogue = [
        { id: "esp:one", name: "One", type: "e-banking", countries: ["esp"], available: true },
        { id: "esp:two", name: "Two", type: "psd2", countries: ["esp"], available: true },
        { id: "fra:one", name: "Un", type: "e-banking", countries: ["fra"], available: true },
        { id: "fra:off", name: "Deux", type: "e-banking", countries: ["fra"], available: false },
      ];
      const filter = parseConnectorFilter({ rules: [
        { action: "exclude", field: "connector_id", value: "*" },
        { action: "include", field: "countries", value: ["esp"] },
        { action: "exclude", field: "type", value: "psd2" },
      ] });
      document.title = applyConnectorFilter(catalogue, filter).map(({ id }) => id).join(" ");
    `,
    expected: "esp:one",
  },
  "@org/webhook-verifier": webhookPage(),
};

/** Names of the packages that support browsers. */
export const browserPackages = Object.keys(pages);

/** A delivery signed with a new Ed25519 key, and with the test secret of Standard Webhooks. */
function webhookPage() {
  const body = '{"id":"one","type":"webhook.test","data":{}}';
  const seconds = 1_795_348_801;
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const signature = sign(null, Buffer.from(`one.${seconds}.${body}`), privateKey).toString("base64");
  const key = Buffer.from(publicKey.export({ format: "jwk" }).x, "base64url").toString("base64");
  const headers = { "webhook-id": "one", "webhook-timestamp": `${seconds}`, "webhook-signature": `v1a,${signature}` };
  const vector = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  return {
    source: `
      import { createWebhookVerifier } from "@org/webhook-verifier";
      const at = (seconds) => () => new Date(seconds * 1000);
      const byKey = createWebhookVerifier({ publicKeys: "whpk_${key}", now: at(${seconds}) });
      const bySecret = createWebhookVerifier({ secrets: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", now: at(1614265330) });
      Promise.all([
        byKey.verify(${JSON.stringify(body)}, new Headers(${JSON.stringify(headers)})).then(({ type }) => type),
        byKey.verify("{}", new Headers(${JSON.stringify(headers)})).catch(({ code }) => code),
        bySecret.verifySignature('{"test": 2432232314}', ${JSON.stringify(vector)}).then(({ id }) => id.slice(0, 4)),
      ]).then((all) => { document.title = all.join(" "); }, (error) => { document.title = String(error); });
    `,
    expected: "webhook.test SIGNATURE_MISMATCH msg_",
  };
}

/** Throws unless the page computes the expected result; `project` is a folder with the package installed. */
export async function runInChromium(project, name) {
  const script = await bundle(project, name);
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    args: chromiumArguments,
  });
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    // WebCrypto needs a secure context; nothing leaves this machine.
    const html = `<!doctype html><meta charset="utf-8"><title></title><script>${script}</script>`;
    await page.route("**", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto("https://page.example/");
    await page.waitForFunction("document.title !== ''", undefined, { timeout: 30_000 }).catch(() => undefined);
    const title = await page.title();
    if (errors.length > 0) throw new Error(errors.join("\n"));
    const { expected } = pages[name];
    if (title !== expected) throw new Error(`the page computed "${title}", not "${expected}"`);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** esbuild comes with tsup. `platform: "browser"` fails the build on any import of a Node module. */
async function bundle(project, name) {
  const tsup = createRequire(join(root, "package.json")).resolve("tsup");
  const { build } = createRequire(tsup)("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: pages[name].source, resolveDir: project },
    bundle: true,
    format: "iife",
    platform: "browser",
    minify: true,
    write: false,
    logLevel: "silent",
  });
  console.log(`        ${name} in a page: ${gzipSync(outputFiles[0].contents).length} bytes minified and gzipped`);
  return outputFiles[0].text;
}
