import { graphSchema, type Graph } from "@/lib/graph/document";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import type { Scene } from "./scene";

type Listed = { readonly id: string; readonly reads: readonly string[] | null; readonly writes: readonly string[] | null };

export type ArchitectScene = {
  readonly words: string;
  readonly pasted: string;
  readonly attempt: number;
  readonly before: Graph | null;
  readonly agents: readonly Listed[];
  /** Effect by `server__tool`. */
  readonly tools: ReadonlyMap<string, string>;
};

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const names = (value: Json | undefined): string[] | null =>
  Array.isArray(value) ? value.flatMap((one: Json) => (typeof one === "string" ? [one] : [])) : null;

export const readArchitectScene = (scene: Scene): ArchitectScene | null => {
  const { task } = scene;
  const registry = ownMember(task, "registry");
  if (scene.agent !== "architect" || !isJsonObject(registry)) return null;
  const attempt = ownMember(task, "attempt");

  return {
    words: text(ownMember(scene.goal, "goal")),
    pasted: text(scene.pasted),
    attempt: typeof attempt === "number" ? attempt : 1,
    before: graphSchema.safeParse(ownMember(task, "graph")).data ?? null,
    agents: list(registry["agents"])
      .filter((agent) => list(ownMember(agent, "tools")).length === 0)
      .map((agent) => {
        const permissions = ownMember(agent, "permissions");

        return {
          id: text(ownMember(agent, "id")),
          reads: names(ownMember(permissions, "read_keys")),
          writes: names(ownMember(permissions, "write_keys")),
        };
      }),
    tools: new Map(
      list(registry["tools"]).map((tool) => [
        `${text(ownMember(tool, "server"))}__${text(ownMember(tool, "tool"))}`,
        text(ownMember(tool, "effect")),
      ]),
    ),
  };
};
