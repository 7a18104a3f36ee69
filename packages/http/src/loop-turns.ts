/** Hands out the event loop in pieces, so that whoever sends much leaves room for those who ask for little. */
export interface LoopTurns {
  /**
   * Waits until somebody's next bytes may be worked on; null when that is now.
   * @param share whose they are; shares take turns, whatever each of them sends
   */
  wait(share: string, bytes: number): Promise<void> | null;
}

/** Decoding the Base64 of as many takes a millisecond. */
const BYTES_PER_TURN = 256 * 1024;

/** Makes turns of which each has as many bytes, and one piece more at most. */
export function createLoopTurns(bytesATurn: number = BYTES_PER_TURN): LoopTurns {
  /** Of shares that wait, the next one first. */
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

  /** Runs once in each turn of the loop while there is something to do; what it resumes is worked on right behind it. */
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
