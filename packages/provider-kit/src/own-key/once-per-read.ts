import type { InstitutionCalls } from "./institution-calls.js";

/** Reads what several parts of one read need, such as the account, once in it: every later call has the first one's answer, or its failure. */
export function oncePerRead<Value>(
  read: (calls: InstitutionCalls) => Promise<Value>,
): (calls: InstitutionCalls) => Promise<Value> {
  const known = new WeakMap<InstitutionCalls, Promise<Value>>();
  return (calls) => {
    const value = known.get(calls) ?? read(calls);
    known.set(calls, value);
    return value;
  };
}
