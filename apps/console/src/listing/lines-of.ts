/** The lines of a value, without empty ones. */
export function linesOf(value: string | undefined): string[] {
  return (value ?? "").split("\n").flatMap((line) => line.trim() || []);
}
