/** What a person did on the page before the client took it over. */
export interface TypedSoFar {
  readonly values: ReadonlyMap<string, string>;
  /** Name of the field with the cursor. */
  readonly focused: string | null;
}

/** Reads what stands in the fields of the page, so that nothing that was typed is lost. */
export function typedSoFar(main: HTMLElement): TypedSoFar {
  const fields = [...main.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input:not([type=hidden]), select")];
  const focused = fields.find((field) => field === document.activeElement)?.name ?? null;
  return { values: new Map(fields.map(({ name, value }) => [name, value])), focused };
}
