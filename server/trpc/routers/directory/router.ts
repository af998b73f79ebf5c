import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { hexDigestSchema } from "@/lib/hash";
import { computeDirectoryDigest, directorySchema } from "@/lib/people/directory";
import { isAllowed } from "@/lib/roles";
import { getOidcName } from "@/server/auth/oidc";
import { getNames } from "@/server/store/people/people";
import { createProcedure, router } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { submitToWorkspace } from "@/server/web/submit-command";
import { describeProvisioning } from "./provisioning";
import { directoryTokensRouter } from "./tokens";

const directoryGet = createProcedure("people.read").query(async ({ ctx: { workspaceId, user, isDemo } }) => {
  const authority = await readAuthority(workspaceId);
  const { groups, directory } = authority.approvers;
  const { inForce, asked } = directory;
  const admins = [...listMembersInForce(authority)].filter(([, { role, disabled }]) => !disabled && isAllowed(role, "people.manage"));
  const names = asked ? await getNames(workspaceId, [asked.by]) : {};

  return {
    provisioning: { isDemo, ...(await describeProvisioning(workspaceId, authority, user.id)) },
    provider: getOidcName(),
    groups: [...groups.keys()].toSorted(),
    hasOtherAdmin: admins.some(([id]) => id !== user.id),
    inForce: inForce && { directory: inForce.directory, digest: computeDirectoryDigest(inForce.directory), record: inForce.seq },
    asked: asked && {
      directory: asked.directory,
      digest: computeDirectoryDigest(asked.directory),
      byName: names[asked.by] ?? "a former member",
      isOwn: asked.by === user.id,
    },
  };
});

const directorySet = createProcedure("people.manage", { fresh: true })
  .input(
    z.strictObject({
      was: hexDigestSchema.nullable(),
      directory: directorySchema.nullable(),
      signed: adminSignatureSchema.exactOptional(),
    }),
  )
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "directory_set", ...input }));

const directoryConfirm = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ asked: hexDigestSchema, signed: adminSignatureSchema.exactOptional() }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "directory_confirm", ...input }));

const directoryDecline = createProcedure("people.manage")
  .input(z.strictObject({ asked: hexDigestSchema }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "directory_decline", ...input }));

export const directoryRouter = router({
  get: directoryGet,
  set: directorySet,
  confirm: directoryConfirm,
  decline: directoryDecline,
  tokens: directoryTokensRouter,
});
