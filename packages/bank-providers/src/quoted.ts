/** Text of the file as it may stand in a message: cut at `most` characters. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text);
}
