import { writeFileSync } from "node:fs";
import { createTemplate } from "@org/storage-postgres";

// Part of the build: a first start unpacks this file instead of initialising and migrating a database.
writeFileSync(new URL("embedded-template.tar.gz", import.meta.url), await createTemplate());
