/** Whether a file of messages with headers has one of these types, numbers as a pattern; others may come before it. */
export function hasMessage(head: string, types: string): boolean {
  return /^[^\w:{]{0,16}\{1:/.test(head) && new RegExp(`\\{2:[IO](?:${types})`).test(head);
}

const generalInformation = /^[^\w:{]{0,16}:16R:GENL\b/m;

/** Whether bare text has general information, and a line below it that begins so: a pattern for any line. */
export function hasGeneralAnd(head: string, line: RegExp): boolean {
  const general = generalInformation.exec(head);
  // One after the other: a pattern of both would look through the text for each of the first. The last letter shows where no line begins.
  return general !== null && line.test(head.slice(general.index + general[0].length - 1));
}
