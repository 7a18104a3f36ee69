/** Whether this is how banks write that they do not know a value. */
export function isNotGiven(text: string): boolean {
  return notGiven.test(text);
}

const notGiven = /^(?:n\/?a|-+)$/i;
