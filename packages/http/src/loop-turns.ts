/** Shares the event loop in slices, so that callers with large bodies leave room for small requests. */
export interface LoopTurns {
  /**
   * Waits until a share's next bytes may be processed; null when that is now.
   * @param share whose bytes they are; shares take turns regardless of how much each sends
   */
  wait(share: string, bytes: number): Promise<void> | null;
}

/** Base64 decoding of this amount takes a millisecond. */
const BYTES_PER_TURN = 256 * 1024;

/** Makes turns of `bytesATurn` bytes each, plus one piece at most. */
export function createLoopTurns(bytesATurn: number = BYTES_PER_TURN): LoopTurns {
  /** Waiting pieces by share, next share first. */
  const waiting = new Map<string, Piece[]>();
  let left = bytesATurn;
  let isTurnDue = false;

  return {
    wait(share, bytes) {
      if (!isTurnDue) {
        isTurnDue = true;
        setImmediate(turn);
      }
      if (waiting.size === 0 && left > 0) {
        left -= bytes;
        return null;
      }
      return new Promise((resume) => {
        const pieces = waiting.get(share);
        if (pieces) pieces.push({ bytes, resume });
        else waiting.set(share, [{ bytes, resume }]);
      });
    },
  };

  /** Runs once per turn of the event loop while there is work. Resumed pieces are processed right after it. */
  function turn(): void {
    left = bytesATurn;
    for (const [share, pieces] of waiting) {
      if (left <= 0) break;
      waiting.delete(share);
      const piece = pieces.shift();
      if (!piece) continue;
      if (pieces.length > 0) waiting.set(share, pieces);
      left -= piece.bytes;
      piece.resume();
    }
    isTurnDue = left < bytesATurn;
    if (isTurnDue) setImmediate(turn);
  }
}

interface Piece {
  readonly bytes: number;
  readonly resume: () => void;
}
