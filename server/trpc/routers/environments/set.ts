import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { environmentsSchema } from "@/lib/environments/environment";
import { variablesSchema } from "@/lib/environments/variables";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

const signed = adminSignatureSchema.exactOptional();

export const environmentsSet = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ was: environmentsSchema, environments: environmentsSchema, signed }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "environments_set", ...input }));

export const environmentsSetVariables = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ environment: idSchema, was: hexDigestSchema.nullable(), variables: variablesSchema, signed }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "environment_variables", ...input }));
