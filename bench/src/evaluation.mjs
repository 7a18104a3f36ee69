import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createAgent } from "./evaluation/agent.mjs";
import { goalsOf, goalsOfDesign } from "./evaluation/goals.mjs";
import { publishTenant } from "./evaluation/publish-tenant.mjs";
import { questionsOn } from "./evaluation/questions/all.mjs";
import { checkSeed } from "./evaluation/seed-check.mjs";
import { createCatalogue, createSeed } from "./evaluation/seeded-tenant.mjs";
import { withoutWords } from "./evaluation/tool-reading.mjs";
import { openTruth } from "./evaluation/truth.mjs";
import { median } from "./measuring/figures.mjs";
import { accessToken, addTenant, installOnPostgres } from "./product/installation.mjs";
import { connectMcp } from "./product/mcp-connection.mjs";

/**
 * How far tools/list alone gets a reader: fifty questions, each asked of a small and of a large tenant, for a scripted agent that plans from names,
 * descriptions, schemas and hints. Right answers are computed from the database.
 */
const variants = {
  "as the tools say": {},
  "whole rows": { namesFields: false },
  "names and types only": { isBare: true },
};
const [MAIN] = Object.keys(variants);

export async function run({ databaseUrl }) {
  const seeds = { small: createSeed("small"), large: createSeed("large") };
  const owners = {};
  const product = await installOnPostgres(databaseUrl, async ({ storage, server, credentials, encryptionKeys }) => {
    await storage.catalogue.importAll(createCatalogue());
    owners.small = credentials.demo;
    owners.large = await addTenant(server, credentials.operator, "Large");
    for (const [size, seed] of Object.entries(seeds))
      await publishTenant({ storage, tenantId: owners[size].tenant, encryptionKeys, seed });
  });
  const truth = await openTruth(product.databaseUrl);
  try {
    const server = await product.start();
    try {
      const raw = [];
      let tools;
      for (const [size, seed] of Object.entries(seeds)) {
        await checkSeed(truth, owners[size].tenant, seed);
        const questions = [];
        for (const question of questionsOn(seed))
          questions.push({ ...question, right: await truth.rows(owners[size].tenant, question.sql) });
        const mcp = await connectMcp(server.port, await accessToken(server, owners[size]));
        tools = mcp.tools;
        for (const [variant, options] of Object.entries(variants)) {
          if (variant !== MAIN && size === "large") continue;
          raw.push(...(await evaluate({ size, variant, ...options, mcp, questions })));
        }
        // No question may have changed anything.
        await checkSeed(truth, owners[size].tenant, seed);
      }
      return reportOf(seeds, tools, raw);
    } finally {
      await server.stop();
    }
  } finally {
    await truth.end();
    await product.remove();
  }
}

/** Counts what a model writes and reads: arguments, and the text of answers. */
async function evaluate({ size, variant, isBare = false, namesFields = true, mcp, questions }) {
  let read = [];
  const call = async (tool, args) => {
    const { isError, text } = await mcp.call(tool, args);
    const answer = JSON.parse(text);
    read.push({ texts: [JSON.stringify(args), text], answer });
    return { isError, answer };
  };
  const agent = createAgent({ tools: isBare ? withoutWords(mcp.tools) : mcp.tools, call, namesFields });
  const rows = [];
  for (const [index, question] of questions.entries()) {
    read = [];
    const { given, added } = await agent.answer(question.asks);
    const isRight = isAnswer(question, given);
    if (!isRight && variant === MAIN)
      console.error(`${size}: ${question.text}\n  expected ${shortly(question.right)}\n  given    ${shortly(given)}`);
    const texts = read.flatMap((one) => one.texts);
    rows.push({
      tenant: size,
      variant,
      number: index + 1,
      question: question.text,
      right: isRight ? "yes" : typeof given === "string" ? given.slice(0, 60) : "no",
      calls: read.length,
      tokens: sumOf(texts, countTokens),
      "of them sources": sumOf(read, ({ answer: { sources } }) => (sources ? countTokens(JSON.stringify(sources)) : 0)),
      characters: sumOf(texts, (text) => text.length),
      "rows added": added,
      "answers undated": read.filter(({ answer }) => "sources" in answer && !("as_of" in answer)).length,
      "rows in the answer": question.right.length,
      row: question.row ?? "",
    });
  }
  return rows;
}

function sumOf(values, measure) {
  return values.reduce((sum, value) => sum + measure(value), 0);
}

function isAnswer({ right, isOrdered, judge }, given) {
  if (judge) return judge(given, right);
  return canonical(typeof given === "string" ? [[given]] : given, isOrdered) === canonical(right, isOrdered);
}

/** Ignores trailing zeros of decimals, and the order of rows unless it is part of the answer. */
function canonical(value, isOrdered) {
  const text = (one) => JSON.stringify(one, (_, part) => (typeof part === "string" ? shortDecimal(part) : part));
  return isOrdered || !Array.isArray(value)
    ? text(value)
    : text(value.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)));
}

function shortDecimal(text) {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

function shortly(value) {
  return JSON.stringify(value).slice(0, 400);
}

function reportOf(seeds, tools, raw) {
  const main = raw.filter((row) => row.variant === MAIN);
  const listed = JSON.stringify(tools);
  const list = { characters: listed.length, tokens: countTokens(listed) };
  const size = ({ connections, portfolios, holdings, transactions }) =>
    `${connections.length} connections, ${portfolios.length} accounts, ${holdings.length} holdings, ${transactions.length} transactions`;
  return {
    title: `Evaluation: ${main.length / 2} questions, each of two tenants, answered from tools/list alone`,
    notes: [
      `The small tenant has ${size(seeds.small)}; the large one ${size(seeds.large)}. Right answers are computed by SQL from the tables that hold connections, snapshots and rows; the statements were written from the table definitions, by another hand than the tools. Tokens (o200k_base) and characters are those of arguments and texts of answers; tools/list comes on top once: ${list.characters} characters, ${list.tokens} tokens (${JSON.stringify(withoutWords(tools)).length} characters without its words).`,
      `"Whole rows" leaves \`fields\` out. "Names and types only" takes titles, descriptions and examples out of tools/list. Means are over all questions, right or wrong. "Rows added" are rows that the agent has to count, add up or compare, because no answer says the result.`,
      "What this is not: a measure of how well a model understands people. The agent is a script. A question reaches it taken apart into subject, conditions and what is wanted, without names of tools and parameters. All right means that descriptions, schemas, hints and data agree with each other and suffice for a plan. Without descriptions it is bound to fail more often than a model would, which guesses from names. Goals are those of the design, from before the first run. Other work on the machine changes none of these figures.",
    ].join("\n\n"),
    tables: [
      {
        caption: "All questions",
        head: [
          "tenant",
          "variant",
          "right",
          "calls, mean",
          "tokens, mean",
          "of them sources",
          "median",
          "most",
          "characters, mean",
        ],
        rows: Object.keys(variants).flatMap((variant) =>
          Object.keys(seeds).flatMap((tenant) => {
            const rows = raw.filter((row) => row.variant === variant && row.tenant === tenant);
            return rows.length === 0 ? [] : [summaryOf(tenant, variant, rows)];
          }),
        ),
      },
      { caption: "The questions of the design", ...goalsOfDesign(main) },
    ],
    goals: goalsOf(main, list),
    raw: raw.map(({ row, "rows in the answer": _, ...rest }) => rest),
  };
}

function summaryOf(tenant, variant, rows) {
  const mean = (field) => sumOf(rows, (row) => row[field]) / rows.length;
  const tokens = rows.map((row) => row.tokens);
  return [
    tenant,
    variant,
    rows.filter(({ right }) => right === "yes").length,
    mean("calls"),
    mean("tokens"),
    mean("of them sources"),
    median(tokens),
    Math.max(...tokens),
    mean("characters"),
  ];
}
