import { exchange, requestBytes } from "../measuring/load.mjs";

/** The bytes of a REST call. @param body sent as JSON */
export function restBytes(token, path, body) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  return requestBytes("POST", path, headers, JSON.stringify(body));
}

/** Calls the REST API of a server and returns the answer. @throws unless the status is 200 */
export async function callRest({ port }, token, path, body) {
  const answer = await exchange(port, restBytes(token, path, body));
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}
