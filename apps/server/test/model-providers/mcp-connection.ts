import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A provider's connection to an MCP server: tools only, as both providers' documentation says. */
export interface Connection {
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly inputSchema: object;
  }[];
  call(
    tool: string,
    args: object,
  ): Promise<{ isError?: boolean | undefined; content: readonly { type: string; text?: string | undefined }[] }>;
  close(): Promise<void>;
}

/** A request sent to an MCP server. */
export interface Sent {
  readonly method: string;
  readonly authorization: string | null;
}

/** Connects with the official client. @param mode the protocol it starts with; @param sent collects the requests */
export async function connectTo(
  { url, token }: { url: string; token: string | undefined },
  mode: "auto" | "legacy",
  sent: Sent[],
): Promise<Connection> {
  const client = new Client({ name: "model-provider", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } },
    fetch: async (address, init) => {
      const method = typeof init?.body === "string" ? JSON.parse(init.body).method : (init?.method ?? "GET");
      sent.push({ method, authorization: new Headers(init?.headers).get("authorization") });
      return fetch(address, init);
    },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools,
    call: async (name, args) =>
      (await client.callTool({ name, arguments: { ...args } })) as Awaited<ReturnType<Connection["call"]>>,
    close: () => client.close(),
  };
}
