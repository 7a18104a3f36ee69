import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Quarantine } from "@org/rest-api";
import { z } from "zod";

/** Ends the name of the file that says why the one beside it was refused. */
export const REASON_SUFFIX = ".reason.json";

const reasonSchema = z.object({
  name: z.string(),
  folder: z.string().nullable(),
  refused_at: z.string(),
  code: z.string(),
  reason: z.string(),
  size: z.number(),
  sha256: z.string().nullable(),
});

/** What is in the quarantine folder, newest first: names there begin with the moment. @param place null = there is no drop folder */
export function createQuarantine(place: string | null): Quarantine {
  return {
    async list(limit) {
      if (place === null) return { watched: false, items: [], total: 0 };
      const found: { folder: string; name: string }[] = [];
      for (const entry of await readdir(place, { withFileTypes: true })) {
        if (entry.isDirectory())
          for (const name of await readdir(join(place, entry.name))) found.push({ folder: entry.name, name });
        else found.push({ folder: "", name: entry.name });
      }
      const reasons = found.filter(({ name }) => name.endsWith(REASON_SUFFIX));
      reasons.sort((a, b) => (a.name < b.name ? 1 : -1));
      const items = await Promise.all(reasons.slice(0, limit).map(readReason));
      return { watched: true, items: items.filter((item) => item !== null), total: reasons.length };
    },
  };

  /** Null for one that somebody has taken away meanwhile, or has changed beyond recognition. */
  async function readReason({ folder, name }: { folder: string; name: string }) {
    const text = await readFile(join(place ?? "", folder, name), "utf8").catch(() => "null");
    try {
      const reason = reasonSchema.parse(JSON.parse(text));
      return { ...reason, moved_to: join("quarantine", folder, name.slice(0, -REASON_SUFFIX.length)) };
    } catch {
      return null;
    }
  }
}
