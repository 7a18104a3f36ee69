// Runs the built server with other intervals than the usual ones, which no setting can change:
//   node scheduled-server.mjs <run-server.js> <intervals of src/schedule.ts in ms, as JSON>
import { pathToFileURL } from "node:url";

const [, , file, schedule] = process.argv;
const { runServer } = await import(pathToFileURL(file).href);
// If a test moves time on, it passes for the database as well: the server then uses the machine's clock.
const hasShiftedClock = "CLOCK_SHIFT_MS" in process.env || "CLOCK_JUMP_MS" in process.env;
await runServer({ schedule: JSON.parse(schedule), ...(hasShiftedClock && { clock: () => new Date() }) });
