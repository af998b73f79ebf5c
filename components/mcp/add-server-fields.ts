import { z } from "zod";
import { idSchema } from "@/lib/ids";

export const SERVER_KINDS = [
  { value: "http", label: "HTTP address" },
  { value: "program", label: "Installed program" },
] as const;

export const serverFieldsSchema = z
  .object({
    kind: z.enum(["http", "program"]),
    id: z.string().refine((id) => idSchema.safeParse(id).success, "Enter a letter, then letters, digits, - or _."),
    name: z.string().trim().min(1, "Required.").max(120),
    url: z.string().max(2_000),
  })
  .refine(({ kind, url }) => kind !== "http" || /^https?:\/\//.test(url), { message: "Enter an http or https address.", path: ["url"] });
export type ServerFields = z.infer<typeof serverFieldsSchema>;

export const NO_SERVER: ServerFields = { kind: "http", id: "", name: "", url: "" };
