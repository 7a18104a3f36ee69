import { createHash } from "node:crypto";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Extension, OfferedResource } from "./offer.js";

/** Instructions for one task, which hosts of the Skills extension (SEP-2640, Final) hand to their model when the task comes up. */
export interface Skill {
  /** Lower-case letters and hyphens, at most 64 characters. */
  readonly name: string;
  /** What it does and when to use it, at most 1,024 characters. */
  readonly description: string;
  /** Markdown. */
  readonly instructions: string;
}

const EXTENSION = "io.modelcontextprotocol/skills";
const CACHE = { ttlMs: 300_000, cacheScope: "public" } as const;

/** Serves skills, each of one file: as resources, and with `skills/list` and `skills/get`. */
export function skillsExtension(skills: readonly Skill[]): Extension & Required<Pick<Extension, "resources">> {
  const files = skills.map(fileOf);
  const entries = files.map(({ uri, skill: { name, description }, text }) => ({
    uri,
    frontmatter: { name, description },
    resources: [
      { uri, digest: `sha256:${createHash("sha256").update(text).digest("hex")}`, size: Buffer.byteLength(text) },
    ],
  }));
  return {
    capabilities: { extensions: { [EXTENSION]: {} } },
    resources: files.map(resourceOf),
    register(server) {
      server.setRequestHandler("skills/list", { params: listParams }, ({ cursor }) => {
        if (cursor !== undefined) throw invalidParams("Unknown cursor: the list of skills is one page");
        return { resultType: "complete", skills: entries, ...CACHE };
      });
      server.setRequestHandler("skills/get", { params: getParams }, ({ uri }) => {
        const skill = entries.find((entry) => entry.uri === uri);
        if (!skill) throw invalidParams(`Skill ${uri.slice(0, 200)} not found`);
        return { resultType: "complete", skill, ...CACHE };
      });
    },
  };
}

const listParams = z.looseObject({ cursor: z.string().optional() }).default({});
const getParams = z.looseObject({ uri: z.string() });

interface SkillFile {
  readonly skill: Skill;
  readonly uri: string;
  readonly text: string;
}

/** `SKILL.md` as the Agent Skills specification has it. A JSON text is a YAML scalar. */
function fileOf(skill: Skill): SkillFile {
  const { name, description, instructions } = skill;
  const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${instructions}\n`;
  return { skill, uri: `skill://${name}/SKILL.md`, text };
}

function resourceOf({ skill: { name, description }, uri, text }: SkillFile): OfferedResource {
  const mimeType = "text/markdown";
  return {
    listed: { uri, name, description, mimeType },
    read: () => ({ contents: [{ uri, mimeType, text }], ...CACHE }),
  };
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
