import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentSpool } from "./document-spool.js";

const PIECE_BYTES = 1024 * 1024;
const CIPHER = "aes-256-ctr";

/**
 * Keeps documents in files of a folder while they arrive. A file is unlinked as soon as it is open, so that the system removes it
 * however the process ends. Its contents are encrypted under a key that exists only in memory.
 * @param folder used for nothing else; created if missing. Files in it are left over from a killed process and are deleted
 */
export async function createDiskSpool(folder: string): Promise<DocumentSpool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });

  return {
    async begin() {
      const path = join(folder, randomBytes(16).toString("hex"));
      const file = await open(path, "wx+", 0o600);
      await rm(path, { force: true });
      const [key, iv] = [randomBytes(32), randomBytes(16)];
      const cipher = createCipheriv(CIPHER, key, iv);
      let written = 0;
      return {
        async write(bytes) {
          const sealed = cipher.update(bytes);
          for (let done = 0; done < sealed.length; ) {
            const { bytesWritten } = await file.write(sealed, done, sealed.length - done, written);
            done += bytesWritten;
            written += bytesWritten;
          }
        },
        async readInto(target) {
          const decipher = createDecipheriv(CIPHER, key, iv);
          const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, target.length));
          for (let at = 0; at < target.length; ) {
            const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, target.length - at), at);
            if (bytesRead === 0)
              throw new Error("a document that was kept on the disk is shorter than what was written");
            decipher.update(piece.subarray(0, bytesRead)).copy(target, at);
            at += bytesRead;
          }
        },
        remove: () => file.close(),
      };
    },
  };
}
