/** Migrated databases for tests, in memory or on a real server; needs nothing but what the package itself needs. */
export {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  type TestDatabase,
  testDatabaseUrl,
} from "./test-databases.js";
