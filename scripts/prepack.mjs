// `prepack` of every published package: builds it, so that `pnpm pack` and `pnpm publish` never pack an empty or outdated build. turbo skips what has
// not changed. scripts/packages.mjs, which has just built everything, sets PACKAGES_ARE_BUILT.
import { build } from "./pnpm.mjs";

if (process.env.PACKAGES_ARE_BUILT !== "true")
  await build("build", "build:types", `--filter=${process.env.npm_package_name}`);
