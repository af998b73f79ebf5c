/** Which parts of the sandbox hold on this machine, and what follows for servers. */
import { z } from "zod";

/** What the kernel alone decides about. */
export const LAYERS = ["files", "network", "ports", "memory", "signals", "processes", "privileges"] as const;

/** What needs root, or user namespaces: an empty network namespace, and a user of its own. No level demands them. */
export const FURTHER_LAYERS = ["namespace", "identity"] as const;

const ALL_LAYERS = [...LAYERS, ...FURTHER_LAYERS] as const;
export type Layer = (typeof ALL_LAYERS)[number];

export const isolationSchema = z.strictObject({
  /** Those of which every attempt to break them failed. */
  holds: z.array(z.enum(ALL_LAYERS)),
  /** Why there are none, in one sentence; null where the attempts were made. */
  reason: z.string().max(300).nullable(),
});
export type Isolation = z.infer<typeof isolationSchema>;

/** `available` uses the layers that hold; `strict` starts no server where one of LAYERS is missing; `off` isolates nothing. */
export type SandboxLevel = "off" | "available" | "strict";

export const SANDBOX_OFF: Isolation = { holds: [], reason: "The operator switched the sandbox off (COUNTERSIGN_SANDBOX=off)." };

export const isSwitchedOff = ({ reason }: Isolation): boolean => reason === SANDBOX_OFF.reason;

export const missingLayers = ({ holds }: Isolation): readonly Layer[] => LAYERS.filter((layer) => !holds.includes(layer));

export const isIsolated = ({ holds }: Isolation): boolean => holds.length > 0;

/** What all of them hold; null of none. */
export const weakestOf = (all: readonly Isolation[]): Isolation | null => {
  const [first] = all;
  if (!first) return null;

  return {
    holds: first.holds.filter((layer) => all.every(({ holds }) => holds.includes(layer))),
    reason: all.find(({ reason }) => reason !== null)?.reason ?? null,
  };
};
