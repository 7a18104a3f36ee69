import { createOpenApiDocument } from "@org/rest-api";
import openapi, { astToString } from "openapi-typescript";
import { expect, it } from "vitest";

it("the types of the REST API are those of its document (run this file with -u to renew them)", async () => {
  const document = createOpenApiDocument({ publicUrl: "https://wealth.example.com", letterMaxBytes: 1_048_576 });
  const types = await openapi(JSON.parse(JSON.stringify({ ...document, webhooks: undefined }, withoutWords)));
  const text = astToString(types).replaceAll("    ", "  ");
  await expect(`// Written from the API document by schema.test.ts.\n${text}`).toMatchFileSnapshot("./schema.d.ts");
});

/** What is for people to read is in the document: here it would only be long. */
function withoutWords(key: string, value: unknown): unknown {
  return (key === "description" || key === "summary" || key === "example") && typeof value === "string"
    ? undefined
    : value;
}
