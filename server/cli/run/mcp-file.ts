import { z } from "zod";
import { effectClassSchema, type ToolLabels } from "@/lib/graph/document";
import { classificationSchema } from "@/lib/graph/label";
import { idSchema } from "@/lib/ids";
import type { CommandLineServer } from "@/server/mcp/command-line";

const launchSchema = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});
const addressSchema = z.strictObject({ type: z.enum(["http", "streamable-http"]).optional(), url: z.url({ protocol: /^https?$/ }) });

const toolSchema = z.union([
  effectClassSchema,
  z.strictObject({
    effect: effectClassSchema,
    idempotent: z.boolean().optional(),
    output: classificationSchema.optional(),
    outward: z.boolean().optional(),
    clearance: classificationSchema.optional(),
  }),
]);

export const mcpFileSchema = z.strictObject({
  mcpServers: z.record(idSchema, z.union([launchSchema, addressSchema])),
  /** By `server__tool`. Undeclared tools count as irreversible, whatever the server says. */
  effects: z.record(z.string(), toolSchema).default({}),
});
export type McpFile = z.infer<typeof mcpFileSchema>;

export const NO_SERVERS: McpFile = { mcpServers: {}, effects: {} };

/** Parses the file. @param surroundings environment of all servers */
export const readCommandLineServers = (
  file: McpFile,
  surroundings: Readonly<Record<string, string>>,
  cwd: string,
): readonly CommandLineServer[] =>
  Object.entries(file.mcpServers).map(([id, server]) =>
    "url" in server
      ? { id, url: server.url }
      : { id, launch: { command: server.command, args: server.args, env: { ...surroundings, ...server.env }, cwd } },
  );

export const readLabels = (file: McpFile): Readonly<Record<string, Partial<ToolLabels>>> =>
  Object.fromEntries(
    Object.entries(file.effects).map(([tool, said]) => {
      if (typeof said === "string") return [tool, { effect: said }];
      const { effect, idempotent, output, outward, clearance } = said;

      return [
        tool,
        {
          effect,
          ...(idempotent === undefined ? {} : { idempotent }),
          ...(output === undefined ? {} : { output }),
          ...(outward === undefined ? {} : { outward }),
          ...(clearance === undefined ? {} : { clearance }),
        },
      ];
    }),
  );
