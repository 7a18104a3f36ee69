export const LF = 10;
export const CR = 13;

/** The end of a line, and the start of the next one. */
export interface EndOfLine {
  readonly end: number;
  readonly next: number;
}

/** If the first line ends with `@@`, all lines do; further down `@@` may be text. */
const fintsStart = /^\s{0,16}@{0,2}:\d\d[A-Z]?:[^\r\n@]{0,100}@@/;

/** Returns a function that finds the end of a line. Lines may end with `@@`, as FinTS sends them. */
export function lineEndFinder(text: string): (text: string, from: number) => EndOfLine {
  return fintsStart.test(text) ? endOfFintsLine : endOfPlainLine;
}

function endOfPlainLine(text: string, from: number): EndOfLine {
  let end = from;
  let code = text.charCodeAt(end);
  while (end < text.length && code !== LF && code !== CR) {
    end += 1;
    code = text.charCodeAt(end);
  }
  return { end, next: code === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1 };
}

function endOfFintsLine(text: string, from: number): EndOfLine {
  fintsBreak.lastIndex = from;
  const found = fintsBreak.exec(text);
  return found ? { end: found.index, next: fintsBreak.lastIndex } : { end: text.length, next: text.length + 1 };
}

const fintsBreak = /@@(?:\r\n|[\r\n])?|\r\n|[\r\n]/g;
