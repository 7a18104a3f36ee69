import type { IncomingMessage } from "node:http";
import { ipAddressOf } from "@org/oauth-server";
import proxyAddr from "proxy-addr";

/**
 * The client's IP address under express's `trust proxy` setting, for requests that are answered before express sees them; empty
 * when there is none, as when a proxy passes on something else that a client wrote.
 */
export function clientAddress(trustProxy: string | number | boolean | undefined): (request: IncomingMessage) => string {
  const trust = trustFunction(trustProxy);
  return (request) =>
    request.socket.remoteAddress === undefined ? "" : (ipAddressOf(proxyAddr(request, trust)) ?? "");
}

function trustFunction(setting: string | number | boolean | undefined): (address: string, hop: number) => boolean {
  if (setting === undefined || setting === false) return () => false;
  if (setting === true) return () => true;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((part) => part.trim()));
}
