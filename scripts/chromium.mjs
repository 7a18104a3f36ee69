// Finds a Chromium for browser checks, installs Debian's when there is none, and prints its path.
// CHROMIUM_PATH names another one.
import { pathToFileURL } from "node:url";
import { findCommand, installFromDebian } from "./debian.mjs";

/** What headless Chromium needs to run as root and without looking for the outside world. */
export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function chromiumPath() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const find = () => findCommand("chromium", "chromium-browser", "google-chrome");
  if (!find()) installFromDebian(["chromium"]);
  return find();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(chromiumPath());
