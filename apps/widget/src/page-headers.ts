import type { NextFunction, Request, Response } from "express";
import { styleSource } from "./style.js";

/**
 * Headers of every page. There is no `form-action` on purpose: browsers apply it to redirects too, and the last form of a
 * session leads on to the program's own address.
 */
export function setPageHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    "Content-Security-Policy": `default-src 'none'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
  next();
}
