import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { findTokenObjection } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import { integritySchema } from "@/lib/graph/label";
import { DEFAULT_TOKEN_LIMITS, tokenLimitsSchema } from "@/lib/outside/token-limits";
import type { Role } from "@/lib/roles";
import { newTokenSchema } from "@/lib/outside/token-command";
import { visibleNameSchema } from "@/lib/visible-name";
import { mintToken, type Minting } from "@/server/outside/token";
import { readAuthority } from "@/server/web/authority";
import type { Sender } from "@/server/store/runs/command-envelope";

export const wantedShape = {
  name: visibleNameSchema(120),
  /** Null: every graph, future ones included. */
  graphs: z.array(z.uuid()).min(1).max(200).nullable(),
  signed: adminSignatureSchema.exactOptional(),
};

export const actingShape = {
  ...wantedShape,
  environments: newTokenSchema.shape.environments,
  integrity: integritySchema.default("untrusted"),
  limits: tokenLimitsSchema.default(DEFAULT_TOKEN_LIMITS),
  expiresInDays: z.number().int().min(1).max(365),
};

type Context = { readonly workspaceId: string; readonly author: Sender; readonly role: Role };
type Signed = Parameters<typeof mintToken>[3];

/** The token is readable only in this answer. @param usable graphs @throws AppError */
export const mintWanted = async ({ workspaceId, author, role }: Context, wanted: Minting, signed: Signed, usable: readonly string[]) => {
  const objection = findTokenObjection(role, wanted);
  if (objection !== null) throw new AppError("forbidden", { message: objection });
  if (wanted.graphs?.some((graph) => !usable.includes(graph))) throw new AppError("not_found");
  const { scopes, graphs, environments = [] } = wanted;
  const known = (await readAuthority(workspaceId)).environments.list;
  if (environments.some((environment) => !known.some(({ id }) => id === environment))) throw new AppError("not_found");

  return mintToken(workspaceId, author, { ...wanted, scopes: [...new Set(scopes)], graphs: graphs && [...new Set(graphs)] }, signed);
};
