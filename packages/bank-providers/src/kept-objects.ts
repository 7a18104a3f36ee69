/**
 * Keeps one small object of each reader class alive. V8 discards a class's compiled code with its last object, and a reader's objects are
 * released with its file: the next file would be read two to three times as slowly until everything is compiled again.
 */
export function keepShared(...objects: readonly object[]): void {
  for (const object of objects) kept.push(object);
}

const kept: object[] = [];
