/** Migrated databases for tests, in memory or on a real server, and tools to inspect them. */
export { createDatabaseRelay, type DatabaseRelay } from "./database-relay.js";
export { printSchema } from "./print-schema.js";
export {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  createUnspreadTestDatabase,
  embeddedTemplateFile,
  insertTenant,
  type TestDatabase,
  testBackends,
  testCitusWorkers,
  testDatabaseUrl,
} from "./test-databases.js";
