/** Address, or program of the operator's list. */
import { z } from "zod";
import { stdioManifestSchema } from "./program";

const HTTP_URL = /^https?:\/\//;

export const mcpTransportSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("http"), url: z.string().max(2_000).regex(HTTP_URL, "Enter an http or https address.") }),
  z.strictObject({ type: z.literal("stdio"), manifest: stdioManifestSchema }),
]);
export type McpTransport = z.infer<typeof mcpTransportSchema>;
