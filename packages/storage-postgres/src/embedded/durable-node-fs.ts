import { closeSync, fsyncSync, openSync } from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** The parts of the Emscripten module that matter here; it ships no types. */
interface EmscriptenModule {
  readonly NODEFS: {
    readonly stream_ops: { fsync?: (stream: EmscriptenStream) => number };
    realPath(node: unknown): string;
  };
}
interface EmscriptenStream {
  readonly nfd?: number;
  readonly node: unknown;
}

/** Windows has no fsync of folders and refuses it; PostgreSQL leaves it out there too. */
export const canSyncFolders = process.platform !== "win32";

/** PGlite's file system on a real folder, with the fsync that the stock one lacks: without it PostgreSQL's own fsync does nothing. */
export class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS["init"]>): Promise<Awaited<ReturnType<NodeFS["init"]>>> {
    const initialised = await super.init(...args);
    const preRun = initialised.emscriptenOpts.preRun as ((module: EmscriptenModule) => void)[];
    preRun.push(({ NODEFS }) => {
      NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        // Only folders have no descriptor.
        else if (canSyncFolders) syncByPath(NODEFS.realPath(stream.node));
        return 0;
      };
    });
    return initialised;
  }
}

function syncByPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
