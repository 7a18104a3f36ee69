import { FeedRefusal, type FeedWarning } from "@org/provider-kit";
import { createBounds, MAX_DEPTH } from "./bounds.js";
import { type ContainerKind, containerKind } from "./container-kind.js";
import { gunzip } from "./gunzip.js";
import { whyIgnored } from "./ignored-files.js";
import { openPgpMessage, type PgpKeys } from "./open-pgp.js";
import { type ContainedFile, unzip } from "./unzip.js";

/** With what a container is opened. */
export interface Opening {
  readonly keys: PgpKeys;
  readonly now: Date;
}

/** What is in a container, with what is in the containers in it. */
export interface OpenedContainer {
  readonly files: readonly ContainedFile[];
  /** Files that are no statements, and what is odd about signatures. */
  readonly warnings: readonly FeedWarning[];
}

/**
 * The files in a file: itself, when it is no container. Zip, gzip and PGP are opened, in one another too, within the bounds of
 * bounds.ts; files that come along with statements, such as README and PDF, are left out with a warning.
 * @throws FeedRefusal when any of it cannot be opened, or holds nothing that could be a statement
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
    if (depth === MAX_DEPTH)
      throw new FeedRefusal(place, `is the ${MAX_DEPTH + 1}th container in one another; ${MAX_DEPTH} are opened`);
    for (const inner of await contentOf(kind, layer, place)) {
      const ignored = kind === "zip" ? whyIgnored(inner) : null;
      if (ignored !== null) warnings.push({ place: `part ${inner.name}`, message: `${ignored}, and was left out` });
      else await open({ ...inner, depth: depth + 1 });
    }
  }

  async function contentOf(kind: ContainerKind, layer: Layer, place: string): Promise<readonly Omit<Layer, "depth">[]> {
    const { name, bytes, isSigned } = layer;
    if (kind === "zip") {
      const inside = layer.depth === 0 ? "" : `${name}/`;
      const unpacked = await unzip(bytes, place, bounds);
      return unpacked.map((file) => ({ name: printable(`${inside}${file.name}`), bytes: file.bytes, isSigned }));
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
  /** Containers around it. */
  readonly depth: number;
  /** What it lay in was signed by one of the signers. */
  readonly isSigned: boolean;
}

/** A name as it may be stored and shown; the end of a long one says more. */
function printable(name: string): string {
  return name.replace(/[\p{Cc}\p{Cs}]/gu, "?").slice(-255);
}
