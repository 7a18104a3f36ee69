import type { Reply } from "../../../provider-kit/test/stand-in/institution.js";

/** An answer as in RFC 7807, with the specification's types. */
export function problem(
  status: number,
  type: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/problem+json; charset=utf-8", "content-language": "en", ...headers },
    body: JSON.stringify({ type: `/problems/${type}`, title: type.toLowerCase().replaceAll("_", " "), detail }),
  };
}
