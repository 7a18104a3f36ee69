// How change logs are written: what a changeset says to the users of a package, without the hash of its commit, which means
// nothing on the page of a registry; and the new versions of workspace dependencies once, not once a changeset.
module.exports = {
  getReleaseLine: async ({ summary }) => {
    const [first, ...others] = summary.trim().split("\n");
    return `\n- ${[first.trimEnd(), ...others.map((line) => (line.trim() === "" ? "" : `  ${line.trimEnd()}`))].join("\n")}`;
  },
  getDependencyReleaseLine: async (_changesets, updated) =>
    updated.length === 0
      ? ""
      : `- Updated dependencies: ${updated.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`).join(", ")}`,
};
