import { createHash } from "node:crypto";
import type { ChainItem } from "./audit-chain-page.js";
import type { AuditLine } from "./audit-line.js";

/** The head before the first line of the chain. */
export const CHAIN_BEGIN: ChainHead = { sequence: 0, hash: "0".repeat(64) };

/** A place in the chain. Whoever keeps one can notice later that something up to there was changed or cut off. */
export interface ChainHead {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** The first fault of a chain. */
export interface ChainFault {
  readonly sequence: number;
  /** The line there, if any. */
  readonly audit_id: string | null;
  readonly message: string;
}

/**
 * SHA-256 of a line, in hex: of the JSON array of its fields, with the facts as pairs sorted by name. The database function
 * `audit_line_text` makes the same text.
 */
export function contentHash(line: AuditLine): string {
  const { audit_id, tenant_id, at, actor, action, object_type, object_id, trace_id, address } = line;
  const facts = Object.entries(line.facts).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(
    JSON.stringify([audit_id, tenant_id, at, actor, action, object_type, object_id, trace_id, address, facts]),
  );
}

/** For a refusal or a failed request, which may be deleted after its time: when it came. Null for lines that stay. */
export function refusedAt({ action, actor, at }: AuditLine): string | null {
  const isFailure = action === "request.failed" || action === "request.left_out";
  return isFailure || (actor === "unknown" && action.endsWith(".refused")) ? at : null;
}

/**
 * The hash of a place in the chain: SHA-256 of the previous hash, the sequence, the time of a refusal (`-` for lines that stay) and the
 * content hash, separated by spaces. The content hash of a deleted refusal thus proves that it was one.
 */
export function linkHash(previous: string, sequence: number, refused_at: string | null, content: string): string {
  return sha256(`${previous} ${sequence} ${refused_at ?? "-"} ${content}`);
}

/** The state of a check. */
export interface ChainReport {
  readonly first: number;
  readonly head: ChainHead;
  readonly lines: number;
  /** Refusals that were deleted after their time; only their hash is left. */
  readonly erased: number;
  /** When the latest of those was refused. */
  readonly erased_until: string | null;
}

/**
 * Checks a chain item by item, from after `after`. It has to contain the heads `known`, which were kept earlier. `add` and `end` return a
 * fault, or null if there is none; after a fault further results mean nothing.
 */
export function createChainCheck(after: ChainHead = CHAIN_BEGIN, known: readonly ChainHead[] = []) {
  const wanted = new Map(known.map((head) => [head.sequence, head.hash]));
  let head = after;
  let lines = 0;
  let erased = 0;
  let erasedUntil: string | null = null;
  const wrongBegin = differsFromKept(after);

  return {
    add(item: ChainItem): ChainFault | null {
      if (wrongBegin) return wrongBegin;
      const { sequence, line, hash } = item;
      const fault = (message: string) => ({ sequence, audit_id: line?.audit_id ?? item.audit_id, message });
      if (sequence !== head.sequence + 1)
        return fault(`expected sequence ${head.sequence + 1}: what lies between is missing`);
      if (!line && (item.refused_at === null || !item.content_hash)) return fault("the line is missing");
      const refused = line ? refusedAt(line) : item.refused_at;
      const content = line ? contentHash(line) : String(item.content_hash);
      if (linkHash(head.hash, sequence, refused, content) !== hash)
        return fault(line ? "the line, or its hash, was changed" : "the hash of a deleted refusal was changed");
      head = { sequence, hash };
      lines += 1;
      if (!line) {
        erased += 1;
        if (erasedUntil === null || (refused ?? "") > erasedUntil) erasedUntil = refused;
      }
      return differsFromKept(head);
    },
    /** The fault for a line that is stored among those of the chain and has no place in it. */
    stranger({ audit_id }: Pick<AuditLine, "audit_id">): ChainFault {
      return { sequence: head.sequence, audit_id, message: "the line was added outside the chain" };
    },
    end(): ChainFault | null {
      const beyond = known.find(({ sequence }) => sequence > head.sequence);
      return beyond
        ? { sequence: beyond.sequence, audit_id: null, message: `the chain ends at ${head.sequence}: it was cut off` }
        : null;
    },
    report: (): ChainReport => ({ first: after.sequence + 1, head, lines, erased, erased_until: erasedUntil }),
  };

  function differsFromKept({ sequence, hash }: ChainHead): ChainFault | null {
    const kept = wanted.get(sequence);
    return kept === undefined || kept === hash
      ? null
      : {
          sequence,
          audit_id: null,
          message: "the hash is not the one that was kept: the chain was rewritten up to here",
        };
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
