import type { ModelTool } from "@/server/executors/contract";
import type { PinnedTool } from "@/lib/graph/document";
import { getToolId } from "@/lib/graph/tool-ref";
import type { JsonObject } from "@/lib/json";
import { cleanToolTexts } from "@/lib/mcp/tool-texts";

export const SAVE_TO_MEMORY = "save_to_memory";
export const HAND_OFF = "hand_off";

type Schemas = Readonly<Record<string, JsonObject>>;

const saveSchema = (grants: readonly string[], schemas: Schemas): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(
    grants
      .filter((grant) => grant !== "*")
      .map((grant) => [grant, { description: `New value of ${grant}`, ...(Object.hasOwn(schemas, grant) ? schemas[grant] : {}) }]),
  ),
  additionalProperties: grants.includes("*"),
  minProperties: 1,
});

const handOffSchema = (peers: readonly string[]): JsonObject => ({
  type: "object",
  properties: { node: { type: "string", enum: [...peers] }, reason: { type: "string", maxLength: 4_000 } },
  required: ["node", "reason"],
  additionalProperties: false,
});

type Offer = {
  readonly tools: readonly PinnedTool[];
  readonly writes: readonly string[];
  readonly schemas?: Schemas | undefined;
  readonly peers?: readonly string[];
};

export const listOfferedTools = ({ tools, writes, schemas = {}, peers = [] }: Offer): ModelTool[] => [
  ...tools.map((pin) => ({ name: getToolId(pin.server, pin.tool), ...cleanToolTexts(pin) })),
  ...(writes.length === 0
    ? []
    : [{ name: SAVE_TO_MEMORY, description: "Proposes new values of memory keys, by key.", input_schema: saveSchema(writes, schemas) }]),
  ...(peers.length === 0
    ? []
    : [{ name: HAND_OFF, description: "Hands the run to another node and ends this step.", input_schema: handOffSchema(peers) }]),
];
