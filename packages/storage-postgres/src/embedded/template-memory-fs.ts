import { MemoryFS, PGlite } from "@electric-sql/pglite";
import type { TemplateEntry } from "./unpack-template.js";

/** PGlite's in-memory file system, preloaded with a template. Writes go to a copy, so one template serves many databases. */
export class TemplateMemoryFS extends MemoryFS {
  readonly #template: readonly TemplateEntry[];

  constructor(template: readonly TemplateEntry[]) {
    super();
    this.#template = template;
  }

  /** PGlite looks for a database after this call, and creates one if it finds none. */
  override async initialSyncFs(): Promise<void> {
    const fs = this.pg?.Module.FS;
    if (!fs) throw new Error("PGlite has no file system yet");
    const root = PGlite.paths.PGDATA;
    if (!fs.analyzePath(root).exists) fs.mkdir(root);
    for (const { path, mode, content } of this.#template)
      if (content === null) fs.mkdir(`${root}/${path}`, mode);
      else fs.writeFile(`${root}/${path}`, content);
  }
}
