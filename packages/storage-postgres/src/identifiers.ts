const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether an id can be in a uuid column as it is written. Ids come from callers; what cannot be one of ours is unknown. */
export function isUuid(text: string): boolean {
  return canonicalUuid.test(text);
}
