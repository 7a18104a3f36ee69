// Runs the built server with other intervals than the usual ones, which no setting can change:
//   node scheduled-server.mjs <run-server.js> <intervals of src/schedule.ts in ms, as JSON>
import { pathToFileURL } from "node:url";

const [, , file, schedule] = process.argv;
const { runServer } = await import(pathToFileURL(file).href);
await runServer({ schedule: JSON.parse(schedule) });
