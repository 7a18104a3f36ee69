import { expect, it } from "vitest";
import { analyticsTools, bankTools } from "../src/index.js";

type Listed = ReturnType<typeof bankTools.listed>[number];
type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

it("docs/reference/tools.md lists every tool with its arguments (run this file with -u to renew the page)", async () => {
  await expect(pageOf()).toMatchFileSnapshot("../../../docs/reference/tools.md");
});

function pageOf(): string {
  return [
    "# Tools",
    "",
    "Every tool of `/mcp` and of `/mcp/analytics` with its arguments, as a model reads them in `tools/list`. What answers have in common:",
    "[The MCP server](mcp.md). The page is written from the schemas: `npx vitest run packages/mcp-tools/test/tools-page.test.ts -u`.",
    ...bankTools.listed().flatMap(sectionOf),
    ...analyticsTools.listed().flatMap(sectionOf),
    "",
  ].join("\n");
}

function sectionOf({ name, description = "", inputSchema }: Listed): readonly string[] {
  const { properties = {}, required = [] } = inputSchema as Schema;
  const rows = Object.entries(properties).map(([argument, schema]) => [
    `\`${argument}\`${required.includes(argument) ? ", required" : ""}`,
    typeOf(schema),
    schema.description ?? "",
  ]);
  return [
    "",
    `## ${name}`,
    "",
    ...description.split("\n").map(escaped),
    "",
    ...(rows.length === 0 ? ["It takes no arguments."] : ["| argument | type | what it is |", "| --- | --- | --- |"]),
    ...rows.map(
      (cells) => `| ${cells.map((cell) => escaped(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`,
    ),
  ];
}

/** As in `string`, `one of a, b`, `string or list of string`. */
function typeOf({ type, enum: values, anyOf, items }: Schema): string {
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return `one of ${values.map((value) => `\`${value}\``).join(", ")}`;
  if (type === "array") return `list of ${items ? typeOf(items) : "any"}`;
  return [type ?? "any"].flat().join(" or ");
}

/** Angle brackets would be read as HTML. */
function escaped(text: string): string {
  return text.replaceAll("<", "&lt;");
}
