import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type SessionLanguage, sessionLanguages } from "@org/core";
import { answerJson, exchangeOf, type MaybePromise, makeOnce, nothingHere, type RouteFacts } from "@org/http";
import type { Config } from "@org/installation";
import { acceptedLanguage, pageHeaders } from "@org/pages";
import { createOpenApiDocument, referencePage } from "@org/rest-api";
import { type Request, type Response, Router } from "express";
import packageJson from "../../package.json" with { type: "json" };
import type { Feature, Platform } from "../feature.js";
import { frontPage } from "../front-page/front-page.js";

const HOUR_SECONDS = 3_600;

const read = {
  methods: ["GET", "HEAD"],
  family: "front-page",
  scopes: [],
  maxBodyBytes: null,
  origins: "none",
} as const;

/** The routes of {@link frontPages}. */
export const frontPageRoutes: readonly RouteFacts[] = [
  { ...read, path: "/", summary: "What runs here and where to go, for people" },
  { ...read, path: "/reference", summary: "The REST API's reference, for people" },
];

/** A page as it is sent; it does not change until the next version of the server. */
interface Printed {
  readonly text: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
}

/**
 * Pages for people who open the server's address: an overview, and the reference of the REST API. Each is rendered once, on its first request.
 */
export function frontPages({
  config,
  publicUrl,
}: Pick<Platform, "publicUrl"> & { config: Pick<Config, "letterMaxBytes"> }): Feature {
  const facts = { publicUrl, version: packageJson.version };
  const router = Router();
  router.get(
    "/",
    pagesOf((language) => frontPage(language, facts), true),
  );
  router.get(
    "/reference",
    pagesOf(
      (language) =>
        createOpenApiDocument({ publicUrl, letterMaxBytes: config.letterMaxBytes }).then((document) =>
          referencePage(language, document),
        ),
      false,
    ),
  );
  return { routes: { handle: router } };
}

/** @param forPeopleOnly whether a program that asks for JSON gets a 404 (contract §11) */
function pagesOf(write: (language: SessionLanguage) => MaybePromise<string>, forPeopleOnly: boolean) {
  const printed = new Map(
    sessionLanguages.map((language) => [language, makeOnce(async () => print(await write(language)))] as const),
  );
  return (request: Request, response: Response): MaybePromise<void> => {
    response.set("Vary", "Accept, Accept-Language, Accept-Encoding");
    if (forPeopleOnly && request.accepts(["html", "json"]) !== "html") {
      answerJson(response, 404, nothingHere);
      return;
    }
    const language = acceptedLanguage(request.headers["accept-language"]);
    const page = printed.get(language)?.() as MaybePromise<Printed>;
    return exchangeOf(request, response).andThen(page, ({ text, zipped, etag }) => {
      const takesZipped = request.acceptsEncodings("gzip") !== false;
      response
        .set({
          ...pageHeaders,
          "Cache-Control": `public, max-age=${HOUR_SECONDS}`,
          "Content-Language": language,
          ETag: etag,
          ...(takesZipped && { "Content-Encoding": "gzip" }),
        })
        .type("html")
        // express answers 304 to a browser that already has it.
        .send(takesZipped ? zipped : text);
    });
  };
}

async function print(page: string): Promise<Printed> {
  const text = Buffer.from(page);
  // Weak, because the page is the same with and without compression.
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 16)}"`;
  return { text, zipped: await promisify(gzip)(text), etag };
}
