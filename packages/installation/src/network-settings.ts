import { isIP } from "node:net";
import { isLoopbackHost } from "@org/http";
import { z } from "zod";

/** Where a server listens: a port on an address, or a Unix socket. */
export type ListenAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** `host:port`, `:port` or `unix:/path`. */
export const listenAddress = z
  .string()
  .transform((text) => parseListenAddress(text.trim()))
  .refine((address) => address !== null, "must be host:port, :port (every address of this machine) or unix:/path")
  .transform((address) => address as ListenAddress);

function parseListenAddress(text: string): ListenAddress | null {
  if (/^unix:\/./.test(text)) return { path: text.slice("unix:".length) };
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) return null;
  return { host: bracketed ?? (plain || "::"), port: Number(port) };
}

/** An IP address or host name without scheme, port or brackets. Only listening shows whether it belongs to this machine. */
export const listenHost = z
  .string()
  .trim()
  .refine(
    (text) => isIP(text) !== 0 || (HOST_NAME.test(text) && !/^[\d.]+$/.test(text)),
    "must be an IP address or a host name of this machine, without scheme, port or brackets, such as 0.0.0.0 or ::",
  );

const HOST_NAME = /^(?=.{1,253}$)\w([\w-]{0,61}\w)?(\.\w([\w-]{0,61}\w)?)*$/;

/** A value of express's setting: a number of proxies, true/false, or addresses. */
export const trustProxy = z
  .string()
  .trim()
  .superRefine((text, context) => {
    if (/^(true|false|\d+)$/.test(text)) return;
    for (const part of text.split(",").map((each) => each.trim()))
      if (!isNetwork(part))
        context.addIssue({
          code: "custom",
          message: `${JSON.stringify(part)} is neither a number of proxies, true, false, nor an address or network such as 10.0.0.0/8, loopback, linklocal or uniquelocal`,
        });
  })
  .transform((text): string | number | boolean => {
    if (text === "true" || text === "false") return text === "true";
    return /^\d+$/.test(text) ? Number(text) : text;
  });

/** Accepts what the package `proxy-addr` accepts, which throws at server start for anything else. */
function isNetwork(text: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true;
  const [, address = "", range] = /^([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || range === undefined) return version !== 0;
  if (/^\d{1,3}$/.test(range)) return Number(range) > 0 && Number(range) <= (version === 4 ? 32 : 128);
  return version === 4 && isIP(range) === 4 && isMask(range);
}

/** Ones first, then zeros. */
function isMask(dotted: string): boolean {
  const bits = dotted.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  return /^1+0*$/.test(bits.join(""));
}

/** CIDR blocks, comma-separated. */
export const networkBlocks = z
  .string()
  .transform((text): readonly string[] => text.split(",").map((part) => part.trim()))
  .superRefine((blocks, context) => {
    for (const block of blocks)
      if (!isBlock(block))
        context.addIssue({
          code: "custom",
          message: `${JSON.stringify(block)} is no network such as 10.0.0.0/8 or fd00::/8`,
        });
  });

function isBlock(text: string): boolean {
  const [, address = "", bits = ""] = /^([\d.]+|[\da-fA-F:.]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

/** Origins of web pages, comma-separated; each is reduced to scheme, host and port. */
export const webOrigins = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  )
  .superRefine((entries, context) => {
    // Any other scheme has the origin "null", which every sandboxed page has (RFC 6454 §4).
    for (const entry of entries)
      if (!URL.canParse(entry) || !/^https?:$/.test(new URL(entry).protocol))
        context.addIssue({
          code: "custom",
          message: `${entry} is not an http or https origin such as https://app.example.com`,
        });
  })
  .transform((entries) => entries.flatMap((entry) => (URL.canParse(entry) ? [new URL(entry).origin] : [])));

/** The URL of a proxy. Only its origin and its credentials are used. */
export const proxyUrl = z
  .string()
  .trim()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "must be http://[user:password@]host[:port] or https://…",
  );

/** Whether a URL's host is this machine. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

/** Address of a folder that files are fetched from. */
export const httpsFolder = z
  .url("must be a URL")
  .refine((url) => url.endsWith("/"), "must be a folder and end with a slash")
  .refine((url) => url.startsWith("https://") || isLoopback(url), "must be https unless the host is loopback");
