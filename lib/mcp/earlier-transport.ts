/** Stdio transports stored before the operator's list. */
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { BUNDLED_PROGRAMS } from "./bundled-program";
import type { McpTransport } from "./transport";

const INBOX_SERVER = "@modelcontextprotocol/server-filesystem";

const packageSchema = z.object({
  source: z.literal("package"),
  name: z.string(),
  version: z.string(),
  args: z.array(z.string()),
  tree_digest: hexDigestSchema,
});
const earlierSchema = z.object({
  type: z.literal("stdio"),
  manifest: z.discriminatedUnion("source", [
    packageSchema,
    z.object({ source: z.literal("bundled"), id: z.enum(BUNDLED_PROGRAMS), file_digest: hexDigestSchema }),
    z.object({ source: z.literal("file"), path: z.string() }),
  ]),
});

export type Earlier = { readonly transport: McpTransport } | { readonly operatorCommand: string };

const bundled = (program: string, digest: string): Earlier => ({
  transport: { type: "stdio", manifest: { program, digest, values: {} } },
});

const isInbox = ({ name, args }: z.infer<typeof packageSchema>): boolean => name === INBOX_SERVER && args.join() === "{inbox}";

/** Reads an earlier transport, else null. */
export const readEarlierTransport = (stored: unknown): Earlier | null => {
  const parsed = earlierSchema.safeParse(stored);
  if (!parsed.success) return null;
  const { manifest } = parsed.data;
  if (manifest.source === "bundled") return bundled(manifest.id, manifest.file_digest);
  if (manifest.source === "file") return { operatorCommand: `npx countersign servers allow ${manifest.path}` };

  return isInbox(manifest)
    ? bundled("filesystem", manifest.tree_digest)
    : { operatorCommand: `npx countersign servers install ${manifest.name}@${manifest.version}` };
};
