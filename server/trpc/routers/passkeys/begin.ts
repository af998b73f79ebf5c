import { z } from "zod";
import { pageOriginSchema } from "@/lib/passkey-host";
import { procedure } from "@/server/trpc/init";
import { registrationOptions } from "@/server/web/passkeys";

/** Options for creating a passkey on this page. */
export const passkeysBegin = procedure("settings.own", { fresh: true })
  .input(z.strictObject({ origin: pageOriginSchema }))
  .mutation(({ ctx, input }) => registrationOptions(ctx, input.origin, ctx.host));
