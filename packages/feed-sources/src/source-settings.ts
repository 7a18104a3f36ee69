import { secret } from "@org/provider-kit";
import { z } from "zod";

const line = (max: number) =>
  z
    .string()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}]*$/u, "must be one line without control characters");

/** An absolute or relative path on the custodian's server. */
const folder = line(1_000);

/** How an SFTP server is reached and which files are fetched from it. */
const sftpSettingsSchema = z
  .strictObject({
    kind: z.literal("sftp"),
    host: z
      .string()
      .regex(/^(?:[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9])?|[0-9a-f:.]{2,45})$/i, "must be a host name or an IP address")
      .describe("Name or address of the custodian's server."),
    port: z.int().min(1).max(65_535).default(22),
    user: line(200),
    password: secret().optional(),
    /** OpenSSH, PEM or PPK; RSA, ECDSA or Ed25519. */
    private_key: secret().optional(),
    passphrase: secret().optional(),
    host_keys: z
      .array(z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be SHA256:… as ssh-keygen -l shows it"))
      .max(8)
      .default([])
      .describe(
        "Fingerprints of the server's key that are trusted. Without one nothing is fetched; sources test shows it.",
      ),
    folder: folder.default("."),
    patterns: z
      .array(line(255))
      .min(1, "must have an entry")
      .max(20, "must have at most 20 entries")
      .default(["*"])
      .describe("Names that are taken: * stands for any characters, ? for one."),
    after: z
      .enum(["delete", "move", "leave"])
      .default("leave")
      .describe("What becomes of a file on the custodian's server once it is taken or held."),
    move_to: folder.optional().describe("With move: the folder, as the server names it."),
    min_age_seconds: z
      .int()
      .min(0)
      .max(86_400)
      .default(10)
      .describe("How long a file must have been left alone, by its time."),
    every_minutes: z.int().min(1).max(1_440).default(15).describe("How often it is looked for files."),
    max_files: z.int().min(1).max(1_000).default(200).describe("Files taken in one run."),
    max_file_bytes: z
      .int()
      .min(1)
      .max(64 * 1024 * 1024)
      .default(64 * 1024 * 1024),
    max_seconds: z.int().min(10).max(900).default(300).describe("How long one run may take."),
  })
  .refine(({ after, move_to }) => (after === "move") === (move_to !== undefined), {
    path: ["move_to"],
    message: "is needed with after: move, and only there",
  })
  .refine(({ password, private_key }) => (password === undefined) !== (private_key === undefined), {
    path: ["password"],
    message: "exactly one of password and private_key is required",
  })
  .refine(({ passphrase, private_key }) => passphrase === undefined || private_key !== undefined, {
    path: ["passphrase"],
    message: "belongs to a private_key",
  });

/** A source to which the custodian uploads: `PUT /feeds/v1/<token>/<name>`. */
const pushSettingsSchema = z.strictObject({
  kind: z.literal("push"),
  patterns: z.array(line(255)).min(1).max(20).default(["*"]).describe("Names that are taken; others are answered 404."),
  max_file_bytes: z
    .int()
    .min(1)
    .max(64 * 1024 * 1024)
    .default(64 * 1024 * 1024),
});

/** The settings of a source as operators set them, including secrets; stored sealed. */
export const sourceSettingsSchema = z.discriminatedUnion("kind", [sftpSettingsSchema, pushSettingsSchema]);

/** The drop folder, whose path is a setting of the server (`DROP_DIR`). */
const folderSettingsSchema = z.strictObject({ kind: z.literal("folder") });

/** The settings as stored. */
export const storedSettingsSchema = z.union([sourceSettingsSchema, folderSettingsSchema]);
export type SourceSettings = z.output<typeof storedSettingsSchema>;
export type SftpSettings = z.output<typeof sftpSettingsSchema>;

/** The purpose and row to which the settings of a source are sealed. */
export function sourceContext(source: string) {
  return { purpose: "source-settings", row: source };
}

/** The name of a source, used in commands, metrics and the log. */
export const sourceName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "must be 1 to 40 lower-case letters, digits and hyphens");
