import { exchange, messageIn, requestBytes } from "../measuring/load.mjs";
import { beginSession } from "./mcp-requests.mjs";

/** A session of an MCP client: the listed tools, and calls that answer `{isError, text}`. @throws on any other answer */
export async function connectMcp(port, token) {
  const session = await beginSession(port, token);
  let id = 0;
  const request = async (method, params) => {
    id += 1;
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "mcp-session-id": session,
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const answer = await exchange(port, requestBytes("POST", "/mcp", headers, body));
    const { result } = answer.status === 200 ? messageIn(answer) : {};
    if (!result) throw new Error(`${method}: ${answer.status} ${answer.body.slice(0, 300)}`);
    return result;
  };
  const { tools } = await request("tools/list", {});
  return {
    tools,
    async call(name, args) {
      const { isError = false, content } = await request("tools/call", { name, arguments: args });
      return { isError, text: content[0].text };
    },
  };
}
