import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** The client's address under express's `trust proxy` setting, for requests that are answered before express sees them. */
export function clientAddress(trustProxy: string | number | boolean | undefined): (request: IncomingMessage) => string {
  const trust = trustFunction(trustProxy);
  return (request) => (request.socket.remoteAddress === undefined ? "" : proxyAddr(request, trust));
}

function trustFunction(setting: string | number | boolean | undefined): (address: string, hop: number) => boolean {
  if (setting === undefined || setting === false) return () => false;
  if (setting === true) return () => true;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((part) => part.trim()));
}
