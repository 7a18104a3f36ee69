import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createPageCookies } from "./cookies.js";

const SHAPE = /^wcb_[A-Za-z0-9_-]{43}$/;
const value = `wcb_${"A".repeat(43)}`;

function request(cookie: string): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  req.headers.cookie = cookie;
  return req;
}

describe("[security.md] cookies (RFC 6265)", () => {
  it("are `__Host-` and Secure with an https issuer, and plain on loopback http", () => {
    const https = createPageCookies("https://connect.example", SHAPE);
    expect(https.set("wc-x", value, 60)).toBe(
      `__Host-wc-x=${value}; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    const http = createPageCookies("http://localhost:3000", SHAPE);
    expect(http.set("wc-x", value, 60)).toBe(`wc-x=${value}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`);
    const end = new Date("2026-03-02T09:00:00Z");
    expect(http.set("wc-x", value, end)).toBe(
      `wc-x=${value}; Path=/; Expires=Mon, 02 Mar 2026 09:00:00 GMT; HttpOnly; SameSite=Lax`,
    );
    expect(http.set("wc-x", value)).toBe(`wc-x=${value}; Path=/; HttpOnly; SameSite=Lax`);
    expect(https.clear("wc-x")).toBe("__Host-wc-x=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax");
  });

  it("are read by their own name only, and only if this server can have set them", () => {
    const cookies = createPageCookies("https://connect.example", SHAPE);
    expect(cookies.read(request(`a=b; __Host-wc-x=${value}`), "wc-x")).toBe(value);
    for (const header of ["", `wc-x=${value}`, "__Host-wc-x=", "__Host-wc-x=x", `__Host-wc-x=${value}A`, "=;;="])
      expect(cookies.read(request(header), "wc-x")).toBeUndefined();
  });
});
