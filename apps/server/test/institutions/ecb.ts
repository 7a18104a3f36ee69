import { type Institution, startInstitution } from "../../../../packages/provider-kit/test/stand-in/institution.js";

/** Rates of one euro by currency code. */
export type EcbDay = Readonly<Record<string, string>>;

/** A stand-in for the euro foreign exchange reference rates of the European Central Bank. */
export interface Ecb {
  /** The folder of the files. */
  readonly url: string;
  readonly institution: Institution;
  /** The files that were asked for, in order. */
  readonly files: readonly string[];
  /** Publishes the rates of a day; the newest day is the one of the daily files. */
  publish(date: string, rates: EcbDay): void;
  close(): Promise<void>;
}

const FOLDER = "/stats/eurofxref/";

/** Starts it. The caller must close it. */
export async function startEcb(): Promise<Ecb> {
  const days = new Map<string, EcbDay>();
  const files: string[] = [];
  const newestFirst = () => [...days].sort(([a], [b]) => (a < b ? 1 : -1));
  const institution = await startInstitution({
    clock: () => new Date(),
    answer({ method, path }) {
      const file = path.slice(FOLDER.length);
      files.push(file);
      if (method !== "GET" || !path.startsWith(FOLDER)) return { status: 404 };
      if (file === "eurofxref-daily.xml") return xml(ecbXml(newestFirst().slice(0, 1)));
      if (file === "eurofxref-hist-90d.xml") return xml(ecbXml(newestFirst().slice(0, 64)));
      return { status: 404 };
    },
  });
  return {
    url: `${institution.url}${FOLDER}`,
    institution,
    files,
    publish: (date, rates) => void days.set(date, rates),
    close: () => institution.close(),
  };
}

const xml = (body: string) => ({ headers: { "content-type": "text/xml" }, body });

/** As https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml has it: tabs, single quotes, and no encoding in the answer's header. */
export function ecbXml(days: readonly (readonly [string, EcbDay])[]): string {
  const cubes = days.map(([date, rates]) => {
    const lines = Object.entries(rates).map(([code, rate]) => `\t\t\t<Cube currency='${code}' rate='${rate}'/>\n`);
    return `\t\t<Cube time='${date}'>\n${lines.join("")}\t\t</Cube>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
${cubes.join("")}	</Cube>
</gesmes:Envelope>`;
}
