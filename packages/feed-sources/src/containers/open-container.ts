import { gunzipSync } from "node:zlib";
import { FeedRefusal, type FeedWarning } from "@org/provider-kit";
import { printableName } from "../file-names.js";
import { type Bounds, createBounds, MAX_CONTAINER_DEPTH } from "./bounds.js";
import { type ContainerKind, containerKind } from "./container-kind.js";
import { openPgpMessage, type PgpKeys } from "./open-pgp.js";
import { type ContainedFile, unzip } from "./unzip.js";

/** What opening a container needs. */
export interface Opening {
  readonly keys: PgpKeys;
  readonly now: Date;
}

/** The content of a container, including nested containers. */
export interface OpenedContainer {
  readonly files: readonly ContainedFile[];
  /** Reports skipped files that are no statements, and oddities of signatures. */
  readonly warnings: readonly FeedWarning[];
}

/**
 * The files in a file; a file that is no container contains itself. Opens zip, gzip and PGP, also nested, within the limits of bounds.ts. Files that
 * accompany statements, such as README and PDF, are skipped with a warning. @throws FeedRefusal if any part cannot be opened, or nothing could be a
 * statement
 */
export async function openContainer(file: ContainedFile, opening: Opening): Promise<OpenedContainer> {
  const bounds = createBounds();
  const files: ContainedFile[] = [];
  const warnings: FeedWarning[] = [];
  await open({ ...file, depth: 0, isSigned: false });
  if (files.length === 0) {
    const left = warnings.map(({ place }) => place.replace(/^part /, ""));
    const only = left.length === 0 ? "" : `, only ${left.slice(0, 5).join(", ")}`;
    throw new FeedRefusal("file", `is a container without any statement in it${only}`);
  }
  return { files, warnings };

  async function open(layer: Layer): Promise<void> {
    const { name, bytes, depth } = layer;
    const place = depth === 0 ? "file" : `part ${name}`;
    const kind = containerKind(bytes);
    if (kind === null) {
      if (opening.keys.mustBeSigned && !layer.isSigned)
        throw new FeedRefusal(place, "is not signed; files of this custodian have to be", "signature");
      files.push({ name, bytes });
      return;
    }
    if (depth === MAX_CONTAINER_DEPTH)
      throw new FeedRefusal(
        place,
        `is the ${MAX_CONTAINER_DEPTH + 1}th container in one another; ${MAX_CONTAINER_DEPTH} are opened`,
      );
    for (const inner of await contentOf(kind, layer, place)) {
      const ignored = kind === "zip" ? ignoredReason(inner) : null;
      if (ignored !== null) warnings.push({ place: `part ${inner.name}`, message: `${ignored}, and was left out` });
      else await open({ ...inner, depth: depth + 1 });
    }
  }

  async function contentOf(kind: ContainerKind, layer: Layer, place: string): Promise<readonly Omit<Layer, "depth">[]> {
    const { name, bytes, isSigned } = layer;
    if (kind === "zip") {
      const inside = layer.depth === 0 ? "" : `${name}/`;
      const unpacked = await unzip(bytes, place, bounds);
      return unpacked.map((file) => ({ name: shortName(`${inside}${file.name}`), bytes: file.bytes, isSigned }));
    }
    if (kind === "gzip")
      return [{ name: name.replace(/\.gz(?:ip)?$/i, ""), bytes: gunzip(bytes, place, bounds), isSigned }];
    const message = await openPgpMessage(bytes, place, { ...opening, bounds });
    if (message.warning !== null) warnings.push({ place, message: message.warning });
    return [
      {
        name: name.replace(/\.(?:pgp|gpg|asc)$/i, ""),
        bytes: message.bytes,
        isSigned: isSigned || message.isSigned,
      },
    ];
  }
}

interface Layer extends ContainedFile {
  /** The number of containers around it. */
  readonly depth: number;
  /** An enclosing message was signed by one of the signers. */
  readonly isSigned: boolean;
}

/** A long name keeps its end, which says more. */
function shortName(name: string): string {
  return printableName(name.slice(-255));
}

/**
 * The content of a gzip file, all its members concatenated (RFC 1952 §2.2). Zeros after the last member are ignored: tapes are padded with them.
 * @throws FeedRefusal if it is damaged or too large, or if anything else follows the last member
 */
function gunzip(bytes: Uint8Array, place: string, bounds: Bounds): Uint8Array {
  const room = bounds.room(place, bytes.byteLength);
  try {
    const content = gunzipSync(bytes, { maxOutputLength: Math.max(1, room.bytes) });
    bounds.count(place, bytes.byteLength, content.byteLength);
    return content;
  } catch (error) {
    if (error instanceof FeedRefusal) throw error;
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw room.refusal;
    throw new FeedRefusal(place, `is a gzip file that cannot be opened: ${(error as Error).message}`);
  }
}

/** Why a file in an archive cannot be a statement, such as files that systems and people add; null = it may be one. */
function ignoredReason({ name, bytes }: ContainedFile): string | null {
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
