import type { FeedRefusal } from "@org/provider-kit";

/** The number of packets that any list may have, however short. */
const ANY_PIECES = 1_000;

/** Beyond that, the fewest bytes per packet, or per part of a packet with partial lengths; no writer makes shorter ones (RFC 9580 §4.2.1.4). */
const MIN_BYTES = 512;

const BOUNDS = Symbol("what reading a message may cost");

type Read = (
  bytes: unknown,
  allowed: unknown,
  config?: { [BOUNDS]?: (bytes: unknown) => void },
  ...rest: unknown[]
) => Promise<void>;

/** Limits for the packets of one message. */
export interface PacketBounds {
  /** Pass this to openpgp wherever it reads part of the message. */
  readonly config: object;
  /** Why reading stopped; null = no limit was exceeded. */
  refusal(): FeedRefusal | null;
}

/**
 * Counts the packets of a message before openpgp reads them. openpgp has no limit, and spends some microseconds and a hundred bytes on each, even on
 * those it skips; a few kilobytes can unpack to millions of packets.
 */
export function boundPackets(pgp: typeof import("openpgp"), refuse: (reason: string) => FeedRefusal): PacketBounds {
  watchLists(pgp);
  let refusal: FeedRefusal | null = null;
  const look = (bytes: unknown) => {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("openpgp reads a stream, which nobody gave it");
    if (hasTooMany(bytes))
      refusal = refuse(
        "is a PGP message of very many packets, or pieces of packets, for its size, as nothing writes it",
      );
    if (refusal) throw refusal;
  };
  return { config: { [BOUNDS]: look }, refusal: () => refusal };
}

/** openpgp reads every packet list with this one method, nested encrypted or compressed ones too, and passes the caller's configuration along. */
function watchLists({ PacketList }: typeof import("openpgp")): void {
  const lists = PacketList.prototype as unknown as { read: Read; [BOUNDS]?: true };
  if (lists[BOUNDS]) return;
  const { read } = lists;
  lists[BOUNDS] = true;
  lists.read = async function (this: unknown, bytes, allowed, config, ...rest) {
    config?.[BOUNDS]?.(bytes);
    return read.call(this, bytes, allowed, config, ...rest);
  };
}

/** Walks from header to header (RFC 9580 §4.2). Invalid or truncated packets are left for openpgp to refuse. */
function hasTooMany(bytes: Uint8Array): boolean {
  const most = ANY_PIECES + bytes.length / MIN_BYTES;
  let at = 0;
  let isInPieces = false;
  for (let pieces = 0; at < bytes.length; pieces += 1) {
    if (pieces > most) return true;
    const header = headerAt(bytes, at, isInPieces);
    if (header === null) return false;
    at = header.end + header.length;
    isInPieces = header.isPiece;
  }
  return false;
}

interface Header {
  /** Where the header ends and the body begins, and the body's length in bytes. */
  readonly end: number;
  readonly length: number;
  /** Another partial length follows. */
  readonly isPiece: boolean;
}

/** @param isWithin true if the next part of a packet starts here */
function headerAt(bytes: Uint8Array, at: number, isWithin: boolean): Header | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (place: number, size: number) => {
    if (place + size > bytes.length) return Number.POSITIVE_INFINITY;
    return size === 1 ? view.getUint8(place) : size === 2 ? view.getUint16(place) : view.getUint32(place);
  };
  const tag = isWithin ? 0xc0 : numberAt(at, 1);
  if ((tag & 0x80) === 0) return null;
  const from = isWithin ? at : at + 1;
  if ((tag & 0x40) === 0) {
    const size = [1, 2, 4][tag & 3];
    return size === undefined ? null : { end: from + size, length: numberAt(from, size), isPiece: false };
  }
  const first = numberAt(from, 1);
  if (first < 192) return { end: from + 1, length: first, isPiece: false };
  if (first < 224) return { end: from + 2, length: ((first - 192) << 8) + numberAt(from + 1, 1) + 192, isPiece: false };
  if (first < 255) return { end: from + 1, length: 2 ** (first & 31), isPiece: true };
  return { end: from + 5, length: numberAt(from + 1, 4), isPiece: false };
}
