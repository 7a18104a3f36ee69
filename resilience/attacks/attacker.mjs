// The worker thread of an attack, so that it does not share a thread with the measurement of the honest tenant.
import { parentPort, workerData } from "node:worker_threads";
import { stageOf } from "./stage.mjs";

const over = new AbortController();
parentPort.once("message", () => over.abort());
const { attack } = await import(`./${workerData.name}.mjs`);
parentPort.postMessage(await attack(stageOf(workerData.facts, over.signal)));
process.exit();
