/** Architect jobs, sealed because their texts can be secret. */
import { z } from "zod";
import { MOST_ATTEMPTS, loopStateSchema, problemSchema } from "@/lib/architect/loop";
import { graphSchema } from "@/lib/graph/document";
import { jsonSchema, type Json } from "@/lib/json";
import type { Vault } from "@/server/security/vault";

const MOST_DESCRIPTION = 4_000;
const MOST_PASTED = 40_000;

export const wishSchema = z.strictObject({
  description: z.string().trim().min(1).max(MOST_DESCRIPTION),
  /** By others, so untrusted. */
  pasted: z.string().max(MOST_PASTED).default(""),
  model: z.string().min(1).max(200),
});
export type Wish = z.infer<typeof wishSchema>;

export const jobBodySchema = z.strictObject({
  description: z.string().max(MOST_DESCRIPTION),
  pasted: z.string().max(MOST_PASTED),
  before: graphSchema.nullable(),
});
export type JobBody = z.infer<typeof jobBodySchema>;

const tried = z.array(z.array(problemSchema).max(40)).max(MOST_ATTEMPTS);

export const jobResultSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("graph"), graph: graphSchema, warnings: z.array(problemSchema).max(1_000), tried }),
  z.strictObject({ type: z.literal("problems"), problems: z.array(problemSchema).max(40), tried }),
]);
export type JobResult = z.infer<typeof jobResultSchema>;

/** Names a part's place, against swaps of sealed parts. */
export const getPartPlace = (id: string, name: "body" | "state" | "result"): string => `architect/${id}/${name}`;

const part = <S extends z.ZodType>(name: "body" | "state" | "result", schema: S) => {
  const place = (id: string): string => getPartPlace(id, name);

  return {
    seal: (vault: Vault, workspaceId: string, id: string, value: z.input<S>): Uint8Array<ArrayBuffer> => {
      const plain: Json = jsonSchema.parse(JSON.parse(JSON.stringify(value)));

      return vault.sealCommand(workspaceId, place(id), plain);
    },
    /** Null for altered bytes and unknown formats. */
    open: (vault: Vault, workspaceId: string, id: string, sealed: Uint8Array): z.output<S> | null => {
      try {
        return schema.safeParse(vault.openCommand(workspaceId, place(id), sealed)).data ?? null;
      } catch {
        return null;
      }
    },
  };
};

export const jobBody = part("body", jobBodySchema);
export const jobState = part("state", loopStateSchema);
export const jobResult = part("result", jobResultSchema);
