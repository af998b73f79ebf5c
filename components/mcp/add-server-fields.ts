/** The add form as flat fields, and the transport that they stand for. */
import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { transportDraftSchema, type TransportDraft } from "@/lib/mcp/transport";

export const SERVER_KINDS = [
  { value: "http", label: "HTTP address" },
  { value: "package", label: "Installed npm package" },
  { value: "file", label: "File on this machine" },
  { value: "bundled", label: "Bundled: customers" },
] as const;

const fields = z.object({
  kind: z.enum(["http", "package", "file", "bundled"]),
  id: idSchema,
  name: z.string().trim().min(1, "Enter a name.").max(120),
  url: z.string(),
  packageName: z.string(),
  version: z.string(),
  bin: z.string(),
  path: z.string(),
  /** One argument on each line. */
  args: z.string(),
});
export type ServerFields = z.infer<typeof fields>;

export const NO_SERVER: ServerFields = {
  kind: "http",
  id: "",
  name: "",
  url: "",
  packageName: "",
  version: "",
  bin: "",
  path: "",
  args: "",
};

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** What the fields say; not judged yet. */
const draftOf = (form: ServerFields): unknown => {
  const args = lines(form.args);
  if (form.kind === "http") return { type: "http", url: form.url };
  if (form.kind === "bundled") return { type: "stdio", manifest: { source: "bundled", id: "customers" } };
  if (form.kind === "file") return { type: "stdio", manifest: { source: "file", path: form.path, args } };

  return { type: "stdio", manifest: { source: "package", name: form.packageName, version: form.version, bin: form.bin, args } };
};

const FIELD_OF = { url: "url", name: "packageName", version: "version", bin: "bin", path: "path", args: "args" } as const;

const fieldOf = (path: readonly PropertyKey[]): keyof ServerFields => {
  const member = path.find((part): part is keyof typeof FIELD_OF => typeof part === "string" && Object.hasOwn(FIELD_OF, part));

  return member === undefined ? "kind" : FIELD_OF[member];
};

/** The fields, judged by the same schema that the runner uses; each fault stands at its field. */
export const serverFieldsSchema = fields.superRefine((form, context) => {
  const parsed = transportDraftSchema.safeParse(draftOf(form));
  for (const issue of parsed.error?.issues ?? []) context.addIssue({ code: "custom", message: issue.message, path: [fieldOf(issue.path)] });
});

/** @throws ZodError for fields that `serverFieldsSchema` refuses */
export const transportOf = (form: ServerFields): TransportDraft => transportDraftSchema.parse(draftOf(form));
