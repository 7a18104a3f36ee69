import type { OpenRemoteFolder } from "@org/feed-sources";
import { asCall } from "./spans.js";

/** Folders of custodians whose calls are spans, without names of files and folders. */
export function tracedFolders(open: OpenRemoteFolder): OpenRemoteFolder {
  return async (settings, signal) => {
    const server = { "server.address": settings.host, "server.port": settings.port };
    const call = <T>(operation: string, work: () => Promise<T>) => asCall(`SFTP ${operation}`, server, work);
    const folder = await call("connect", () => open(settings, signal));
    return {
      list: (most) => call("list", () => folder.list(most)),
      look: (name) => call("stat", () => folder.look(name)),
      fetch: (file, begun) => call("get", () => folder.fetch(file, begun)),
      remove: (name) => call("remove", () => folder.remove(name)),
      move: (name, to, newName) => call("rename", () => folder.move(name, to, newName)),
      close: () => folder.close(),
    };
  };
}
