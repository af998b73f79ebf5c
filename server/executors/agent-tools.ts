/** What an agent may call: its granted tools, and `save_to_memory` where the node may write anything. */
import type { ExecutorInput, ModelTool } from "@/server/executors/contract";
import { intersectGrants } from "@/lib/graph/path";
import { toolId } from "@/lib/graph/tool-ref";
import type { JsonObject } from "@/lib/json";

export const SAVE_TO_MEMORY = "save_to_memory";

/** What the node may write, under the agent's ceiling. */
export const writeGrants = (input: ExecutorInput): string[] => intersectGrants(input.node.write_keys, input.agent?.permissions.write_keys);

const saveSchema = (grants: readonly string[]): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(grants.filter((grant) => grant !== "*").map((grant) => [grant, { description: `New value of ${grant}` }])),
  additionalProperties: grants.includes("*"),
  minProperties: 1,
});

export const offeredTools = (input: ExecutorInput): ModelTool[] => {
  const granted = input.tools.map(({ server, tool, description, input_schema }) => ({
    name: toolId(server, tool),
    description,
    input_schema,
  }));
  const grants = writeGrants(input);
  if (grants.length === 0) return granted;

  return [
    ...granted,
    { name: SAVE_TO_MEMORY, description: "Proposes new values of memory keys, by key.", input_schema: saveSchema(grants) },
  ];
};
