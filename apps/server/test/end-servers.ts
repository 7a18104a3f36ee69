import { afterAll } from "vitest";
import { endServers } from "./server-process.js";

// Loaded by vitest before each test file: files share the modules that they import, and a hook belongs to one file.
afterAll(endServers);
