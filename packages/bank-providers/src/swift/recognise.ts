/** Whether a file of messages with headers has one of these types (numbers as a pattern); other messages may come before it. */
export function hasMessage(head: string, types: string): boolean {
  return /^[^\w:{]{0,16}\{1:/.test(head) && new RegExp(`\\{2:[IO](?:${types})`).test(head);
}

const generalInformation = /^[^\w:{]{0,16}:16R:GENL\b/m;

/** Whether bare text has general information and after it a line that matches. */
export function hasGeneralAnd(head: string, line: RegExp): boolean {
  const general = generalInformation.exec(head);
  // Two searches, because one pattern would search the text for every first part. Starting at the last letter keeps `^` from matching there.
  return general !== null && line.test(head.slice(general.index + general[0].length - 1));
}
