import { isIP } from "node:net";

/** Why browsers do not support passkeys for a site (WebAuthn Level 3 §5.1.2, and secure contexts); null when they do. */
export function passkeyFault(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)
    return "passkeys belong to a host name: PUBLIC_URL has an IP address";
  if (protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost")) return null;
  return "browsers keep passkeys for https only: PUBLIC_URL has http";
}
