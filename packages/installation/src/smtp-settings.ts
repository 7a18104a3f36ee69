import { z } from "zod";
import { isLoopback } from "./network-settings.js";

/** The mail server and the sender. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `starttls`: a server without it is refused; `off`: plain text. */
  readonly tls: "implicit" | "starttls" | "off";
  readonly user: string | null;
  readonly password: string | null;
  /** Address of the sender, with or without a name. */
  readonly from: { readonly name: string; readonly address: string };
}

/** The mail server and the sender; null = one of them is not set. */
export function smtpOf(url: string | undefined, sender: string | undefined): SmtpSettings | null {
  const server = url === undefined ? null : parseSmtpUrl(url);
  const from = sender === undefined ? null : parseSender(sender);
  return server && from && { ...server, from };
}

/** Parses the URL of a mail server. It is unencrypted only with `?tls=off`, or on this machine. */
export function parseSmtpUrl(text: string): Omit<SmtpSettings, "from"> | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isImplicit = url?.protocol === "smtps:";
  if (!url || !(isImplicit || url.protocol === "smtp:") || url.hostname === "" || !/^\/?$/.test(url.pathname))
    return null;
  const { tls, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0 || (tls !== undefined && (tls !== "off" || isImplicit))) return null;
  const isClear = tls === "off" || isLoopback(`http://${url.host}`);
  const login = [url.username, url.password].map(decoded);
  if (login.includes(undefined)) return null;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? "implicit" : isClear ? "off" : "starttls",
    user: login[0] || null,
    password: login[1] || null,
  };
}

/** Undefined when it is not correctly percent-encoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** `a@example.com` or `Name <a@example.com>`. */
export function parseSender(text: string): SmtpSettings["from"] | null {
  const named = /^"?([^"<>\p{Cc}]*)"?<([^<>\s]+)>$/u.exec(text.trim().replace(/(?<!\s)\s+</, "<"));
  const address = named?.[2] ?? text.trim();
  return z.email().safeParse(address).success ? { name: (named?.[1] ?? "").trim(), address } : null;
}
