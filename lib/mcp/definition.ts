import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json, JsonObject } from "@/lib/json";
import { toolDescriptionSchema, toolNameSchema } from "@/lib/graph/tool-ref";

const objectSchema = z.record(z.string().max(200), z.json());

export const toolDefinitionSchema = z.strictObject({
  name: toolNameSchema,
  title: z.string().max(500).nullable(),
  description: toolDescriptionSchema,
  input_schema: objectSchema,
  output_schema: objectSchema.nullable(),
  annotations: objectSchema.nullable(),
});
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** Hashes everything that could change a tool's meaning. */
export const computeDefinitionDigest = (definition: ToolDefinition): HexDigest =>
  digestOf("tool", {
    name: definition.name,
    title: definition.title,
    description: definition.description,
    inputSchema: definition.input_schema as JsonObject,
    outputSchema: definition.output_schema as Json,
    annotations: definition.annotations as Json,
  });
