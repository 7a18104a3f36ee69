import { hostsIn } from "@org/provider-kit";

/** What stands in place of a secret that is set. */
const SET = "set";

/**
 * Settings in which each secret that is given as it is shown is the stored one. Within a list the element with the same `id` counts; without ids a
 * single element is the single one before. A secret does not follow to another server: it stays only while what surrounds it, without other elements
 * of its list, names no host that it did not name before.
 * @param masked the same settings as they are shown
 */
export function withKeptSecrets(stated: unknown, masked: unknown, stored: unknown, stays = true): unknown {
  if (stated === SET && masked === SET) return stays && typeof stored === "string" ? stored : stated;
  if (Array.isArray(stated))
    return stated.map((each, index) =>
      withKeptSecrets(each, memberOf(masked, String(index)), elementOf(stored, each, stated.length), stays),
    );
  if (!isObject(stated)) return stated;
  return Object.fromEntries(
    Object.entries(stated).map(([name, value]) => [
      name,
      withKeptSecrets(
        value,
        memberOf(masked, name),
        memberOf(stored, name),
        stays && isAtSameHosts(without(stated, name), isObject(stored) ? without(stored, name) : {}),
      ),
    ]),
  );
}

function isAtSameHosts(stated: unknown, stored: unknown): boolean {
  const before = new Set(hostsIn(stored));
  return hostsIn(stated).every((host) => before.has(host));
}

function elementOf(stored: unknown, stated: unknown, count: number): unknown {
  if (!Array.isArray(stored)) return undefined;
  const id = memberOf(stated, "id");
  if (id !== undefined) return stored.find((each) => memberOf(each, "id") === id);
  return count === 1 && stored.length === 1 ? stored[0] : undefined;
}

const without = (value: Readonly<Record<string, unknown>>, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
