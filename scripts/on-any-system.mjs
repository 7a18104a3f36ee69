// What starting a command needs to work on Windows as well.
import { posix, win32 } from "node:path";

const flavourOf = (platform) => (platform === "win32" ? win32 : posix);

/**
 * A copy of an environment with a folder in front of its PATH. Windows calls the variable `Path`, and a copy of `process.env`, unlike itself,
 * tells upper and lower case apart: `{ ...process.env }.PATH` is undefined there.
 */
export function withFolderFirst(folder, env, platform = process.platform) {
  const isPath = (name) => (platform === "win32" ? /^path$/i.test(name) : name === "PATH");
  const former = Object.entries(env).find(([name]) => isPath(name))?.[1];
  const others = Object.entries(env).filter(([name]) => !isPath(name));
  const folders = former ? [folder, former] : [folder];
  return { ...Object.fromEntries(others), PATH: folders.join(flavourOf(platform).delimiter) };
}

/**
 * The command and arguments to spawn, with `shell` only on Windows: nothing else starts its `.cmd` files. A shell splits at spaces, which the folders
 * of people and programs have there.
 */
export function commandFor(command, args, platform = process.platform) {
  if (platform !== "win32") return [command, args];
  const quoted = (word) => (/^[\w.:\\/=@+-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`);
  return [[command, ...args].map(quoted).join(" "), []];
}
