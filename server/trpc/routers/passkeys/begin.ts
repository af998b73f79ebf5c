import { z } from "zod";
import { pageOriginSchema } from "@/lib/passkey-host";
import { createProcedure } from "@/server/trpc/init";
import { createRegistrationOptions } from "@/server/web/passkeys";

export const passkeysBegin = createProcedure("settings.own", { fresh: true })
  .input(z.strictObject({ origin: pageOriginSchema }))
  .mutation(({ ctx, input }) => createRegistrationOptions(ctx, input.origin, ctx.host));
