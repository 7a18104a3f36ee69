import packageJson from "../package.json" with { type: "json" };

/** The version of this software, such as `0.1.0`. */
export const softwareVersion: string = packageJson.version;
