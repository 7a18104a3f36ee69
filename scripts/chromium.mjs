// Finds a Chromium for browser checks, installs Debian's if there is none, and prints its path. CHROMIUM_PATH names another one. With --shell it
// looks for the headless shell: the same engine without the browser's windows, in which a new profile costs a tenth of the time. If there is no
// package of it, it uses the browser.
import { pathToFileURL } from "node:url";
import { findCommand, installFromDebian } from "./debian.mjs";

/** Flags that headless Chromium needs to run as root and without contacting the outside world. */
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

function shellPath() {
  if (process.env.CHROMIUM_SHELL_PATH) return process.env.CHROMIUM_SHELL_PATH;
  const find = () => findCommand("chromium-headless-shell", "chrome-headless-shell");
  if (!find()) installFromDebian(["chromium-headless-shell"], { optional: true });
  return find() ?? chromiumPath();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(process.argv[2] === "--shell" ? shellPath() : chromiumPath());
