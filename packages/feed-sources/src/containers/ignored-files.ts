import type { ContainedFile } from "./unzip.js";

/** Why a file in an archive is no statement, such as what systems and people put beside one; null = it may be one. */
export function whyIgnored({ name, bytes }: ContainedFile): string | null {
  const file = name.slice(name.lastIndexOf("/") + 1);
  if (/(?:^|\/)__MACOSX\//.test(name) || file.startsWith("._")) return "belongs to macOS";
  if (/^(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(file)) return "belongs to the system that packed it";
  if (bytes.byteLength === 0) return "is empty";
  if (/^(?:readme|read_me|liesmich|lisezmoi|leggimi|leeme)(?:\.(?:txt|md|rtf|html?))?$/i.test(file))
    return "is for people to read";
  if (/\.(?:md5|sha1|sha256|sha512|sfv)$/i.test(file)) return "holds checksums";
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  if (/^[^\n]{0,100}%PDF-/.test(head)) return "is a PDF document";
  if (/^(?:\x89PNG|\xff\xd8\xff|GIF8)/.test(head)) return "is a picture";
  if (/^\s*-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY)/.test(head))
    return "is a signature or key beside the files, which is not looked at";
  return null;
}
