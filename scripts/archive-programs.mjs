// GnuPG and Info-ZIP, with which tests create custodians' files. Installs Debian's packages if they are missing; tests that need them are skipped if
// that is impossible.
import { findCommand, installFromDebian } from "./debian.mjs";

const packages = { gpg: "gnupg", zip: "zip" };
const missing = Object.entries(packages).flatMap(([command, name]) => (findCommand(command) ? [] : name));
if (missing.length > 0) installFromDebian(missing, { optional: true });
