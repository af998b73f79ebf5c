import { z } from "zod";
import { defineEvent, DIGEST_SHOWN, keepState, LINE_ONLY, step } from "@/lib/engine/events/event-entry";
import { environmentsSchema } from "@/lib/environments/environment";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";

const PROMOTION = { asked: "Promotion requested", declined: "Promotion declined", promoted: "Version promoted" } as const;

export const ENVIRONMENT_EVENTS = {
  environments_changed: defineEvent({
    schema: z.strictObject({ type: z.literal("environments_changed"), environments: environmentsSchema }),
    about: "Workspace ledger: an admin changed the environments, here in order of promotion.",
    reduce: keepState,
    weight: 49,
    ...LINE_ONLY,
    line: ({ environments }) => step("Environments changed", environments.map(({ title }) => title).join(", ")),
  }),
  version_promotion: defineEvent({
    schema: z.strictObject({
      type: z.literal("version_promotion"),
      step: z.enum(["asked", "declined", "promoted"]),
      request: uuidSchema,
      environment: idSchema,
      version: hexDigestSchema,
      base: hexDigestSchema.nullable(),
    }),
    about: "Workspace ledger: a version was promoted to an environment, or a second person was asked for it.",
    reduce: keepState,
    weight: 50,
    ...LINE_ONLY,
    line: ({ step: made, environment, version }) => step(PROMOTION[made], `${version.slice(0, DIGEST_SHOWN)} to ${environment}`),
  }),
};
