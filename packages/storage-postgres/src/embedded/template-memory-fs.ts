import { MemoryFS, PGlite } from "@electric-sql/pglite";
import type { TemplateEntry } from "./unpack-template.js";

/** PGlite's file system in memory, with a template in it from the beginning: what is written is a copy, so that one template serves many. */
export class TemplateMemoryFS extends MemoryFS {
  readonly #template: readonly TemplateEntry[];

  constructor(template: readonly TemplateEntry[]) {
    super();
    this.#template = template;
  }

  /** PGlite looks for a database after this call, and creates one where it finds none. */
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
