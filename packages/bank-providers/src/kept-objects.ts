/**
 * V8 throws the compiled code of a class away with the last of its objects. A reader's objects go with its file, and the next file would be
 * read two to three times as slowly until all is compiled again. So a small object of each class stays.
 */
export function keepShared(...objects: readonly object[]): void {
  for (const object of objects) kept.push(object);
}

const kept: object[] = [];
