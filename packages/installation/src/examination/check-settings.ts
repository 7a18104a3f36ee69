import { randomUUID } from "node:crypto";
import { ClamdError, createClamd } from "../clamd.js";
import type { Config } from "../config.js";
import { openBucket } from "../document-bucket.js";
import { isLoopback } from "../network-settings.js";
import { type Finding, fail, ok, warn } from "./finding.js";

/** Timeout for clamd's answer to a PING. */
const TIMEOUT_MS = 5_000;

/** Settings that are valid but unsuitable for production. An installation with `DATABASE_URL` is treated as production. */
export function checkSettings(config: Config): Finding[] {
  const production = config.databaseUrl !== undefined;
  return [publicUrl(config, production), proxy(config), sandbox(config, production), mail(config, production)];
}

function publicUrl({ publicUrl: url }: Config, production: boolean): Finding {
  const check = "public address";
  if (url === undefined)
    return warn(check, "PORT is 0, so the address changes with every start", "set PORT, or PUBLIC_URL");
  if (production && isLoopback(url))
    return warn(
      check,
      `${url} can be reached from this machine only`,
      "set PUBLIC_URL to the https address that clients use",
    );
  return ok(check, url);
}

/** Without TRUST_PROXY, wrong guesses are counted against the proxy's address, and so against all clients. */
function proxy({ publicUrl: url, trustProxy }: Config): Finding {
  const check = "proxy";
  if (url?.startsWith("https://") && trustProxy === undefined)
    return warn(
      check,
      "the server is reached by https, so a proxy stands in front, but TRUST_PROXY is not set: all clients look like one address",
      "set TRUST_PROXY to the number of proxies, or to their addresses; false = no proxy",
    );
  return ok(check, !trustProxy ? "none in front" : `trusts ${String(trustProxy)}`);
}

function sandbox({ sandbox: on }: Config, production: boolean): Finding {
  if (on && production)
    return warn("sandbox banks", "they are in the catalogue of a production", "set SANDBOX=false, or leave it unset");
  return ok("sandbox banks", on ? "on" : "off");
}

function mail({ smtp }: Config, production: boolean): Finding {
  if (smtp !== null) return ok("mail", "SMTP_URL is set");
  const message = "SMTP_URL is not set: no letter is mailed to a custodian";
  return production
    ? warn("mail", message, "set SMTP_URL and MAIL_FROM, or send letters by hand")
    : ok("mail", message);
}

/** Checks that documents of letters can be stored, by writing, reading and removing an object. */
export async function checkDocumentStore({ documents }: Config): Promise<Finding> {
  const check = "documents";
  if (documents === undefined) return ok(check, "DOCUMENTS_URL is not set: letters' documents are in the database");
  const bucket = openBucket(documents);
  const key = `doctor/${randomUUID()}`;
  const where = `the bucket ${documents.bucket}`;
  try {
    await bucket.put(key, Buffer.from(key));
    const found = await bucket.get(key, key.length);
    await bucket.remove([key]);
    if (found === null) return fail(check, `${where} has not what was written to it`, "correct DOCUMENTS_URL");
    return ok(check, `${where} takes, gives and removes objects`);
  } catch (error) {
    const { name, message } = error as Error;
    const hint = "correct DOCUMENTS_URL, or the rights of whoever the server signs in as (put, get and delete objects)";
    return fail(check, `${where} cannot be used (${name}: ${message}): letters with documents are refused`, hint);
  }
}

/** Checks that documents of letters can be scanned; while they cannot, letters are refused. */
export async function checkVirusScan({ clamd }: Config): Promise<Finding> {
  const check = "virus scan";
  if (clamd === undefined) return ok(check, "CLAMD_URL is not set: documents of letters are not scanned");
  const where = "path" in clamd ? clamd.path : `${clamd.host}:${clamd.port}`;
  try {
    await createClamd(clamd, TIMEOUT_MS).ping();
    return ok(check, `clamd answers at ${where}`);
  } catch (error) {
    if (!(error instanceof ClamdError)) throw error;
    return fail(check, `${error.message} (${where}): no letter is taken`, "start clamd, or correct CLAMD_URL");
  }
}
