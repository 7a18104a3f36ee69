// Prints the failures of a step from the reports in its folder.
import { failuresOf, readReports } from "./reports.mjs";

for (const failure of failuresOf(readReports(process.argv[2]).results)) console.log(`FAILED: ${failure}`);
