// Follows docs/how-to/deploy.md like a person who has only a machine and the page: runs its command blocks one after another, from `apt-get update` to the
// update to a second version. Needs root; takes some minutes; runs nightly.
//
//   node scripts/deploy-page.mjs [--keep]
//
// The machine is this one under an overlay, with its own processes and network, so that nothing the page does persists. npm and pnpm start with empty
// caches. There is no systemd: its part is done as the page says for machines without it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { refuse, root, step } from "./step.mjs";
import { copyWorkingTree } from "./working-tree.mjs";

const NAME = "wealth.example.com";
const CLONE = "/usr/local/src/wealth-connect";

if (process.getuid?.() !== 0) refuse("only root can lay a machine over this one");
const scratch = mkdtempSync(join(tmpdir(), "deploy-page-"));
const [output, repository, machine] = ["output", "repository", "machine"].map((name) => join(scratch, name));
process.on("exit", () => {
  if (process.argv.includes("--keep")) console.log(`kept: ${scratch}`);
  else rmSync(scratch, { recursive: true, force: true });
});

const page = readFileSync(join(root, "docs/how-to/deploy.md"), "utf8");
const sections = new Map(
  page
    .split(/^#{2,3} /m)
    .map((text) => [
      text.split("\n", 1)[0],
      [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands),
    ]),
);
const [install, pack, use] = blocksOf("1. Programs", 3);
const [update] = blocksOf("Updates", 1);
const steps = ["2. A user, and the unit", "3. The database", "4. Settings", "5. Tables, and the first operator"];
const [start, stop] =
  /^```text\n(nohup .*)\n(kill .*)\n```$/m.exec(page)?.slice(1) ?? refuse("nothing starts without systemd");

prepare();
await onMachine(
  "programs, packed from a clone",
  [],
  [install, `git clone --quiet ${repository} ${CLONE}`, `cd ${CLONE}`, pack, use, 'echo "$version" > /root/version'],
);
// Offline: this machine's ports may be taken, and everything needed has been fetched.
await onMachine(
  "the page, from there to an update",
  ["--net"],
  [
    `cd ${CLONE}`,
    "version=$(cat /root/version)",
    "ip link set lo up",
    `echo 127.0.0.1 ${NAME} >> /etc/hosts`,
    "service postgresql start",
    "service nginx start",
    ...[...steps, "6. TLS and nginx", "7. Start"]
      .flatMap((title) => [`: "${title}"`, ...blocksOf(title)])
      .map(filledIn),
    `git -C ${repository} -c user.name=n -c user.email=e commit --quiet --allow-empty --message "a second version"`,
    "git pull --quiet",
    "export npm_config_prefer_offline=true",
    pack,
    update,
    `curl --silent --fail --retry 10 --retry-all-errors https://${NAME}/readyz`,
    "wealth-connect token issue > /dev/null",
    "test $(ls /opt/wealth-connect | wc --lines) = 3",
  ],
);
const said = readFileSync(output, "utf8");
for (const wanted of [/"msg":"ready"/, /"structuredContent":\{/, /^0 connectors$/m])
  if (!wanted.test(said)) refuse(`nothing said ${wanted}; with --keep everything that was said is in ${output}`);
console.log("docs/how-to/deploy.md leads from a bare machine to a server that answers, and to its second version");

/** The command blocks of a section; fails unless there are as many as this script expects. */
function blocksOf(title, count) {
  const blocks = sections.get(title) ?? [];
  if (blocks.length === 0 || (count !== undefined && blocks.length !== count))
    refuse(`docs/how-to/deploy.md has ${blocks.length} blocks of commands under "${title}"`);
  return blocks;
}

/** Fills in the values that a person would copy from the previous output. */
function filledIn(commands) {
  return commands.replace(/WEALTH_CONNECT_(CLIENT_\w+)=…/g, (setting, name) =>
    setting.replace("…", `$(awk '$1 == "${name.toLowerCase()}" { found = $2 } END { print found }' ${output})`),
  );
}

function prepare() {
  copyWorkingTree(repository);
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...args], { cwd: repository });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "a first version");
  writeFileSync(output, "");
  for (const folder of ["", "/upper", "/work", "/root"]) mkdirSync(machine + folder);
  furnish();
}

/** Prepares the overlay machine, with the page's replacements for systemd. */
function furnish() {
  const put = (path, text) => {
    mkdirSync(dirname(machine + path), { recursive: true });
    writeFileSync(machine + path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };
  // A home without caches. The npm configuration may name its registry, so it is kept.
  mkdirSync(`${machine}/upper/root/newcomer`, { recursive: true, mode: 0o700 });
  if (existsSync(join(homedir(), ".npmrc"))) cpSync(join(homedir(), ".npmrc"), `${machine}/upper/root/newcomer/.npmrc`);
  // Debian starts services on installation, which must not happen in this network.
  put("/upper/usr/sbin/policy-rc.d", "exit 101");
  put("/upper/usr/local/sbin/journalctl", "exec tail --lines 20 /var/log/wealth-connect.log");
  put(
    "/upper/usr/local/sbin/systemctl",
    `case "$*" in
daemon-reload) ;;
"reload nginx") nginx -s reload ;;
"enable --now wealth-connect") ${start} ;;
"restart wealth-connect") ${stop}; tail --pid "$(cat /run/wealth-connect.pid)" --follow /dev/null; ${start} ;;
*) exit 1 ;;
esac`,
  );
}

/** Runs commands there, as root in one shell, and ends every process they leave running. */
function onMachine(name, namespaces, commands) {
  const script = join(scratch, "script");
  const path = "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root/newcomer";
  writeFileSync(script, ["set -euxo pipefail", `exec >> ${output} 2>&1`, path, ...commands].join("\n"));
  const lay = `mount -t overlay overlay -o "lowerdir=/,upperdir=${machine}/upper,workdir=${machine}/work" ${machine}/root
cd ${machine}/root
mount --rbind /dev dev
mount -t proc proc proc
mkdir -p .${scratch}
mount --bind ${scratch} .${scratch}
cat /etc/resolv.conf > etc/resolv.conf
exec chroot . bash ${script}`;
  return step(name, "unshare", ["--mount", "--pid", "--fork", "--kill-child", ...namespaces, "sh", "-ec", lay], {
    orElse: () => refuse(readFileSync(output, "utf8").slice(-3000)),
  });
}
