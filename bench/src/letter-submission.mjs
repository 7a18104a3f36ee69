import { randomBytes } from "node:crypto";
import { goal } from "./measuring/figures.mjs";
import { exchange } from "./measuring/load.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { restBytes } from "./product/rest-requests.mjs";

const MEBIBYTE = 1024 ** 2;
const CASES = [
  { letters: 1, megabytes: 1 },
  { letters: 16, megabytes: 1 },
  { letters: 1, megabytes: 10 },
  { letters: 4, megabytes: 10 },
];
const WARM_UP = 8;
const SMALL_BYTES = 4_096;

/**
 * The peak memory that submitted letters' documents cost the server: of all threads, above what it holds after warming up and a garbage collection,
 * and above the cost of as many letters of 4 kB. Two figures: `resident` is the kernel's peak (VmHWM, reset before each case); `accounted` is heap
 * and external memory (including buffers) of the main thread, sampled every millisecond.
 *
 * Options: `rounds`; each starts a new server.
 */
export async function run({ databaseUrl, rounds = 3 }) {
  const product = await installOnPostgres(databaseUrl);
  const raw = [];
  try {
    for (let round = 1; round <= rounds; round += 1)
      for (const one of CASES) raw.push({ round, ...one, ...(await measure(product, one)) });
  } finally {
    await product.remove();
  }
  const worst = (is, field) => Math.max(...raw.filter(is).map((row) => row[field]));
  const of =
    ({ letters, megabytes }) =>
    (row) =>
      row.letters === letters && row.megabytes === megabytes;
  return {
    title: "Memory of submitted letters",
    notes: `The highest of ${rounds} rounds, in multiples of the documents' size. The letters of a case are sent at once; Base64 is a third larger than the document. A document of 1 MB is one page with an image that does not compress. Accounted: heap and external memory, buffers included, of the main thread, looked at every millisecond; the goals are for it. Resident: the kernel's peak for the whole process, threads included; it also counts what the allocator keeps for the next document once the first large one has been freed.`,
    tables: [
      {
        caption: "Peak above the idle server and above as many small letters, as a multiple of the documents' size",
        head: ["letters at once", "MB each", "resident", "accounted", "MB for small ones, resident", "accounted", "ms"],
        rows: CASES.map((one) => [
          one.letters,
          one.megabytes,
          worst(of(one), "resident"),
          worst(of(one), "accounted"),
          worst(of(one), "residentOfSmall"),
          worst(of(one), "accountedOfSmall"),
          worst(of(one), "milliseconds"),
        ]),
      },
    ],
    goals: CASES.filter(({ letters }) => letters === 16 || letters === 1).map((one) =>
      goal(
        `peak of heap and buffers, ${one.letters} × ${one.megabytes} MB, times their size`,
        worst(of(one), "accounted"),
        { atMost: 3 },
      ),
    ),
    raw,
  };
}

async function measure(product, { letters, megabytes }) {
  const server = await product.start({ hasProbe: true, env: { SANDBOX: "true" } });
  try {
    const token = await accessToken(server, product.credentials.demo);
    const submission = (bytes) => {
      const letter = { connector_id: "esp:custodia-montelirio", data: pdfOf(bytes).toString("base64") };
      return restBytes(token, "/letters/v1/create-signed", letter);
    };
    const send = async (request) => {
      const answer = await exchange(server.port, request);
      if (answer.status !== 200) throw new Error(`create-signed: ${answer.status} ${answer.body}`);
    };
    const peakOf = async (bytes) => {
      const requests = Array.from({ length: letters }, () => submission(bytes));
      const before = await server.beginPeak();
      const started = performance.now();
      await Promise.all(requests.map(send));
      const milliseconds = performance.now() - started;
      const after = await server.endPeak();
      const [resident, accounted] = [after.resident - before.resident, after.accounted - before.accounted];
      return { resident, accounted, milliseconds };
    };
    for (let time = 0; time < WARM_UP; time += 1)
      await Promise.all(Array.from({ length: WARM_UP }, () => send(submission(SMALL_BYTES))));
    const small = await peakOf(SMALL_BYTES);
    const large = await peakOf(megabytes * MEBIBYTE);
    const size = letters * megabytes;
    return {
      resident: (large.resident - small.resident) / size,
      accounted: (large.accounted - small.accounted) / size,
      residentOfSmall: small.resident,
      accountedOfSmall: small.accounted,
      milliseconds: large.milliseconds,
    };
  } finally {
    await server.stop();
  }
}

/** A PDF with one page and an image, of about this size. */
function pdfOf(size) {
  const image = randomBytes(size - 700);
  const head =
    "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n" +
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>>>endobj\n" +
    `4 0 obj<</Type/XObject/Subtype/Image/Width 1000/Height 1000/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${image.length}>>stream\n`;
  const tail =
    "\nendstream endobj\nxref\n0 1\n0000000000 65535 f \ntrailer<</Size 5/Root 1 0 R>>\nstartxref\n0\n%%EOF\n";
  return Buffer.concat([Buffer.from(head), image, Buffer.from(tail)]);
}
