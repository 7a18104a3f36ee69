import { createAgent } from "./evaluation/agent.mjs";
import { questionsOn } from "./evaluation/questions.mjs";
import { createSeed, publishSeed } from "./evaluation/seeded-tenant.mjs";
import { withoutWords } from "./evaluation/tool-reading.mjs";
import { goal, median } from "./measuring/figures.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { connectMcp } from "./product/mcp-connection.mjs";

/**
 * How far tools/list alone gets a reader: 40 questions about a seeded tenant, with answers computed from the seed, for a scripted agent that plans
 * from names, descriptions, schemas and hints.
 */
const variants = {
  "as the tools say": {},
  "whole rows": { namesFields: false },
  "names and types only": { isBare: true },
};
const [MAIN] = Object.keys(variants);

export async function run({ databaseUrl }) {
  const seed = createSeed();
  const product = await installOnPostgres(databaseUrl, ({ storage, credentials, encryptionKeys }) =>
    publishSeed({ storage, tenantId: credentials.demo.tenant, encryptionKeys, seed }),
  );
  try {
    const server = await product.start();
    try {
      const mcp = await connectMcp(server.port, await accessToken(server, product.credentials.demo));
      const raw = [];
      for (const [variant, options] of Object.entries(variants))
        raw.push(...(await evaluate({ variant, ...options, mcp, questions: questionsOn(seed) })));
      return reportOf(seed, mcp.tools, raw);
    } finally {
      await server.stop();
    }
  } finally {
    await product.remove();
  }
}

/** Counts the characters that a model writes and reads: arguments, and the text of answers. */
async function evaluate({ variant, isBare = false, namesFields = true, mcp, questions }) {
  let calls = 0;
  let characters = 0;
  const call = async (tool, args) => {
    const { isError, text } = await mcp.call(tool, args);
    calls += 1;
    characters += JSON.stringify(args).length + text.length;
    return { isError, answer: JSON.parse(text) };
  };
  const agent = createAgent({ tools: isBare ? withoutWords(mcp.tools) : mcp.tools, call, namesFields });
  const rows = [];
  for (const [index, { text, asks, answer }] of questions.entries()) {
    calls = 0;
    characters = 0;
    const given = await agent.answer(asks);
    const isRight = canonical(given) === canonical(answer);
    if (!isRight && variant === MAIN)
      console.error(
        `${text}\n  expected ${canonical(answer).slice(0, 300)}\n  given    ${canonical(given).slice(0, 300)}`,
      );
    rows.push({
      variant,
      number: index + 1,
      question: text,
      right: isRight ? "yes" : shortly(given),
      calls,
      characters,
    });
  }
  return rows;
}

/** Ignores the order of rows and trailing zeros of decimals. */
function canonical(value) {
  const text = (one) => JSON.stringify(one, (_, part) => (typeof part === "string" ? shortDecimal(part) : part));
  return Array.isArray(value) ? text(value.toSorted((a, b) => (text(a) < text(b) ? -1 : 1))) : text(value);
}

function shortDecimal(text) {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

function shortly(given) {
  return typeof given === "string" ? given.slice(0, 60) : "no";
}

function reportOf(seed, tools, raw) {
  const of = (variant) => raw.filter((row) => row.variant === variant);
  const rightOf = (variant) => of(variant).filter(({ right }) => right === "yes");
  const main = of(MAIN);
  const listed = (some) => JSON.stringify(some).length;
  const rowOf = (variant) => {
    const right = rightOf(variant);
    const same = main.filter(({ number }) => right.some((row) => row.number === number));
    return [
      variant,
      right.length,
      mean(right, "calls"),
      mean(right, "characters"),
      median(right.map(({ characters }) => characters)),
      Math.max(...right.map(({ characters }) => characters)),
      mean(right, "characters") / mean(same, "characters"),
    ];
  };
  return {
    title: `Evaluation: ${main.length} questions answered from tools/list alone`,
    notes: [
      `A tenant with ${seed.connections.length} bank connections (one empty, one pending, four not in order), ${seed.portfolios.length} accounts, ${seed.holdings.length} holdings, ${seed.transactions.length} transactions; ${seed.catalogue.length} banks in the catalogue. Right answers are computed from the seed. Characters are arguments and texts of answers; tools/list comes on top once, ${listed(tools)} characters with its words and ${listed(withoutWords(tools))} without.`,
      `"Whole rows" leaves \`fields\` out. "Names and types only" takes titles, descriptions and examples out of tools/list. Calls and characters are those of questions that the variant got right; the last column compares them with the same questions in the first variant.`,
      "What this is not: a measure of how well a model understands people. The agent is a script. A question reaches it taken apart into subject, conditions and what is wanted, without names of tools, but in words that were chosen with the descriptions at hand; the phrases by which it finds totals, counts and states are the descriptions' own, and the script was mended against these questions until its plans held (36 were right at first; the faults were the script's and the seed's, and two questions were made harder since). So all right means that descriptions, schemas, hints and data agree with each other and suffice for a plan. And without descriptions it is bound to fail more often than a model would, which guesses from names: that row shows how much of the script's plans rests on words, not what they are worth to a model. The bounds on calls and characters are our own choice, from before the first run. Other work on the machine changes none of these figures.",
    ].join("\n\n"),
    tables: [
      {
        caption: "Variants",
        head: ["variant", "right", "calls, mean", "characters, mean", "median", "most", "of the first variant's"],
        rows: Object.keys(variants).map(rowOf),
      },
    ],
    goals: [
      goal("right answers", rightOf(MAIN).length, { atLeast: main.length }),
      goal("calls a question, mean", mean(main, "calls"), { atMost: 2 }),
      goal("characters a question, mean", mean(main, "characters"), { atMost: 5_000 }),
    ],
    raw,
  };
}

function mean(rows, field) {
  return rows.reduce((sum, row) => sum + row[field], 0) / rows.length;
}
