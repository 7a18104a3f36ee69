import type { AnswerOf } from "../../api/paths.js";

/** A held file, as it is listed. */
export type Held = Extract<AnswerOf<"/operator/v1/datafeeds/list-pending">["items"][number], { state: "held" }>;

/** Whether it came by the drop folder, which names the target. */
export const isDropped = ({ source }: Pick<Held, "source">) => source === "drop-folder";

/** Where the keys for encrypted and signed files are. */
export const keysPlace = { to: "/sources", search: { tab: "keys" } } as const;

/** The mapping editor with a held file. */
export const mappingPlace = (fileId: string) => ({ to: "/mapping", search: { held: fileId } }) as const;

/** A file's own name, without the folder of the drop folder, which is named by the target's id. */
export function shortNameOf(name: string): string {
  return name.replace(/^[0-9a-f-]{36}\//i, "");
}
